import { parseArgs } from 'node:util';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { HttpTransport, loadKubeConfig } from '@trifold/platform/kubernetes/client/http-transport.ts';
import { readServiceKubeConfig } from '@trifold/platform/kubernetes/client/service-kube-config.ts';
import { UsageError } from './usage-error.ts';

/** Output of a command: results go to `write`, messages to `writeError`. */
export interface Output {
  write(text: string): void;
  writeError(text: string): void;
}

/** Parses options that take a string. Throws UsageError. */
export function parseOptions<Name extends string>(
  words: readonly string[],
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]));
  try {
    return parseArgs({ args: [...words], options }).values as Partial<Record<Name, string>>;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

/** Runs `run` with a client for the cluster. @default $KUBECONFIG, ~/.kube/config, or the cluster it runs in */
export async function withCluster<T>(
  kubeconfig: string | undefined,
  run: (kubernetes: KubernetesClient) => Promise<T>,
): Promise<T> {
  const ofService = readServiceKubeConfig(kubeconfig ?? process.env['KUBECONFIG'] ?? '');
  const access = ofService ?? loadKubeConfig(kubeconfig === undefined ? {} : { kubeconfig });
  const transport = new HttpTransport(access);
  try {
    return await run(new KubernetesClient(transport));
  } finally {
    transport.close();
  }
}

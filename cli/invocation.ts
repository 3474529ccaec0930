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

/** A `trifold` command as data, for dispatch, help and shell completion. */
export interface CliCommand {
  /** One or two words. */
  readonly name: string;
  /** Options and description. */
  readonly usage: string;
  /** Names of the options, without `--`. */
  readonly options: readonly string[];
  /** Command lines without `trifold`. */
  readonly examples: readonly string[];
  /** Rejects with UsageError for invalid options. */
  readonly run: (words: readonly string[], output: Output) => Promise<void>;
}

type Options<Name extends string, Flag extends string> = Partial<
  Record<Name, string> & Record<Flag, boolean>
>;

/** Returns the value of `--account`. Throws UsageError if it is missing. */
export function requireAccount(account: string | undefined): string {
  if (account) return account;
  throw new UsageError("missing --account: name the account's namespace");
}

/** Parses options that take a string, and flags. Throws UsageError. */
export function parseOptions<Name extends string, Flag extends string = never>(
  words: readonly string[],
  names: readonly Name[],
  flags: readonly Flag[] = [],
): Options<Name, Flag> {
  const options = Object.fromEntries<{ type: 'string' | 'boolean' }>([
    ...names.map((name) => [name, { type: 'string' }] as const),
    ...flags.map((name) => [name, { type: 'boolean' }] as const),
  ]);
  try {
    return parseArgs({ args: [...words], options }).values as Options<Name, Flag>;
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

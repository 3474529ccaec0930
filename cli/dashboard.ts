import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { HttpTransport, loadKubeConfig } from '@trifold/platform/kubernetes/client/http-transport.ts';
import { LINK_MINUTES, SignInLinks } from '@trifold/platform/records/api-keys/sign-in-links.ts';
import { systemClock } from '@trifold/platform/service/clock.ts';
import { plainText, readSettings } from '@trifold/platform/service/config.ts';
import { SetupError } from '@trifold/platform/service/trifold-error.ts';
import type { Output } from './output.ts';
import { UsageError } from './usage-error.ts';

export const DASHBOARD_USAGE = `dashboard [--data DIRECTORY]
      Prints a link to the dashboard of a running standalone service. It signs in once, within ${LINK_MINUTES} minutes, and
      replaces the link before it.
      Without --data: $TRIFOLD_DATA, or .trifold.`;

/** `trifold dashboard`. Writes the link alone on a line of standard output. */
export async function printSignInLink(words: readonly string[], output: Output): Promise<void> {
  const directory = path.resolve(dataDirectoryOf(words));
  const url = await serviceUrl(directory);
  const transport = new HttpTransport(loadKubeConfig({ kubeconfig: path.join(directory, 'kubeconfig') }));
  try {
    const link = await new SignInLinks(new KubernetesClient(transport), systemClock).create(url);
    output.complain(`this link signs in once, within ${LINK_MINUTES} minutes:\n`);
    output.write(`${link}\n`);
  } catch (error) {
    throw isApiError(error, 'Unreachable') ? notRunning(directory, error) : error;
  } finally {
    transport.close();
  }
}

/** Returns the address of the service. Rejects with SetupError when none has used the directory. */
async function serviceUrl(directory: string): Promise<string> {
  try {
    return await readFile(path.join(directory, 'url'), 'utf8');
  } catch (error) {
    throw notRunning(directory, error);
  }
}

function notRunning(directory: string, cause: unknown): SetupError {
  const message = `no standalone service runs with the data directory ${directory}: start it with npm start, or name its directory with --data`;
  return new SetupError(message, cause);
}

function dataDirectoryOf(words: readonly string[]): string {
  const { data } = parseOptions(words);
  if (data === '') throw new UsageError('--data needs a directory');
  return data ?? readSettings(process.env, { data: { variable: 'TRIFOLD_DATA', parse: plainText } }).data;
}

function parseOptions(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: { data: { type: 'string' } } }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import { LINK_MINUTES, SignInLinks } from '@trifold/platform/records/api-keys/sign-in-links.ts';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { readSettings } from '@trifold/platform/settings/read-settings.ts';
import { SetupError } from '@trifold/platform/errors/trifold-error.ts';
import { parseOptions, withCluster, type CliCommand, type Output } from './invocation.ts';
import { UsageError } from './usage-error.ts';

export const DASHBOARD: CliCommand = {
  name: 'dashboard',
  usage: `[--data DIRECTORY] [--json]
      Prints a sign-in link for the dashboard of a running standalone service. The link works once, expires after
      ${LINK_MINUTES} minutes and replaces the previous link.
      --data           Data directory of the service. Default: $TRIFOLD_DATA, or .trifold.`,
  options: ['data', 'json'],
  examples: ['dashboard', 'dashboard --data /var/lib/trifold'],
  run: printSignInLink,
};

/** `trifold dashboard`. Writes only the link, on one line, to standard output. */
async function printSignInLink(words: readonly string[], output: Output): Promise<void> {
  const { data, json } = parseOptions(words, ['data'], ['json']);
  if (data === '') throw new UsageError('--data requires a directory');
  const directory = path.resolve(data ?? readSettings(process.env, { data: 'TRIFOLD_DATA' }).data);
  const notRunning = (cause: unknown): never => {
    const message = `no standalone service is running with the data directory ${directory}: start it, or set --data to its directory`;
    throw new SetupError(message, cause);
  };
  const url = await readFile(path.join(directory, 'url'), 'utf8').catch(notRunning);
  const link = await withCluster(path.join(directory, 'kubeconfig'), async (kubernetes) =>
    new SignInLinks(kubernetes, systemClock).create(url),
  ).catch((error: unknown) => {
    throw isApiError(error, 'Unreachable') ? notRunning(error) : error;
  });
  if (json) return output.write(`${JSON.stringify({ link, expires_in_seconds: LINK_MINUTES * 60 })}\n`);
  output.writeError(`sign-in link (works once, expires after ${LINK_MINUTES} minutes):\n`);
  output.write(`${link}\n`);
}

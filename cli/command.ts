import { DASHBOARD_USAGE, printSignInLink } from './dashboard.ts';
import { createKey, KEYS_CREATE_USAGE } from './keys-create.ts';
import { type Output } from './invocation.ts';
import { UsageError } from './usage-error.ts';
import { sealSecret, WEBHOOKS_USAGE } from './webhooks-seal.ts';

const USAGE = `Usage: trifold <command>

Commands:
  ${KEYS_CREATE_USAGE}
  ${DASHBOARD_USAGE}
  ${WEBHOOKS_USAGE}
`;

/** Runs a command line and returns its exit code: 0 success, 1 failure, 2 usage error. */
export async function runCommand(words: readonly string[], output: Output): Promise<number> {
  const [group] = words;
  if (group === undefined || group === 'help' || words.some((word) => word === '--help' || word === '-h')) {
    output.write(USAGE);
    return 0;
  }
  try {
    await run(words, output);
    return 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    output.writeError(`trifold: ${message}\n`);
    if (!(error instanceof UsageError)) return 1;
    output.writeError(`\n${USAGE}`);
    return 2;
  }
}

async function run(words: readonly string[], output: Output): Promise<void> {
  const [group, verb] = words;
  if (group === 'keys' && verb === 'create') return createKey(words.slice(2), output);
  if (group === 'webhooks' && verb === 'seal') return sealSecret(words.slice(2), output);
  if (group === 'dashboard') return printSignInLink(words.slice(1), output);
  throw new UsageError(`unknown command "${words.slice(0, 2).join(' ')}"`);
}

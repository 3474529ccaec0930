import { DASHBOARD } from './dashboard.ts';
import { KEYS_CREATE } from './keys-create.ts';
import { KEYS_LIST, KEYS_REVOKE } from './keys-list.ts';
import type { CliCommand, Output } from './invocation.ts';
import { UsageError } from './usage-error.ts';
import { WEBHOOKS_SEAL } from './webhooks-seal.ts';

export const COMMANDS: readonly CliCommand[] = [
  KEYS_CREATE,
  KEYS_LIST,
  KEYS_REVOKE,
  DASHBOARD,
  WEBHOOKS_SEAL,
];

/** Runs a command line and returns its exit code: 0 success, 1 failure, 2 usage error. */
export async function runCommand(words: readonly string[], output: Output): Promise<number> {
  const [group] = words;
  if (group === undefined || group === 'help' || words.some((word) => word === '--help' || word === '-h')) {
    output.write(usageOf(words));
    return 0;
  }
  try {
    await run(words, output);
    return 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    output.writeError(`trifold: ${message}\n`);
    if (!(error instanceof UsageError)) return 1;
    output.writeError(`\n${usageOf(words)}`);
    return 2;
  }
}

async function run(words: readonly string[], output: Output): Promise<void> {
  const command = COMMANDS.find(({ name }) => isPrefix(name.split(' '), words));
  if (!command) throw new UsageError(`unknown command "${words.slice(0, 2).join(' ')}"`);
  await command.run(words.slice(command.name.split(' ').length), output);
}

/** Returns the usage of the commands that begin with these words, or of all commands. */
function usageOf(words: readonly string[]): string {
  const named = words.filter((word) => word !== 'help' && !word.startsWith('-')).slice(0, 2);
  const meant = COMMANDS.filter(
    ({ name }) => isPrefix(name.split(' '), named) || isPrefix(named, name.split(' ')),
  );
  const shown = meant.length > 0 ? meant : COMMANDS;
  const usages = shown.map(({ name, usage }) => `  ${name} ${usage}\n`);
  const examples = shown.flatMap(({ examples: all }) => all.map((example) => `  trifold ${example}\n`));
  return `Usage: trifold <command>\n\nCommands:\n${usages.join('')}\nExamples:\n${examples.join('')}`;
}

function isPrefix(prefix: readonly string[], words: readonly string[]): boolean {
  return prefix.every((word, index) => words[index] === word);
}

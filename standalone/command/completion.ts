import { COMMANDS } from '@trifold/cli/command.ts';
import type { Command, Option } from 'commander';

/** Scripts that make a shell ask `trifold complete` for candidates and fall back to file names. */
export const SHELL_SCRIPTS = {
  bash: `_trifold() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _trifold trifold
`,
  zsh: `#compdef trifold
_trifold() {
  local -a found
  found=(\${(f)"$("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( $#found )); then compadd -a found; else _files; fi
}
compdef _trifold trifold
`,
  fish: `complete -c trifold -a '(trifold complete -- (commandline -opc)[2..] "$(commandline -ct)" 2>/dev/null)'
`,
} as const;

/**
 * Returns the completions of the last word; none if it is a file name or another free value. `words` does not include
 * `trifold`.
 */
export function candidates(program: Command, words: readonly string[]): readonly string[] {
  addCliCommands(program);
  const current = words.at(-1) ?? '';
  let command = program;
  for (const word of words.slice(0, -1)) command = find(command, word) ?? command;
  const option = command.options.find(({ long, short }) => [long, short].includes(words.at(-2)));
  const all = takesValue(option) ? (option?.argChoices ?? []) : namesIn(command, current);
  return all.filter((name) => name.startsWith(current));
}

function namesIn(command: Command, current: string): readonly string[] {
  if (current.startsWith('-')) return [...command.options.flatMap(({ long }) => long ?? []), '--help'];
  const { commands, registeredArguments } = command;
  const visible = command.createHelp().visibleCommands(command);
  return commands.length > 0
    ? visible.map((each) => each.name())
    : registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
}

function takesValue(option: Option | undefined): boolean {
  return option !== undefined && (option.required || option.optional);
}

/** Adds the commands that the images also have: `program` only passes their words on. */
function addCliCommands(program: Command): void {
  for (const { name, options } of COMMANDS) {
    let command = program;
    for (const word of name.split(' ')) command = find(command, word) ?? command.command(word);
    for (const option of options) command.option(option === 'json' ? '--json' : `--${option} <value>`);
  }
}

function find(command: Command, name: string): Command | undefined {
  return command.commands.find((each) => each.name() === name);
}

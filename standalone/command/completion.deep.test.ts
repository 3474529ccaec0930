import { chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';
import { run } from '@trifold/test-support/keys-command.ts';
import { findProgram } from '@trifold/test-support/processes/find-program.ts';
import { REPOSITORY } from '@trifold/test-support/service.ts';
import { describe, expect, it } from 'vitest';

const DOCS = await readFile(path.join(REPOSITORY, 'docs/how-to/render-from-the-command-line.md'), 'utf8');
const SHELLS = {
  /** Calls the function that the script registers for `trifold`. */
  bash: `source <(trifold completion bash)
    COMP_WORDS=($1); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
    complete -p trifold | grep -q -- '-F _trifold trifold' && _trifold
    printf '%s\\n' "\${COMPREPLY[@]}"`,
  /** Types the command and Tab in a terminal, waits for a match, and prints what the terminal shows. */
  zsh: `zmodload zsh/zpty
    zpty terminal zsh -i
    zpty -r terminal screen '*ready>*'
    zpty -w -n terminal "$1"$'\\t'
    zpty -r terminal screen "*$2*"
    print -r -- $screen`,
};
/** A new user's file with the line from the docs. */
const ZSHRC = `PS1='ready> '
  autoload -Uz compinit; compinit -u
  ${/^source .*completion zsh.*$/m.exec(DOCS)?.[0]}
`;
const TIMEOUT_MS = 25_000;

describe.each(Object.entries(SHELLS))('In %s', (shell, script) => {
  const program = findProgram(`TRIFOLD_TEST_${shell.toUpperCase()}`, shell);

  it.skipIf(program === undefined && !process.env['CI']).each([
    ['a subcommand', 'trifold templates pu', 'pull push'],
    ['the value of an option', 'trifold render --format p', 'pdf png'],
    ['an option of a command that the images also have', 'trifold keys create --acc', '--account'],
    // Readline adds the file names in bash.
    ['a file name with a space', 'trifold render --data a', shell === 'zsh' ? String.raw`a\ b.json` : ''],
  ])('%s is completed', async (_what, typed, expected) => {
    const folder = testDirectory();
    const main = path.join(REPOSITORY, 'standalone/command/main.ts');
    const command = path.join(folder, 'trifold');
    await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
    await chmod(command, 0o755);
    await writeFile(path.join(folder, '.zshrc'), ZSHRC);
    await writeFile(path.join(folder, 'a b.json'), '{}');
    const env = {
      ...process.env,
      PATH: `${folder}:${process.env['PATH']}`,
      TERM: 'dumb',
      HOME: folder,
      ZDOTDIR: folder,
    };
    const pattern = expected.replace(/^.* /, '');
    const words = ['-c', script, shell, typed, pattern];
    const { stdout, stderr } = await run(program ?? shell, words, {
      env,
      cwd: folder,
      timeoutMs: TIMEOUT_MS,
    });
    const shown = stdout.trim().replaceAll(/\s+/g, ' ');
    expect(stderr).toBe('');
    if (shell === 'zsh') expect(shown).toContain(expected);
    else expect(shown).toBe(expected);
  });
});

import { chmod, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';
import { run } from '@trifold/test-support/keys-command.ts';
import { findProgram } from '@trifold/test-support/processes/find-program.ts';
import { REPOSITORY } from '@trifold/test-support/service.ts';
import { describe, expect, it } from 'vitest';

/** Loads the script, completes the words in `$@`, and prints the candidates. The registration goes to stderr. */
const SHELLS = {
  bash: `source <(trifold completion bash)
    COMP_WORDS=(trifold "$@"); COMP_CWORD=$#
    complete -p trifold >&2; _trifold; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: `compdef() { print -r -- "$@" >&2 }
    compadd() { print -rl -- "\${(@P)2}" }
    _files() { print files }
    source <(trifold completion zsh)
    words=(trifold "$@"); CURRENT=$#words; _trifold`,
};

describe.each(Object.entries(SHELLS))('In %s', (shell, script) => {
  const program = findProgram(`TRIFOLD_TEST_${shell.toUpperCase()}`, shell);
  const none = shell === 'zsh' ? 'files' : '';

  it.skipIf(program === undefined && !process.env['CI']).each([
    ['a subcommand', ['templates', 'pu'], 'pull push'],
    ['the value of an option', ['render', '--format', 'p'], 'pdf png'],
    ['an option of a command that the images also have', ['keys', 'create', '--acc'], '--account'],
    ['a file name with a space', ['render', '--data', 'a b'], none],
  ])('%s is completed', async (_what, words, expected) => {
    const folder = testDirectory();
    const main = path.join(REPOSITORY, 'standalone/command/main.ts');
    const command = path.join(folder, 'trifold');
    await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`);
    await chmod(command, 0o755);
    const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
    const { stdout, stderr } = await run(program ?? shell, ['-c', script, shell, ...words], { env });
    expect([stdout.trim().replaceAll(/\s+/g, ' '), stderr]).toEqual([
      expected,
      expect.stringContaining('trifold'),
    ]);
  });
});

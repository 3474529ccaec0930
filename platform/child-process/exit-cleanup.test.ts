import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const MODULE = JSON.stringify(join(import.meta.dirname, 'exit-cleanup.ts'));

/** Runs a script that has `onProcessExit` and `say`. Returns its output and exit code. */
function run(script: string): Promise<{ code: number; said: string[] }> {
  const source = `
    import { writeSync } from 'node:fs';
    import { onProcessExit } from ${MODULE};
    const say = (text) => writeSync(1, text + '\\n');
    ${script}`;
  return new Promise((resolve) => {
    execFile(process.execPath, ['--input-type=module', '-e', source], (error, stdout) => {
      resolve({ code: Number(error?.code ?? 0), said: stdout.split('\n').filter(Boolean) });
    });
  });
}

const TWO = `onProcessExit(() => say('first')); onProcessExit(() => say('second'));`;

it.each([
  ['ends normally', '', 0],
  ['exits', 'process.exit(3);', 3],
  ['fails', `setImmediate(() => { throw new Error('nobody catches me'); });`, 1],
])('Exit cleanup runs in reverse order of registration when the process %s', async (_, end, code) => {
  expect(await run(`${TWO} ${end}`)).toEqual({ code, said: ['second', 'first'] });
});

it('Exit cleanup removes only one registration of a callback, even when called repeatedly', async () => {
  const { said } = await run(
    `const work = () => say('work'); onProcessExit(work); const forget = onProcessExit(work); forget(); forget();`,
  );
  expect(said).toEqual(['work']);
});

it('Exit cleanup runs the remaining callbacks if one throws', async () => {
  const { code, said } = await run(
    `${TWO} onProcessExit(() => { throw new Error('no'); }); process.exit(7);`,
  );
  expect({ code, said }).toEqual({ code: 7, said: ['second', 'first'] });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { readPdf } from '../support/files/pdf.ts';
import { descendantsOf, stillRunning, type ProcessIdentity } from '../support/processes/process-tree.ts';
import { REPOSITORY } from '../support/service.ts';
import { freshDirectory } from './fresh-service.ts';

it('npm run demo renders a two-page invoice, describes each step, exits with 0 and leaves no process running', async () => {
  const temporary = await freshDirectory();
  const demo = spawn('npm', ['run', 'demo'], {
    cwd: REPOSITORY,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  demo.stdout.on('data', (piece: Buffer) => (output += piece.toString()));
  demo.stderr.on('data', (piece: Buffer) => (output += piece.toString()));
  const seen = new Map<string, ProcessIdentity>();
  const look = setInterval(() => {
    for (const one of descendantsOf(demo.pid as number)) seen.set(`${one.pid}:${one.startTime}`, one);
  }, 50);
  const [code] = (await once(demo, 'close')) as [number];
  clearInterval(look);
  expect(code, output).toBe(0);

  const file = /^Open (\/\S.*\.pdf)$/m.exec(output)?.[1];
  expect(file, output).toBeDefined();
  expect(await readPdf(await readFile(file as string))).toHaveLength(2);
  expect(output).toMatch(/version 1\b/);
  expect(output).toMatch(/gen-[0-9a-z]{26}/);
  expect(output).toMatch(/\d+ ms/);
  expect(output).not.toMatch(/tf_live_/);

  expect(
    [...seen.values()].some(({ command }) => command.includes('--headless') || /chrom/i.test(command)),
  ).toBe(true);
  await eventually(() => stillRunning([...seen.values()]).length === 0);
  expect((await readdir(temporary)).filter((name) => name.startsWith('trifold-demo-'))).toEqual([]);
});

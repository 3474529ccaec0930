import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { groupMemoryBytes } from './group-memory.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';

const HELD = 128 * 2 ** 20;
const READY = `process.stdout.write('ready'); process.stdin.on('end', () => held.at(0)).resume();`;

/** Starts a process group and waits until its last process is ready. Returns its ID. */
async function startGroup(script: string): Promise<number> {
  const child = spawn(process.execPath, ['-e', script], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const group = child.pid as number;
  onTestFinished(() => void process.kill(-group, 'SIGKILL'));
  await once(child.stdout, 'data');
  return group;
}

/** Value for a process in the kernel's report, in bytes. */
function reported(pid: number, name: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) * 1024;
}

it('the memory of a process group includes the private memory of its processes and excludes other groups', async () => {
  const pid = await startGroup(`const held = Buffer.alloc(${HELD}, 1); ${READY}`);
  const bytes = await groupMemoryBytes(pid);
  expect(bytes).toBeGreaterThan(HELD);
  // The kernel's counters differ by amounts that it has not yet summed.
  const resident = reported(pid, 'VmRSS');
  expect(Math.abs(bytes - resident)).toBeLessThan(HELD / 4);
  expect(await groupMemoryBytes(4_194_304)).toBe(0);
});

it('the memory of a process group counts memory shared by several processes once', async () => {
  const directory = testDirectory();
  // SQLite maps the file into its process and reads all of it.
  const map = `const { DatabaseSync } = require('node:sqlite');
      const held = [new DatabaseSync(${JSON.stringify(join(directory, 'file'))})];
      held[0].exec('PRAGMA mmap_size = ${2 * HELD}');
      const read = () => held[0].prepare("SELECT sum(instr(bytes, x'01')) FROM pages").get();`;
  const child = `${map} read(); ${READY}`;
  const pid = await startGroup(`${map}
      held[0].exec('CREATE TABLE pages (bytes); BEGIN');
      for (let count = 0; count < ${HELD / 2 ** 20}; count += 1) held[0].exec('INSERT INTO pages VALUES (zeroblob(1048576))');
      held[0].exec('COMMIT');
      read();
      held.push(require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}], { stdio: ['pipe', 'inherit', 'inherit'] }));`);
  const privateBytes = reported(pid, 'RssAnon');
  expect(reported(pid, 'RssFile')).toBeGreaterThan(HELD);
  const bytes = await groupMemoryBytes(pid);
  expect(bytes - privateBytes).toBeGreaterThan(HELD);
  expect(bytes - privateBytes).toBeLessThan(2 * HELD);
});

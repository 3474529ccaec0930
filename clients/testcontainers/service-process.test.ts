import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';
import { ServiceProcess } from './service-process.ts';

/** A service that does not stop, with a child process that holds its output open. */
const STUCK = `
  import { spawn } from 'node:child_process';
  process.on('SIGTERM', () => {});
  const wait = ['-e', 'setInterval(() => {}, 60_000)'];
  const { pid } = spawn(process.execPath, wait, { stdio: ['ignore', 'inherit', 'inherit'] });
  console.log('Trifold is ready at', pid);
  setInterval(() => {}, 60_000);`;

it('stop kills a stuck service and does not wait for processes that hold its output', async () => {
  const folder = testDirectory();
  const command = path.join(folder, 'stuck.mjs');
  await writeFile(command, STUCK);
  const service = new ServiceProcess(command, { ...process.env, TRIFOLD_DATA: path.join(folder, 'data') });
  const holder = Number(await service.ready(30_000));
  onTestFinished(() => void process.kill(holder));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const stopped = service.stop();
  vi.runAllTimers();
  await stopped;
  expect(process.kill(holder, 0)).toBe(true);
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { isProcessAlive, processIdentity } from './process-identity.ts';

it('recognizes that this process is running', () => {
  expect(isProcessAlive(processIdentity())).toBe(true);
});

it('recognizes that a process has ended', async () => {
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
  await once(child, 'exit');
  expect(isProcessAlive(`${child.pid}-1`)).toBe(false);
  expect(isProcessAlive(`${child.pid}-0`)).toBe(false);
});

it('distinguishes a process from an earlier one with the same id', () => {
  const [pid, started] = processIdentity().split('-');
  expect(isProcessAlive(`${pid}-${Number(started) - 1}`)).toBe(false);
});

it.each(['', 'x', '1', '-1-1', '12345678901-1'])('does not treat "%s" as a process', (identity) => {
  expect(isProcessAlive(identity)).toBe(false);
});

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';

it('a merge process ignores SIGINT and SIGTERM, and exits with its parent', async () => {
  const child = fork(new URL('./merge-process.ts', import.meta.url), {
    env: {},
    execArgv: [],
    serialization: 'advanced',
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  expect(await once(child, 'message')).toEqual([{ status: 'ready' }, undefined]);
  child.kill('SIGINT');
  child.kill('SIGTERM');
  const data = Buffer.from('{"x":1}');
  const source = { html: '<body>{{x}}' };
  child.send({ revisionKey: 'r', source, data, maxBytes: 100, timeoutMs: 5000 });
  const [reply] = (await once(child, 'message')) as [{ status: string }];
  expect(reply.status).toBe('merged');
  const exited = once(child, 'exit');
  child.disconnect();
  expect(await exited).toEqual([0, null]);
});

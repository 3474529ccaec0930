import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { BoundedPool, type BoundedPoolOptions, type Conversation } from './bounded-pool.ts';
import type { WorkReply, WorkRequest } from './testing/worker.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

type Worker = Conversation<WorkRequest, WorkReply>;

const NEVER = new AbortController().signal;

let pool: BoundedPool<WorkRequest, WorkReply>;
afterEach(() => pool.stop());

const open = (workers: number, options: Partial<BoundedPoolOptions> = {}) => {
  const entry = new URL('./testing/worker.ts', import.meta.url);
  pool = new BoundedPool({ entry, workers, timeoutMs: 20_000, memoryMib: 64, ...options });
};
const ask = (child: Worker, does: WorkRequest['does'] = 'answer', path = '') =>
  child.ask({ does, path, timeoutMs: 60_000 });
const run = (converse: (child: Worker) => Promise<WorkReply>, signal = NEVER) =>
  pool.run(converse, { signal, account: 'acme' });
const work = (does?: WorkRequest['does'], signal?: AbortSignal) => run((child) => ask(child, does), signal);
const children = () =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean).length;

it('starts a process only when there is a task for it', async () => {
  const before = children();
  open(3);
  expect(children()).toBe(before);
  const first = await work();
  expect(await work()).toEqual(first);
  expect(children()).toBe(before + 1);
});

it('runs tasks in parallel, up to its number of processes', async () => {
  open(2);
  const pids = await Promise.all(Array.from({ length: 6 }, async () => (await work()).pid));
  expect(new Set(pids).size).toBe(2);
});

it('kills a process that takes too long and continues in another', async () => {
  open(1, { timeoutMs: 3000 });
  const { pid } = await work();
  await expect(work('hang')).rejects.toMatchObject({ code: 'time_limit' });
  expect((await work()).pid).not.toBe(pid);
});

it('kills a process when no caller awaits its result', async () => {
  open(1);
  const abort = new AbortController();
  const { pid } = await work();
  const hanging = run(async (child) => {
    const asked = ask(child, 'hang');
    abort.abort(new Error('gone'));
    return asked;
  }, abort.signal);
  await expect(hanging).rejects.toThrow('gone');
  expect((await work()).pid).not.toBe(pid);
});

it('replaces a process that is not reusable', async () => {
  open(1);
  const spoilt = await run(async (child) => {
    child.discard();
    return ask(child);
  });
  expect((await work()).pid).not.toBe(spoilt.pid);
});

it("limits one account's waiting tasks and drops aborted ones", async () => {
  open(1, { maxWaiting: 1 });
  const first = work();
  const abort = new AbortController();
  const second = work('answer', abort.signal);
  await expect(work()).rejects.toMatchObject({ code: 'pool_full' });
  const other = pool.run((child) => ask(child), { signal: NEVER, account: 'other' });
  abort.abort(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  const third = work();
  await Promise.all([first, other, third]);
});

it('distinguishes a process that ended from one that ran out of memory', async () => {
  open(1);
  await expect(work('exit')).rejects.toMatchObject({ code: 'ended' });
  await expect(work('abort')).rejects.toMatchObject({ code: 'out_of_memory' });
  await expect(work()).resolves.toBeDefined();
});

it('rejects a request immediately if the process ended after the previous one', async () => {
  open(1);
  const asked = run(async (child) => {
    const { pid } = await ask(child);
    process.kill(pid, 'SIGKILL');
    await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeoutMs: 10_000 });
    return ask(child);
  });
  await expect(asked).rejects.toMatchObject({ code: 'ended' });
});

it('ends running and waiting tasks when it stops', async () => {
  open(1);
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const hanging = run(async (child) => {
    const response = ask(child, 'hang');
    resolve();
    return response;
  });
  const working = expect(hanging).rejects.toMatchObject({ code: 'ended' });
  await asked;
  const waiting = expect(work()).rejects.toThrow('stopped');
  await pool.stop();
  await Promise.all([working, waiting]);
});

it('gives a process access only to its code, not to other files, processes or variables', async () => {
  open(1);
  const attempt = (does: WorkRequest['does'], path: string) => run((child) => ask(child, does, path));
  const own = join(import.meta.dirname, 'testing', 'worker.ts');
  const { variables, error } = await attempt('read', own);
  expect({ variables, error }).toEqual({ variables: [], error: undefined });
  // The standalone service's data directory is also there.
  const manifest = join(import.meta.dirname, '..', '..', 'package.json');
  for (const path of [manifest, `/proc/${process.pid}/environ`, '/proc/self/environ', '/etc/passwd']) {
    expect((await attempt('read', path)).error, path).toBe('ERR_ACCESS_DENIED');
  }
  expect((await attempt('write', join(tmpdir(), 'trifold-written'))).error).toBe('ERR_ACCESS_DENIED');
  expect((await attempt('start', process.execPath)).error).toBe('ERR_ACCESS_DENIED');
});

it('does not start a process after stop', async () => {
  open(1);
  const before = children();
  await pool.stop();
  await expect(work()).rejects.toThrow('stopped');
  expect(children()).toBe(before);
});

import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { BoundedPool, type BoundedPoolOptions } from './bounded-pool.ts';
import type { WorkReply, WorkRequest } from './testing/worker.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

const NEVER = new AbortController().signal;

describe('BoundedPool', () => {
  let pool: BoundedPool<WorkRequest, WorkReply>;
  afterEach(() => pool.stop());

  const open = (workers: number, options: Partial<BoundedPoolOptions> = {}) => {
    const entry = new URL('./testing/worker.ts', import.meta.url);
    pool = new BoundedPool({ entry, workers, timeoutMs: 20_000, memoryMib: 64, ...options });
  };
  const work = (does: WorkRequest['does'] = 'answer', signal = NEVER) =>
    pool.run((child) => child.ask({ does, timeoutMs: 60_000 }), { signal, account: 'acme' });
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
    const hanging = pool.run(
      async (child) => {
        const asked = child.ask({ does: 'hang', timeoutMs: 60_000 });
        abort.abort(new Error('gone'));
        return asked;
      },
      { signal: abort.signal, account: 'acme' },
    );
    await expect(hanging).rejects.toThrow('gone');
    expect((await work()).pid).not.toBe(pid);
  });

  it('replaces a process that is not reusable', async () => {
    open(1);
    const spoilt = await pool.run(
      async (child) => {
        child.discard();
        return child.ask({ does: 'answer', timeoutMs: 60_000 });
      },
      { signal: NEVER, account: 'acme' },
    );
    expect((await work()).pid).not.toBe(spoilt.pid);
  });

  it('limits the tasks that wait for one account and drops aborted ones', async () => {
    open(1, { maxWaiting: 1 });
    const first = work();
    const abort = new AbortController();
    const second = work('answer', abort.signal);
    await expect(work()).rejects.toMatchObject({ code: 'pool_full' });
    const other = pool.run((child) => child.ask({ does: 'answer', timeoutMs: 60_000 }), {
      signal: NEVER,
      account: 'other',
    });
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
    const asked = pool.run(
      async (child) => {
        const { pid } = await child.ask({ does: 'answer', timeoutMs: 60_000 });
        process.kill(pid, 'SIGKILL');
        await eventually(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeoutMs: 10_000 });
        return child.ask({ does: 'answer', timeoutMs: 60_000 });
      },
      { signal: NEVER, account: 'acme' },
    );
    await expect(asked).rejects.toMatchObject({ code: 'ended' });
  });

  it('ends running and waiting tasks when it stops', async () => {
    open(1);
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    const hanging = pool.run(
      async (child) => {
        const response = child.ask({ does: 'hang', timeoutMs: 60_000 });
        resolve();
        return response;
      },
      { signal: NEVER, account: 'acme' },
    );
    const working = expect(hanging).rejects.toMatchObject({ code: 'ended' });
    await asked;
    const waiting = expect(work()).rejects.toThrow('stopped');
    await pool.stop();
    await Promise.all([working, waiting]);
  });

  it('gives a process access to its code only: no other files, processes or variables', async () => {
    open(1);
    const attempt = (does: WorkRequest['does'], path: string) =>
      pool.run((child) => child.ask({ does, path, timeoutMs: 60_000 }), { signal: NEVER, account: 'acme' });
    const own = join(import.meta.dirname, 'testing', 'worker.ts');
    const { variables, error } = await attempt('read', own);
    expect({ variables, error }).toEqual({ variables: [], error: undefined });
    // The standalone service's data directory is also there.
    const beside = join(import.meta.dirname, '..', '..', 'package.json');
    for (const path of [beside, `/proc/${process.pid}/environ`, '/proc/self/environ', '/etc/passwd']) {
      expect((await attempt('read', path)).error, path).toBe('ERR_ACCESS_DENIED');
    }
    expect((await attempt('write', join(tmpdir(), 'trifold-written'))).error).toBe('ERR_ACCESS_DENIED');
    expect((await attempt('start', process.execPath)).error).toBe('ERR_ACCESS_DENIED');
  });

  it('starts no process after stop', async () => {
    open(1);
    const before = children();
    await pool.stop();
    await expect(work()).rejects.toThrow('stopped');
    expect(children()).toBe(before);
  });
});

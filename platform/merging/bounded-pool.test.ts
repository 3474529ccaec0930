import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { BoundedPool, TimeLimitError } from './bounded-pool.ts';
import type { WorkReply, WorkRequest } from './testing/worker.ts';

const NEVER = new AbortController().signal;

describe('a pool of bounded processes', () => {
  let pool: BoundedPool<WorkRequest, WorkReply>;
  afterEach(() => pool.stop());

  const open = (workers: number, timeoutMs = 20_000) => {
    pool = new BoundedPool({ entry: new URL('./testing/worker.ts', import.meta.url), workers, timeoutMs });
  };
  const work = (does: WorkRequest['does'] = 'answer', signal = NEVER) =>
    pool.run((ask) => ask({ does, timeoutMs: 60_000 }), signal);
  const children = () =>
    readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean).length;

  it('starts a process when there is something for it to do, and no other', async () => {
    const before = children();
    open(3);
    expect(children()).toBe(before);
    const first = await work();
    expect(await work()).toEqual(first);
    expect(children()).toBe(before + 1);
  });

  it('works side by side in as many processes as it may', async () => {
    open(2);
    const pids = await Promise.all(Array.from({ length: 6 }, async () => (await work()).pid));
    expect(new Set(pids).size).toBe(2);
  });

  it('kills what takes too long, and goes on in another process', async () => {
    open(1, 500);
    const { pid } = await work();
    await expect(work('hang')).rejects.toBeInstanceOf(TimeLimitError);
    expect((await work()).pid).not.toBe(pid);
  });

  it('kills what nobody waits for any more', async () => {
    open(1);
    const abort = new AbortController();
    const { pid } = await work();
    const hanging = pool.run(async (ask) => {
      const asked = ask({ does: 'hang', timeoutMs: 60_000 });
      abort.abort(new Error('gone'));
      return asked;
    }, abort.signal);
    await expect(hanging).rejects.toThrow('gone');
    expect((await work()).pid).not.toBe(pid);
  });

  it('tells apart a process that ended and one that ran out of memory', async () => {
    open(1);
    await expect(work('exit')).rejects.toMatchObject({ name: 'ChildEnded', outOfMemory: false });
    await expect(work('abort')).rejects.toMatchObject({ outOfMemory: true });
    await expect(work()).resolves.toBeDefined();
  });

  it('starts nothing once it is stopped', async () => {
    open(1);
    const before = children();
    await pool.stop();
    await expect(work()).rejects.toThrow('stopped');
    expect(children()).toBe(before);
  });
});

import { describe, expect, it, vi } from 'vitest';
import { FakeClock } from '../../testing/fake-clock.ts';
import { FINISHED_LIMIT, FINISHED_MS } from '../port.ts';
import { InProcessQueue } from './in-process-queue.ts';
import { HeldTasks } from '../conformance/held-tasks.ts';
import { COMPLETED, taskNamed } from '../conformance/sample-tasks.ts';
import { describeRenderQueue } from '../render-queue-conformance.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

describeRenderQueue('the process itself', async () => {
  const queue = new InProcessQueue();
  return { queue, close: () => queue.close() };
});

describe('The in-process render queue', () => {
  const finished = async (queue: InProcessQueue, ids: readonly string[]) => {
    const told = new Set<string>();
    const stop = queue.onFinished((id) => told.add(id));
    for (const id of ids) await queue.add(taskNamed(id));
    await eventually(() => expect(told.size).toBe(ids.length));
    stop();
  };

  it('forgets finished tasks after ten minutes when other tasks finish', async () => {
    const clock = new FakeClock();
    const queue = new InProcessQueue({ clock });
    queue.work(async () => COMPLETED, { concurrency: 1 });
    await finished(queue, ['old-1']);
    clock.advance(FINISHED_MS);
    await finished(queue, ['middle-1']);
    expect((await queue.state('old-1')).status).toBe('completed');
    clock.advance(1);
    await finished(queue, ['new-1']);
    expect((await queue.state('old-1')).status).toBe('unknown');
    expect((await queue.state('middle-1')).status).toBe('completed');
    await queue.close();
  });

  it('remembers only the newest 10,000 finished tasks', async () => {
    const queue = new InProcessQueue();
    queue.work(async () => COMPLETED, { concurrency: 100 });
    await finished(
      queue,
      Array.from({ length: FINISHED_LIMIT + 1 }, (_, index) => `task-${index}`),
    );
    expect((await queue.state('task-0')).status).toBe('unknown');
    expect((await queue.state('task-1')).status).toBe('completed');
    await queue.close();
  });

  it('waits for the whole grace period by its clock and no longer', async () => {
    const clock = new FakeClock();
    const queue = new InProcessQueue({ clock });
    const held = new HeldTasks();
    const worker = queue.work(held.handler, { concurrency: 1 });
    await queue.add(taskNamed('one-1'));
    await eventually(() => expect(held.active).toEqual(['one-1']));
    const closing = worker.close(5000);
    await eventually(() => expect(clock.pending).toBe(1));
    clock.advance(4999);
    expect(held.signals.get('one-1')?.aborted).toBe(false);
    clock.advance(1);
    await closing;
    expect(held.signals.get('one-1')?.aborted).toBe(true);
    expect(await queue.state('one-1')).toEqual({ status: 'waiting' });
  });

  it('requeues a task whose handler ignores the abort and ignores its later result', async () => {
    const clock = new FakeClock();
    const queue = new InProcessQueue({ clock });
    const { promise, resolve } = Promise.withResolvers<typeof COMPLETED>();
    const taken = vi.fn<() => void>();
    const worker = queue.work(
      () => {
        taken();
        return promise;
      },
      { concurrency: 1 },
    );
    await queue.add(taskNamed('deaf-1'));
    await eventually(() => expect(taken).toHaveBeenCalledOnce());
    const told = vi.fn<() => void>();
    queue.onFinished(told);
    const closed = vi.fn<() => void>();
    const closing = worker.close(0).then(closed);
    await clock.passUntil(1000, () => expect(closed).toHaveBeenCalled());
    await closing;
    expect(await queue.state('deaf-1')).toEqual({ status: 'waiting' });
    resolve(COMPLETED);
    await promise;
    expect(await queue.state('deaf-1')).toEqual({ status: 'waiting' });
    expect(told).not.toHaveBeenCalled();
  });

  it('stays fast with a long queue and many removals', async () => {
    const queue = new InProcessQueue();
    const ids = Array.from({ length: 30_000 }, (_, index) => `long-${index}`);
    for (const id of ids) await queue.add(taskNamed(id));
    for (let index = 0; index < ids.length; index += 2) await queue.remove(`long-${index}`);
    expect(await queue.depth()).toEqual({ interactive: 15_000, asynchronous: 0, batch: 0 });
    const order: string[] = [];
    queue.work(
      async (task) => {
        order.push(task.id);
        return COMPLETED;
      },
      { concurrency: 1 },
    );
    await eventually(() => expect(order).toHaveLength(15_000), { timeoutMs: 20_000 });
    expect(order[0]).toBe('long-1');
    expect(order.at(-1)).toBe('long-29999');
    expect(order).toEqual(ids.filter((_, index) => index % 2 === 1));
    await queue.close();
  });
});

import { expect, it, describe, vi } from 'vitest';
import type { QueueFixture } from './queue-fixture.ts';
import { COMPLETED, taskNamed } from './sample-tasks.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import type { RenderOutcome } from '../port.ts';

export function describeLifecycle(fixture: QueueFixture): void {
  it('moves a task from waiting to active to finished', async () => {
    expect(await fixture.statusOf('one-1')).toBe('unknown');
    await fixture.queue.add(taskNamed('one-1'));
    expect(await fixture.statusOf('one-1')).toBe('waiting');
    fixture.queue.work(fixture.held.handler, { concurrency: 1 });
    await fixture.untilActive('one-1');
    expect(await fixture.statusOf('one-1')).toBe('active');
    fixture.held.finish('one-1');
    await fixture.becomes('one-1', 'completed');
    expect(await fixture.queue.state('one-1')).toEqual(COMPLETED);
  });

  it("returns the same state when called with the task's queue", async () => {
    const names = { interactive: 'single-1', batch: 'item-1' } as const;
    const states = async () => [
      (await fixture.queue.state(names.interactive, 'interactive')).status,
      (await fixture.queue.state(names.batch, 'batch')).status,
    ];
    expect(await states()).toEqual(['unknown', 'unknown']);
    await fixture.queue.add(taskNamed(names.interactive));
    await fixture.queue.add({ ...taskNamed(names.batch), queue: 'batch' });
    expect(await states()).toEqual(['waiting', 'waiting']);
    // Another version of the controller may have chosen another queue.
    expect(await fixture.queue.state(names.interactive, 'asynchronous')).toEqual({ status: 'waiting' });
    fixture.queue.work(fixture.held.handler, { concurrency: 2 });
    await fixture.untilActive(...Object.values(names));
    expect(await states()).toEqual(['active', 'active']);
    for (const name of Object.values(names)) fixture.held.finish(name);
    for (const name of Object.values(names)) await fixture.becomes(name, 'completed');
    expect(await states()).toEqual(['completed', 'completed']);
  });

  it('delivers a task unchanged', async () => {
    const task = taskNamed('whole-1');
    fixture.queue.work(fixture.held.handler, { concurrency: 1 });
    await fixture.queue.add(task);
    await fixture.untilActive('whole-1');
    expect(fixture.held.taskOf('whole-1')).toEqual(task);
    fixture.held.finish('whole-1');
  });

  it.each([true, false])('stores a failure (retryable: %s) and does not retry it', async (retryable) => {
    const outcome = {
      status: 'failed',
      failure: { code: 'template_invalid', message: 'line 1', retryable },
    } as const;
    fixture.queue.work(fixture.held.handler, { concurrency: 1 });
    await fixture.queue.add(taskNamed('bad-1'));
    await fixture.untilActive('bad-1');
    fixture.held.finish('bad-1', outcome);
    await fixture.becomes('bad-1', 'failed');
    expect(await fixture.queue.state('bad-1')).toEqual(outcome);
    await fixture.queue.add(taskNamed('next-1'));
    await fixture.untilActive('next-1');
    expect(fixture.held.taken).toEqual(['bad-1', 'next-1']);
    fixture.held.finish('next-1');
  });

  it('turns an error thrown by a handler into a retryable failure', async () => {
    fixture.queue.work(
      async () => {
        throw new Error('with the data of a customer');
      },
      { concurrency: 1 },
    );
    await fixture.queue.add(taskNamed('broken-1'));
    await fixture.becomes('broken-1', 'failed');
    const state = await fixture.queue.state('broken-1');
    expect(state).toMatchObject({ failure: { code: 'renderer_error', retryable: true } });
    expect(JSON.stringify(state)).not.toContain('customer');
  });

  it('remembers finished tasks', async () => {
    fixture.queue.work(async () => COMPLETED, { concurrency: 4 });
    const ids = Array.from({ length: 300 }, (_, index) => `kept-${index}`);
    for (const id of ids) await fixture.queue.add(taskNamed(id));
    await fixture.becomes('kept-299', 'completed');
    await eventually(async () => {
      const states = await Promise.all(ids.map((id) => fixture.statusOf(id)));
      expect(states.every((status) => status === 'completed')).toBe(true);
    });
    expect(await fixture.queue.depth()).toEqual({ interactive: 0, asynchronous: 0, batch: 0 });
  });

  it('is available while it is open and rejects tasks after close', async () => {
    await expect(fixture.queue.check()).resolves.toBeUndefined();
    await fixture.queue.close();
    await expect(fixture.queue.check()).rejects.toThrow();
    await expect(fixture.queue.add(taskNamed('late-1'))).rejects.toThrow();
  });
}

/** Adding and removing tasks. */
export function describeAdding(fixture: QueueFixture): void {
  describe('add', () => {
    it('ignores a task that is waiting, active or finished', async () => {
      await fixture.queue.add(taskNamed('same-1'));
      await fixture.queue.add({ ...taskNamed('same-1'), account: 'other' });
      expect(await fixture.queue.depth()).toEqual({ interactive: 1, asynchronous: 0, batch: 0 });
      fixture.queue.work(fixture.held.handler, { concurrency: 2 });
      await fixture.untilActive('same-1');
      expect(fixture.held.taskOf('same-1')?.account).toBe('acme');
      await fixture.queue.add(taskNamed('same-1'));
      fixture.held.finish('same-1');
      await fixture.becomes('same-1', 'completed');
      await fixture.queue.add(taskNamed('same-1'));
      expect(await fixture.statusOf('same-1')).toBe('completed');
      await fixture.queue.add(taskNamed('after-1'));
      await fixture.untilActive('after-1');
      expect(fixture.held.taken).toEqual(['same-1', 'after-1']);
      fixture.held.finish('after-1');
    });

    it('rejects data that is too large to carry', async () => {
      const data = 'x'.repeat(fixture.queue.carriedDataBytes + 1);
      await expect(fixture.queue.add({ ...taskNamed('large-1'), data })).rejects.toThrow(TypeError);
      expect(await fixture.statusOf('large-1')).toBe('unknown');
    });

    it('adds a task once if it is added many times concurrently', async () => {
      await Promise.all(Array.from({ length: 20 }, () => fixture.queue.add(taskNamed('many-1'))));
      expect(await fixture.queue.depth()).toEqual({ interactive: 1, asynchronous: 0, batch: 0 });
    });

    it.each(['', 'uid:1'])('rejects the ID "%s"', async (id) => {
      await expect(fixture.queue.add(taskNamed(id))).rejects.toThrow(TypeError);
    });
  });

  describe('remove', () => {
    it('removes a waiting task', async () => {
      for (const id of ['a-1', 'b-1', 'c-1']) await fixture.queue.add(taskNamed(id));
      await fixture.queue.remove('b-1');
      expect(await fixture.statusOf('b-1')).toBe('unknown');
      expect(await fixture.queue.depth()).toEqual({ interactive: 2, asynchronous: 0, batch: 0 });
      fixture.queue.work(fixture.held.handler, { concurrency: 3 });
      await fixture.untilActive('a-1', 'c-1');
      fixture.held.finish('a-1');
      fixture.held.finish('c-1');
    });

    it('removes a batch task from the batch queue', async () => {
      await fixture.queue.add(taskNamed('quick-1'));
      await fixture.queue.add(taskNamed('bulk-1', 'batch'));
      expect(await fixture.queue.depth()).toEqual({ interactive: 1, asynchronous: 0, batch: 1 });
      await fixture.queue.remove('bulk-1');
      expect(await fixture.queue.depth()).toEqual({ interactive: 1, asynchronous: 0, batch: 0 });
    });

    it('does not forget a finished task, and ignores an unknown one', async () => {
      fixture.queue.work(fixture.held.handler, { concurrency: 1 });
      await fixture.queue.add(taskNamed('done-1'));
      await fixture.untilActive('done-1');
      fixture.held.finish('done-1');
      await fixture.becomes('done-1', 'completed');
      for (const id of ['done-1', 'never-added']) await fixture.queue.remove(id);
      expect(await fixture.statusOf('done-1')).toBe('completed');
    });

    it.each([false, true])('cancels an active task and frees its slot (exclusive: %s)', async (exclusive) => {
      const listener = vi.fn<(id: string, outcome: RenderOutcome) => void>();
      fixture.queue.onFinished(listener);
      fixture.queue.work(fixture.held.handler, { concurrency: 2 });
      await fixture.queue.add({ ...taskNamed('busy-1'), exclusive });
      await fixture.untilActive('busy-1');
      await fixture.queue.remove('busy-1');
      await fixture.becomes('busy-1', 'failed');
      expect(fixture.held.signals.get('busy-1')?.aborted).toBe(true);
      const failed = { status: 'failed', failure: { code: 'cancelled', retryable: false } };
      expect(await fixture.queue.state('busy-1')).toMatchObject(failed);
      await eventually(() => expect(listener.mock.lastCall).toMatchObject(['busy-1', failed]));
      const next = ['next-1', 'next-2'];
      for (const id of next) await fixture.queue.add(taskNamed(id));
      await fixture.untilActive(...next);
      for (const id of next) fixture.held.finish(id);
    });

    it('keeps the result of an active task that completes despite its removal', async () => {
      const begun = vi.fn<() => void>();
      fixture.queue.work(
        async (_task, signal) => {
          begun();
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          return COMPLETED;
        },
        { concurrency: 1 },
      );
      await fixture.queue.add(taskNamed('stored-1'));
      await eventually(() => expect(begun).toHaveBeenCalled());
      await fixture.queue.remove('stored-1');
      await fixture.becomes('stored-1', 'completed');
    });

    it('allows a removed task to be added again', async () => {
      await fixture.queue.add(taskNamed('again-1'));
      await fixture.queue.remove('again-1');
      await fixture.queue.add(taskNamed('again-1'));
      fixture.queue.work(fixture.held.handler, { concurrency: 2 });
      await fixture.untilActive('again-1');
      fixture.held.finish('again-1');
      await fixture.becomes('again-1', 'completed');
      expect(fixture.held.taken).toEqual(['again-1']);
    });
  });
}

/** Notification of finished tasks. */
export function describeFinished(fixture: QueueFixture): void {
  describe('onFinished', () => {
    it('reports every outcome to every listener until it unsubscribes', async () => {
      const first = vi.fn<(id: string, outcome: RenderOutcome) => void>();
      const second = vi.fn<(id: string, outcome: RenderOutcome) => void>();
      const stop = fixture.queue.onFinished(first);
      fixture.queue.onFinished(second);
      fixture.queue.work(fixture.held.handler, { concurrency: 1 });
      await fixture.queue.add(taskNamed('finished-1'));
      await fixture.untilActive('finished-1');
      fixture.held.finish('finished-1');
      await eventually(() => expect(first).toHaveBeenCalledWith('finished-1', COMPLETED));
      await eventually(() => expect(second).toHaveBeenCalledWith('finished-1', COMPLETED));
      stop();
      await fixture.queue.add(taskNamed('finished-2'));
      await fixture.untilActive('finished-2');
      fixture.held.finish('finished-2');
      await eventually(() => expect(second).toHaveBeenCalledWith('finished-2', COMPLETED));
      expect(first).not.toHaveBeenCalledWith('finished-2', COMPLETED);
    });

    it('also reports batch tasks', async () => {
      const listener = vi.fn<(id: string, outcome: RenderOutcome) => void>();
      fixture.queue.onFinished(listener);
      fixture.queue.work(async () => COMPLETED, { concurrency: 2 });
      await fixture.queue.add(taskNamed('bulk-1', 'batch'));
      await fixture.queue.add(taskNamed('quick-1'));
      await eventually(() => {
        expect(listener).toHaveBeenCalledWith('bulk-1', COMPLETED);
        expect(listener).toHaveBeenCalledWith('quick-1', COMPLETED);
      });
    });

    it('reports an outcome only once the state is readable', async () => {
      const states: string[] = [];
      fixture.queue.onFinished((id) => {
        void fixture.queue.state(id).then(({ status }) => states.push(status));
      });
      fixture.queue.work(async () => COMPLETED, { concurrency: 1 });
      await fixture.queue.add(taskNamed('asked-1'));
      await eventually(() => expect(states).toEqual(['completed']));
    });

    it('continues when a listener throws', async () => {
      const good = vi.fn<(id: string) => void>();
      fixture.queue.onFinished(() => {
        throw new Error('broken listener');
      });
      fixture.queue.onFinished(good);
      fixture.queue.work(async () => COMPLETED, { concurrency: 1 });
      await fixture.queue.add(taskNamed('one-1'));
      await fixture.queue.add(taskNamed('two-1'));
      await eventually(() => expect(good.mock.calls.map(([id]) => id)).toEqual(['one-1', 'two-1']));
    });
  });
}

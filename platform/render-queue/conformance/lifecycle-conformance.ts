import { expect, it, describe, vi } from 'vitest';
import type { QueueFixture } from './queue-fixture.ts';
import { COMPLETED, taskNamed } from './sample-tasks.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import type { RenderOutcome } from '../port.ts';

export function describeLifecycle(fixture: QueueFixture): void {
  it('moves a task from waiting to active to finished', async () => {
    expect(await fixture.statusOf('one-1')).toBe('unknown');
    await fixture.add('one-1');
    expect(await fixture.statusOf('one-1')).toBe('waiting');
    fixture.work(1);
    await fixture.untilActive('one-1');
    expect(await fixture.statusOf('one-1')).toBe('active');
    await fixture.complete('one-1');
    expect(await fixture.queue.state('one-1')).toEqual(COMPLETED);
  });

  it("returns the same state when called with the task's queue", async () => {
    const names = { interactive: 'single-1', batch: 'item-1' } as const;
    const states = async () => [
      (await fixture.queue.state(names.interactive, 'interactive')).status,
      (await fixture.queue.state(names.batch, 'batch')).status,
    ];
    expect(await states()).toEqual(['unknown', 'unknown']);
    await fixture.add(taskNamed(names.interactive), { ...taskNamed(names.batch), queue: 'batch' });
    expect(await states()).toEqual(['waiting', 'waiting']);
    // Another version of the controller may have chosen another queue.
    expect(await fixture.queue.state(names.interactive, 'asynchronous')).toEqual({ status: 'waiting' });
    fixture.work(2);
    await fixture.untilActive(...Object.values(names));
    expect(await states()).toEqual(['active', 'active']);
    for (const name of Object.values(names)) fixture.held.finish(name);
    for (const name of Object.values(names)) await fixture.becomes(name, 'completed');
    expect(await states()).toEqual(['completed', 'completed']);
  });

  it('delivers a task unchanged', async () => {
    const task = taskNamed('whole-1');
    fixture.work(1);
    await fixture.add(task);
    await fixture.untilActive('whole-1');
    expect(fixture.held.taskOf('whole-1')).toEqual(task);
  });

  it.each([true, false])('stores a failure (retryable: %s) and does not retry it', async (retryable) => {
    const outcome = {
      status: 'failed',
      failure: { code: 'template_invalid', message: 'line 1', retryable },
    } as const;
    fixture.work(1);
    await fixture.start('bad-1');
    fixture.held.finish('bad-1', outcome);
    await fixture.becomes('bad-1', 'failed');
    expect(await fixture.queue.state('bad-1')).toEqual(outcome);
    await fixture.start('next-1');
    expect(fixture.held.taken).toEqual(['bad-1', 'next-1']);
  });

  it('turns an error thrown by a handler into a retryable failure', async () => {
    fixture.queue.work(
      async () => {
        throw new Error('with the data of a customer');
      },
      { concurrency: 1 },
    );
    await fixture.add('broken-1');
    await fixture.becomes('broken-1', 'failed');
    const state = await fixture.queue.state('broken-1');
    expect(state).toMatchObject({ failure: { code: 'renderer_error', retryable: true } });
    expect(JSON.stringify(state)).not.toContain('customer');
  });

  it('remembers finished tasks', async () => {
    fixture.queue.work(async () => COMPLETED, { concurrency: 4 });
    const ids = Array.from({ length: 300 }, (_, index) => `kept-${index}`);
    await fixture.add(...ids);
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
    await expect(fixture.add('late-1')).rejects.toThrow();
  });
}

/** Adding and removing tasks. */
export function describeAdding(fixture: QueueFixture): void {
  describe('add', () => {
    it('ignores a task that is waiting, active or finished', async () => {
      await fixture.add('same-1', { ...taskNamed('same-1'), account: 'other' });
      expect(await fixture.queue.depth()).toEqual({ interactive: 1, asynchronous: 0, batch: 0 });
      fixture.work(2);
      await fixture.untilActive('same-1');
      expect(fixture.held.taskOf('same-1')?.account).toBe('acme');
      await fixture.add('same-1');
      await fixture.complete('same-1');
      await fixture.add('same-1');
      expect(await fixture.statusOf('same-1')).toBe('completed');
      await fixture.start('after-1');
      expect(fixture.held.taken).toEqual(['same-1', 'after-1']);
    });

    it('rejects data that is too large to carry', async () => {
      const data = 'x'.repeat(fixture.queue.carriedDataBytes + 1);
      await expect(fixture.add({ ...taskNamed('large-1'), data })).rejects.toThrow(TypeError);
      expect(await fixture.statusOf('large-1')).toBe('unknown');
    });

    it('adds a task once if it is added many times concurrently', async () => {
      await Promise.all(Array.from({ length: 20 }, () => fixture.add('many-1')));
      expect(await fixture.queue.depth()).toEqual({ interactive: 1, asynchronous: 0, batch: 0 });
    });

    it.each(['', 'uid:1'])('rejects the ID "%s"', async (id) => {
      await expect(fixture.add(id)).rejects.toThrow(TypeError);
    });
  });

  describe('remove', () => {
    it('removes a waiting task', async () => {
      await fixture.add('a-1', 'b-1', 'c-1');
      await fixture.queue.remove('b-1');
      expect(await fixture.statusOf('b-1')).toBe('unknown');
      expect(await fixture.queue.depth()).toEqual({ interactive: 2, asynchronous: 0, batch: 0 });
      fixture.work(3);
      await fixture.untilActive('a-1', 'c-1');
    });

    it('removes a batch task from the batch queue', async () => {
      await fixture.add('quick-1', taskNamed('bulk-1', 'batch'));
      expect(await fixture.queue.depth()).toEqual({ interactive: 1, asynchronous: 0, batch: 1 });
      await fixture.queue.remove('bulk-1');
      expect(await fixture.queue.depth()).toEqual({ interactive: 1, asynchronous: 0, batch: 0 });
    });

    it('does not forget a finished task, and ignores an unknown one', async () => {
      fixture.work(1);
      await fixture.start('done-1');
      await fixture.complete('done-1');
      for (const id of ['done-1', 'never-added']) await fixture.queue.remove(id);
      expect(await fixture.statusOf('done-1')).toBe('completed');
    });

    it.each([false, true])('cancels an active task and frees its slot (exclusive: %s)', async (exclusive) => {
      const listener = vi.fn<(id: string, outcome: RenderOutcome) => void>();
      fixture.queue.onFinished(listener);
      fixture.work(2);
      await fixture.start({ ...taskNamed('busy-1'), exclusive });
      await fixture.queue.remove('busy-1');
      await fixture.becomes('busy-1', 'failed');
      expect(fixture.held.signals.get('busy-1')?.aborted).toBe(true);
      const failed = { status: 'failed', failure: { code: 'cancelled', retryable: false } };
      expect(await fixture.queue.state('busy-1')).toMatchObject(failed);
      await eventually(() => expect(listener.mock.lastCall).toMatchObject(['busy-1', failed]));
      const next = ['next-1', 'next-2'];
      await fixture.add(...next);
      await fixture.untilActive(...next);
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
      await fixture.add('stored-1');
      await eventually(() => expect(begun).toHaveBeenCalled());
      await fixture.queue.remove('stored-1');
      await fixture.becomes('stored-1', 'completed');
    });

    it('allows a removed task to be added again', async () => {
      await fixture.add('again-1');
      await fixture.queue.remove('again-1');
      await fixture.add('again-1');
      fixture.work(2);
      await fixture.untilActive('again-1');
      await fixture.complete('again-1');
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
      fixture.work(1);
      await fixture.start('finished-1');
      fixture.held.finish('finished-1');
      await eventually(() => expect(first).toHaveBeenCalledWith('finished-1', COMPLETED));
      await eventually(() => expect(second).toHaveBeenCalledWith('finished-1', COMPLETED));
      stop();
      await fixture.start('finished-2');
      fixture.held.finish('finished-2');
      await eventually(() => expect(second).toHaveBeenCalledWith('finished-2', COMPLETED));
      expect(first).not.toHaveBeenCalledWith('finished-2', COMPLETED);
    });

    it('also reports batch tasks', async () => {
      const listener = vi.fn<(id: string, outcome: RenderOutcome) => void>();
      fixture.queue.onFinished(listener);
      fixture.queue.work(async () => COMPLETED, { concurrency: 2 });
      await fixture.add(taskNamed('bulk-1', 'batch'), 'quick-1');
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
      await fixture.add('asked-1');
      await eventually(() => expect(states).toEqual(['completed']));
    });

    it('continues when a listener throws', async () => {
      const good = vi.fn<(id: string) => void>();
      fixture.queue.onFinished(() => {
        throw new Error('broken listener');
      });
      fixture.queue.onFinished(good);
      fixture.queue.work(async () => COMPLETED, { concurrency: 1 });
      await fixture.add('one-1', 'two-1');
      await eventually(() => expect(good.mock.calls.map(([id]) => id)).toEqual(['one-1', 'two-1']));
    });
  });
}

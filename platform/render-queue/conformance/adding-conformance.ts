import { describe, expect, it, vi } from 'vitest';
import { eventually } from '@trifold/test-support/eventually.ts';
import type { RenderOutcome } from '../port.ts';
import type { QueueFixture } from './queue-fixture.ts';
import { COMPLETED, taskNamed } from './sample-tasks.ts';

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

    it('adds a task once when it is added many times at once', async () => {
      await Promise.all(Array.from({ length: 20 }, () => fixture.queue.add(taskNamed('many-1'))));
      expect(await fixture.queue.depth()).toEqual({ interactive: 1, asynchronous: 0, batch: 0 });
    });

    it.each(['', 'uid:1'])('rejects the id "%s"', async (id) => {
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

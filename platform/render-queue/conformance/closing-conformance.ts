import { describe, expect, it, vi } from 'vitest';
import { HeldTasks } from './held-tasks.ts';
import { WAIT } from '../../testing/wait.ts';
import type { QueueWorld } from './queue-world.ts';
import { COMPLETED, taskNamed } from './sample-tasks.ts';

/** What becomes of tasks when a worker closes. */
export function describeClosing(world: QueueWorld): void {
  describe('closing a worker', () => {
    it('takes nothing new and waits for what is in hand', async () => {
      const worker = world.queue.work(world.held.handler, { concurrency: 1 });
      await world.queue.add(taskNamed('last-1'));
      await world.inHand('last-1');
      await world.queue.add(taskNamed('waits-1'));
      const closed = vi.fn<() => void>();
      const closing = worker.close(60_000).then(closed);
      await world.queue.add(taskNamed('waits-2'));
      expect(closed).not.toHaveBeenCalled();
      expect(world.held.signals.get('last-1')?.aborted).toBe(false);
      world.held.finish('last-1');
      await closing;
      expect(await world.statusOf('last-1')).toBe('completed');
      expect(world.held.taken).toEqual(['last-1']);
      expect(await world.queue.depth()).toEqual({ interactive: 2, batch: 0 });
    });

    it('aborts what is not finished in time and puts it back, before what came later', async () => {
      const worker = world.queue.work(world.held.handler, { concurrency: 1 });
      await world.queue.add(taskNamed('slow-1'));
      await world.inHand('slow-1');
      await world.queue.add(taskNamed('later-1'));
      const told = vi.fn<() => void>();
      world.queue.onFinished(told);
      await worker.close(1);
      expect(world.held.signals.get('slow-1')?.aborted).toBe(true);
      expect(await world.statusOf('slow-1')).toBe('waiting');
      expect(told).not.toHaveBeenCalled();
      const others = new HeldTasks();
      world.queue.work(others.handler, { concurrency: 1 });
      await vi.waitFor(() => expect(others.taken).toEqual(['slow-1']), WAIT);
      others.finish('slow-1');
      await vi.waitFor(() => expect(others.taken).toEqual(['slow-1', 'later-1']), WAIT);
      others.finish('later-1');
    });

    it('puts back all that it had, and another worker does it all', async () => {
      const worker = world.queue.work(world.held.handler, { concurrency: 4 });
      const ids = ['slow-1', 'slow-2', 'slow-3', 'bulk-1'];
      for (const id of ids) await world.queue.add(taskNamed(id, id === 'bulk-1' ? 'batch' : 'interactive'));
      await world.inHand(...ids);
      await worker.close(0);
      for (const id of ids) expect(await world.statusOf(id)).toBe('waiting');
      const done: string[] = [];
      world.queue.work(
        async (task) => {
          done.push(task.id);
          return COMPLETED;
        },
        { concurrency: 2 },
      );
      await vi.waitFor(() => expect(done.toSorted()).toEqual(ids.toSorted()), WAIT);
    });

    it('gives what was put back to a worker that is there already', async () => {
      const worker = world.queue.work(world.held.handler, { concurrency: 1 });
      await world.queue.add(taskNamed('moved-1'));
      await world.inHand('moved-1');
      const others = new HeldTasks();
      world.queue.work(others.handler, { concurrency: 1 });
      for (const id of ['warm-1', 'warm-2', 'warm-3']) {
        await world.queue.add(taskNamed(id));
        await vi.waitFor(() => expect(others.inHand).toEqual([id]), WAIT);
        others.finish(id);
        await world.becomes(id, 'completed');
      }
      await worker.close(0);
      await vi.waitFor(() => expect(others.inHand).toEqual(['moved-1']), WAIT);
      others.finish('moved-1');
      await world.becomes('moved-1', 'completed');
    });

    it('keeps the result of a task that completes although it was aborted', async () => {
      const begun = vi.fn<() => void>();
      const aborted = vi.fn<() => void>();
      const worker = world.queue.work(
        async (_task, signal) => {
          begun();
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          aborted();
          return COMPLETED;
        },
        { concurrency: 1 },
      );
      await world.queue.add(taskNamed('stored-1'));
      await vi.waitFor(() => expect(begun).toHaveBeenCalled(), WAIT);
      await worker.close(0);
      expect(aborted).toHaveBeenCalled();
      await world.becomes('stored-1', 'completed');
    });

    it('can be done twice, and at once when nothing is in hand', async () => {
      const worker = world.queue.work(world.held.handler, { concurrency: 1 });
      await Promise.all([worker.close(60_000), worker.close(60_000)]);
      await worker.close(60_000);
    });
  });
}

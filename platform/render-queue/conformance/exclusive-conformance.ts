import { describe, expect, it, vi } from 'vitest';
import { HeldTasks } from './held-tasks.ts';
import { WAIT } from '../../testing/wait.ts';
import type { QueueName, RenderTask } from '../port.ts';
import type { QueueWorld } from './queue-world.ts';
import { taskNamed } from './sample-tasks.ts';

const exclusive = (id: string, queue: QueueName = 'interactive'): RenderTask => ({
  ...taskNamed(id, queue),
  exclusive: true,
});

/** How a worker runs exclusive tasks. */
export function describeExclusive(world: QueueWorld): void {
  describe('an exclusive task', () => {
    it.each(['interactive', 'batch'] as const)(
      'waits for the running tasks, runs alone, and lets the next tasks begin after it (%s)',
      async (queue) => {
        world.queue.work(world.held.handler, { concurrency: 4 });
        for (const id of ['before-1', 'before-2']) await world.queue.add(taskNamed(id));
        await world.inHand('before-1', 'before-2');
        await world.queue.add(exclusive('alone-1', queue));
        await world.becomes('alone-1', 'active');
        for (const id of ['after-1', 'after-2']) await world.queue.add(taskNamed(id));
        world.held.finish('before-1');
        await world.becomes('before-1', 'completed');
        expect(world.held.inHand).toEqual(['before-2']);
        world.held.finish('before-2');
        await world.inHand('alone-1');
        expect(await world.queue.depth()).toEqual({ interactive: 2, batch: 0 });
        world.held.finish('alone-1');
        await world.inHand('after-1', 'after-2');
        expect(await world.statusOf('alone-1')).toBe('completed');
        for (const id of world.held.inHand) world.held.finish(id);
      },
    );

    it('runs one at a time in a worker, in its turn between other tasks', async () => {
      await world.queue.add(exclusive('alone-1'));
      await world.queue.add(exclusive('alone-2'));
      for (const id of ['shared-1', 'shared-2']) await world.queue.add(taskNamed(id));
      await world.queue.add(exclusive('alone-3', 'batch'));
      world.queue.work(world.held.handler, { concurrency: 4 });
      for (const id of ['alone-1', 'alone-2']) {
        await world.inHand(id);
        world.held.finish(id);
        await world.becomes(id, 'completed');
      }
      await world.inHand('shared-1', 'shared-2');
      await world.becomes('alone-3', 'active');
      for (const id of ['shared-1', 'shared-2']) world.held.finish(id);
      await world.inHand('alone-3');
      world.held.finish('alone-3');
      expect(world.held.taken).toEqual(['alone-1', 'alone-2', 'shared-1', 'shared-2', 'alone-3']);
    });

    it('runs also in a worker with one slot', async () => {
      world.queue.work(world.held.handler, { concurrency: 1 });
      for (const queue of ['interactive', 'batch'] as const) {
        await world.queue.add(exclusive(`${queue}-1`, queue));
        await world.inHand(`${queue}-1`);
        world.held.finish(`${queue}-1`);
      }
    });

    it('holds up no other worker', async () => {
      const others = new HeldTasks();
      world.queue.work(world.held.handler, { concurrency: 2 });
      await world.queue.add(exclusive('alone-1'));
      await world.inHand('alone-1');
      world.queue.work(others.handler, { concurrency: 2 });
      for (const id of ['free-1', 'free-2']) await world.queue.add(taskNamed(id));
      await vi.waitFor(() => expect(others.inHand.toSorted()).toEqual(['free-1', 'free-2']), WAIT);
      for (const id of others.inHand) others.finish(id);
      world.held.finish('alone-1');
    });

    it('that waits in a worker which closes runs in another worker', async () => {
      const worker = world.queue.work(world.held.handler, { concurrency: 2 });
      await world.queue.add(taskNamed('busy-1'));
      await world.inHand('busy-1');
      await world.queue.add(exclusive('alone-1'));
      await world.becomes('alone-1', 'active');
      const closing = worker.close(60_000);
      world.held.finish('busy-1');
      await closing;
      expect(await world.statusOf('alone-1')).toBe('waiting');
      expect(world.held.taken).toEqual(['busy-1']);
      const others = new HeldTasks();
      world.queue.work(others.handler, { concurrency: 2 });
      await vi.waitFor(() => expect(others.inHand).toEqual(['alone-1']), WAIT);
      others.finish('alone-1');
      await world.becomes('alone-1', 'completed');
    });

    it('that is aborted waits again', async () => {
      const worker = world.queue.work(world.held.handler, { concurrency: 2 });
      await world.queue.add(exclusive('alone-1'));
      await world.inHand('alone-1');
      await worker.close(0);
      expect(world.held.signals.get('alone-1')?.aborted).toBe(true);
      expect(await world.statusOf('alone-1')).toBe('waiting');
    });
  });
}

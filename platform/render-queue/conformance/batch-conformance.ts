import { describe, expect, it, vi } from 'vitest';
import { HeldTasks } from './held-tasks.ts';
import { WAIT } from '../../testing/wait.ts';
import type { QueueWorld } from './queue-world.ts';
import { COMPLETED, taskNamed } from './sample-tasks.ts';

/** What sets batch work apart. */
export function describeBatch(world: QueueWorld): void {
  describe('batch work', () => {
    it('never takes the last slot', async () => {
      world.queue.work(world.held.handler, { concurrency: 3 });
      for (let index = 0; index < 4; index += 1) await world.queue.add(taskNamed(`batch-${index}`, 'batch'));
      await world.inHand('batch-0', 'batch-1');
      expect(await world.queue.depth()).toEqual({ interactive: 0, batch: 2 });
      await world.queue.add(taskNamed('quick-1'));
      await world.inHand('batch-0', 'batch-1', 'quick-1');
      world.held.finish('quick-1');
      await world.becomes('quick-1', 'completed');
      expect(world.held.inHand.toSorted()).toEqual(['batch-0', 'batch-1']);
      world.held.finish('batch-0');
      await world.inHand('batch-1', 'batch-2');
      world.held.finish('batch-1');
      world.held.finish('batch-2');
      await world.inHand('batch-3');
      world.held.finish('batch-3');
    });

    it('keeps to a lower limit of its own', async () => {
      world.queue.work(world.held.handler, { concurrency: 4, batchConcurrency: 1 });
      for (let index = 0; index < 3; index += 1) await world.queue.add(taskNamed(`batch-${index}`, 'batch'));
      await world.queue.add(taskNamed('quick-1'));
      await world.inHand('batch-0', 'quick-1');
      world.held.finish('quick-1');
      for (let index = 0; index < 3; index += 1) {
        await world.inHand(`batch-${index}`);
        world.held.finish(`batch-${index}`);
      }
    });

    it('is done also where there is one slot only', async () => {
      world.queue.work(world.held.handler, { concurrency: 1 });
      await world.queue.add(taskNamed('batch-1', 'batch'));
      await world.inHand('batch-1');
      world.held.finish('batch-1');
    });

    it('goes to another worker when this one has no slot for it', async () => {
      const others = new HeldTasks();
      world.queue.work(world.held.handler, { concurrency: 2 });
      await world.queue.add(taskNamed('batch-0', 'batch'));
      await world.inHand('batch-0');
      world.queue.work(others.handler, { concurrency: 2 });
      await world.queue.add(taskNamed('batch-1', 'batch'));
      await vi.waitFor(() => expect(others.inHand).toEqual(['batch-1']), WAIT);
      others.finish('batch-1');
      world.held.finish('batch-0');
    });

    it('goes to another worker when the one that waited for it longest has no slot left', async () => {
      const others = new HeldTasks();
      const does = async (worker: HeldTasks, id: string) => {
        await world.queue.add(taskNamed(id));
        await vi.waitFor(() => expect(worker.inHand).toEqual([id]), WAIT);
      };
      world.queue.work(world.held.handler, { concurrency: 1 });
      for (const id of ['warm-1', 'warm-2', 'warm-3']) {
        await does(world.held, id);
        world.held.finish(id);
        await world.becomes(id, 'completed');
      }
      await does(world.held, 'busy-1');
      world.queue.work(others.handler, { concurrency: 1 });
      for (const id of ['warm-4', 'warm-5', 'warm-6']) {
        await does(others, id);
        others.finish(id);
        await world.becomes(id, 'completed');
      }
      await world.queue.add(taskNamed('batch-1', 'batch'));
      await vi.waitFor(() => expect(others.inHand).toEqual(['batch-1']), WAIT);
      others.finish('batch-1');
      world.held.finish('busy-1');
    });

    it('waits behind interactive work, but not for ever', async () => {
      await world.queue.add(taskNamed('batch-1', 'batch'));
      for (let index = 0; index < 50; index += 1) await world.queue.add(taskNamed(`quick-${index}`));
      const order: string[] = [];
      world.queue.work(
        async (task) => {
          order.push(task.id);
          return COMPLETED;
        },
        { concurrency: 1 },
      );
      await vi.waitFor(() => expect(order).toHaveLength(51), WAIT);
      expect(order[0]).toBe('quick-0');
      expect(order.indexOf('batch-1')).toBeLessThan(50);
    });
  });
}

import { describe, expect, it } from 'vitest';
import { HeldTasks } from './held-tasks.ts';
import type { QueueFixture } from './queue-fixture.ts';
import { COMPLETED, taskNamed } from './sample-tasks.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

/** Rules that apply only to batch work. */
export function describeBatch(fixture: QueueFixture): void {
  describe('Batch tasks', () => {
    it('never use the last slot', async () => {
      fixture.queue.work(fixture.held.handler, { concurrency: 3 });
      for (let index = 0; index < 4; index += 1)
        await fixture.queue.add(taskNamed(`batch-${index}`, 'batch'));
      await fixture.untilActive('batch-0', 'batch-1');
      expect(await fixture.queue.depth()).toEqual({ interactive: 0, asynchronous: 0, batch: 2 });
      await fixture.queue.add(taskNamed('quick-1'));
      await fixture.untilActive('batch-0', 'batch-1', 'quick-1');
      fixture.held.finish('quick-1');
      await fixture.becomes('quick-1', 'completed');
      expect(fixture.held.active.toSorted()).toEqual(['batch-0', 'batch-1']);
      fixture.held.finish('batch-0');
      await fixture.untilActive('batch-1', 'batch-2');
      fixture.held.finish('batch-1');
      fixture.held.finish('batch-2');
      await fixture.untilActive('batch-3');
      fixture.held.finish('batch-3');
    });

    it('respect their own lower limit', async () => {
      fixture.queue.work(fixture.held.handler, { concurrency: 4, batchConcurrency: 1 });
      for (let index = 0; index < 3; index += 1)
        await fixture.queue.add(taskNamed(`batch-${index}`, 'batch'));
      await fixture.queue.add(taskNamed('quick-1'));
      await fixture.untilActive('batch-0', 'quick-1');
      fixture.held.finish('quick-1');
      for (let index = 0; index < 3; index += 1) {
        await fixture.untilActive(`batch-${index}`);
        fixture.held.finish(`batch-${index}`);
      }
    });

    it('run even if there is only one slot', async () => {
      fixture.queue.work(fixture.held.handler, { concurrency: 1 });
      await fixture.queue.add(taskNamed('batch-1', 'batch'));
      await fixture.untilActive('batch-1');
      fixture.held.finish('batch-1');
    });

    it('go to another worker when this one has no slot for them', async () => {
      const others = new HeldTasks();
      fixture.queue.work(fixture.held.handler, { concurrency: 2 });
      await fixture.queue.add(taskNamed('batch-0', 'batch'));
      await fixture.untilActive('batch-0');
      fixture.queue.work(others.handler, { concurrency: 2 });
      await fixture.queue.add(taskNamed('batch-1', 'batch'));
      await eventually(() => expect(others.active).toEqual(['batch-1']));
      others.finish('batch-1');
      fixture.held.finish('batch-0');
    });

    it('go to another worker when the longest waiting one has no slot left', async () => {
      const others = new HeldTasks();
      const does = async (worker: HeldTasks, id: string) => {
        await fixture.queue.add(taskNamed(id));
        await eventually(() => expect(worker.active).toEqual([id]));
      };
      fixture.queue.work(fixture.held.handler, { concurrency: 1 });
      for (const id of ['warm-1', 'warm-2', 'warm-3']) {
        await does(fixture.held, id);
        fixture.held.finish(id);
        await fixture.becomes(id, 'completed');
      }
      await does(fixture.held, 'busy-1');
      fixture.queue.work(others.handler, { concurrency: 1 });
      for (const id of ['warm-4', 'warm-5', 'warm-6']) {
        await does(others, id);
        others.finish(id);
        await fixture.becomes(id, 'completed');
      }
      await fixture.queue.add(taskNamed('batch-1', 'batch'));
      await eventually(() => expect(others.active).toEqual(['batch-1']));
      others.finish('batch-1');
      fixture.held.finish('busy-1');
    });

    it('wait behind interactive tasks, but not forever', async () => {
      await fixture.queue.add(taskNamed('batch-1', 'batch'));
      for (let index = 0; index < 50; index += 1) await fixture.queue.add(taskNamed(`quick-${index}`));
      const order: string[] = [];
      fixture.queue.work(
        async (task) => {
          order.push(task.id);
          return COMPLETED;
        },
        { concurrency: 1 },
      );
      await eventually(() => expect(order).toHaveLength(51));
      expect(order[0]).toBe('quick-0');
      expect(order.indexOf('batch-1')).toBeLessThan(50);
    });
  });
}

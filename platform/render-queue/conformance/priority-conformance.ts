import { eventually } from '@trifold/test-support/eventually.ts';
import { describe, expect, it } from 'vitest';
import { QUEUE_NAMES } from '../port.ts';
import type { QueueFixture } from './queue-fixture.ts';
import { COMPLETED, taskNamed } from './sample-tasks.ts';
import type { Priority } from '../../scheduling/priority.ts';

/** The order between the queues. */
export function describePriority(fixture: QueueFixture): void {
  describe('Order between the queues', () => {
    it('is interactive, asynchronous, batch, with one turn in eight for each of the last two', async () => {
      const waiting = { batch: 20, asynchronous: 20, interactive: 80 };
      for (const [queue, count] of Object.entries(waiting)) {
        for (let index = 0; index < count; index += 1)
          await fixture.queue.add(taskNamed(`${queue}-${index}`, queue as Priority));
      }
      const taken: Priority[] = [];
      fixture.queue.work(
        async (task) => {
          taken.push(task.queue);
          return COMPLETED;
        },
        { concurrency: 1 },
      );
      await eventually(() => expect(taken).toHaveLength(120));
      const turns = (from: number, to: number) =>
        QUEUE_NAMES.map((name) => taken.slice(from, to).filter((queue) => queue === name).length);
      expect(taken[0]).toBe('interactive');
      expect(turns(0, 80)).toEqual([60, 10, 10]);
      expect(taken.lastIndexOf('interactive')).toBeLessThan(taken.lastIndexOf('asynchronous'));
      expect(taken.at(-1)).toBe('batch');
    });

    it('lets an interactive task pass the waiting tasks of its own account', async () => {
      fixture.queue.work(fixture.held.handler, { concurrency: 1 });
      for (let index = 0; index < 10; index += 1)
        await fixture.queue.add(taskNamed(`later-${index}`, 'asynchronous'));
      await fixture.untilActive('later-0');
      await fixture.queue.add(taskNamed('quick-1'));
      while (!fixture.held.taken.includes('quick-1')) {
        const [id = ''] = fixture.held.active;
        fixture.held.finish(id);
        await eventually(() => expect(fixture.held.active).not.toContain(id));
        await eventually(() => expect(fixture.held.active).toHaveLength(1));
      }
      // A worker may take the next task while it still moves this one between its queues.
      expect(fixture.held.taken.length).toBeLessThan(5);
      fixture.held.finish('quick-1');
    });

    it('leaves the last slot to interactive tasks', async () => {
      fixture.queue.work(fixture.held.handler, { concurrency: 3 });
      await fixture.queue.add(taskNamed('item-1', 'batch'));
      await fixture.untilActive('item-1');
      for (const id of ['later-1', 'later-2']) await fixture.queue.add(taskNamed(id, 'asynchronous'));
      await fixture.untilActive('item-1', 'later-1');
      await fixture.queue.add(taskNamed('quick-1'));
      await fixture.untilActive('item-1', 'later-1', 'quick-1');
      expect(await fixture.queue.depth()).toEqual({ interactive: 0, asynchronous: 1, batch: 0 });
      for (const id of ['item-1', 'later-1', 'quick-1']) fixture.held.finish(id);
      await fixture.untilActive('later-2');
      fixture.held.finish('later-2');
    });

    it('leaves fewer slots to the others while there are interactive tasks, and all of them afterwards', async () => {
      fixture.queue.work(fixture.held.handler, { concurrency: 5, batchConcurrency: 1 });
      await fixture.queue.add(taskNamed('quick-1'));
      await fixture.untilActive('quick-1');
      for (const id of ['later-1', 'later-2']) await fixture.queue.add(taskNamed(id, 'asynchronous'));
      await fixture.untilActive('later-1', 'quick-1');
      await fixture.queue.add(taskNamed('quick-2'));
      await fixture.untilActive('later-1', 'quick-1', 'quick-2');
      expect(await fixture.queue.depth()).toEqual({ interactive: 0, asynchronous: 1, batch: 0 });
      for (const id of ['quick-1', 'quick-2']) fixture.held.finish(id);
      await fixture.untilActive('later-1', 'later-2');
      for (const id of ['later-1', 'later-2']) fixture.held.finish(id);
    });
  });
}

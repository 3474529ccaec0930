import { describe, expect, it } from 'vitest';
import { QUEUE_NAMES, type TaskHandler } from '../port.ts';
import { HeldTasks } from './held-tasks.ts';
import type { QueueFixture } from './queue-fixture.ts';
import { COMPLETED, taskNamed, taskOf } from './sample-tasks.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import type { Priority } from '../../scheduling/priority.ts';

/** Distribution and order of tasks. */
export function describeSharing(fixture: QueueFixture): void {
  it('runs tasks in order of arrival', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `order-${index}`);
    for (const id of ids) await fixture.queue.add(taskNamed(id));
    fixture.queue.work(fixture.held.handler, { concurrency: 1 });
    for (const id of ids) {
      await fixture.untilActive(id);
      fixture.held.finish(id);
    }
    await fixture.becomes('order-29', 'completed');
    expect(fixture.held.taken).toEqual(ids);
  });

  it('runs no more concurrent tasks than its concurrency', async () => {
    const ids = Array.from({ length: 5 }, (_, index) => `limit-${index}`);
    fixture.queue.work(fixture.held.handler, { concurrency: 3 });
    for (const id of ids) await fixture.queue.add(taskNamed(id));
    await fixture.untilActive(...ids.slice(0, 3));
    expect(await fixture.queue.depth()).toEqual({ interactive: 2, asynchronous: 0, batch: 0 });
    fixture.held.finish('limit-1');
    await fixture.untilActive('limit-0', 'limit-2', 'limit-3');
    for (const id of ['limit-0', 'limit-2', 'limit-3']) fixture.held.finish(id);
    await fixture.untilActive('limit-4');
    fixture.held.finish('limit-4');
  });

  it('gives each task to one worker only', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `shared-${index}`);
    const taken: string[] = [];
    const handler: TaskHandler = async (task) => {
      taken.push(task.id);
      return COMPLETED;
    };
    fixture.queue.work(handler, { concurrency: 2 });
    fixture.queue.work(handler, { concurrency: 2 });
    await Promise.all(ids.map((id) => fixture.queue.add(taskNamed(id))));
    await eventually(() => expect(taken).toHaveLength(40));
    expect(taken.toSorted()).toEqual(ids.toSorted());
  });

  it('gives a task to any worker with a free slot', async () => {
    const idle = new HeldTasks();
    fixture.queue.work(fixture.held.handler, { concurrency: 1 });
    await fixture.queue.add(taskNamed('busy-1'));
    await fixture.untilActive('busy-1');
    fixture.queue.work(idle.handler, { concurrency: 3 });
    for (const id of ['free-1', 'free-2', 'free-3']) await fixture.queue.add(taskNamed(id));
    await eventually(() => expect(idle.active).toEqual(['free-1', 'free-2', 'free-3']));
    expect(fixture.held.active).toEqual(['busy-1']);
    for (const id of idle.active) idle.finish(id);
    fixture.held.finish('busy-1');
  });

  it('wakes a worker that has been idle for a while', async () => {
    fixture.queue.work(fixture.held.handler, { concurrency: 1 });
    for (let round = 0; round < 5; round += 1) {
      const id = `round-${round}`;
      await fixture.queue.add(taskNamed(id, round % 2 === 0 ? 'interactive' : 'batch'));
      await fixture.untilActive(id);
      fixture.held.finish(id);
      await fixture.becomes(id, 'completed');
    }
  });

  it.each([0, -1, 1.5, Number.NaN])('rejects a concurrency of %s', (concurrency) => {
    expect(() => fixture.queue.work(fixture.held.handler, { concurrency })).toThrow(RangeError);
  });

  describe('Fairness between accounts', () => {
    const order = async (expected: number): Promise<string[]> => {
      const taken: string[] = [];
      const handler: TaskHandler = async (task) => {
        taken.push(task.id);
        return COMPLETED;
      };
      fixture.queue.work(handler, { concurrency: 1 });
      await eventually(() => expect(taken).toHaveLength(expected));
      return taken;
    };

    it.each(QUEUE_NAMES)(
      "does not block an account behind another account's long queue (%s)",
      async (queue) => {
        for (let index = 0; index < 40; index += 1)
          await fixture.queue.add(taskOf('many', `many-${index}`, queue));
        for (let index = 0; index < 2; index += 1)
          await fixture.queue.add(taskOf('few', `few-${index}`, queue));
        await fixture.queue.add(taskOf('one', 'one-0', queue));
        const taken = await order(43);
        expect(taken.indexOf('few-0')).toBeLessThan(3);
        expect(taken.indexOf('one-0')).toBeLessThan(3);
        expect(taken.indexOf('few-1')).toBeLessThan(5);
      },
    );

    it('limits the wait to one turn, even for an account that joins late', async () => {
      fixture.queue.work(fixture.held.handler, { concurrency: 1 });
      for (let index = 0; index < 40; index += 1) await fixture.queue.add(taskOf('many', `many-${index}`));
      for (let index = 0; index < 20; index += 1) {
        await fixture.untilActive(`many-${index}`);
        fixture.held.finish(`many-${index}`);
      }
      await fixture.untilActive('many-20');
      for (const id of ['late-0', 'late-1']) await fixture.queue.add(taskOf('late', id));
      for (let turns = 0; turns < 6; turns += 1) {
        await eventually(() => expect(fixture.held.active).not.toEqual([]));
        const [id = ''] = fixture.held.active;
        fixture.held.finish(id);
        await fixture.becomes(id, 'completed');
      }
      expect(fixture.held.taken).toEqual(expect.arrayContaining(['late-0', 'late-1']));
    });

    it('does not penalize an account for earlier tasks', async () => {
      for (let index = 0; index < 10; index += 1) await fixture.queue.add(taskOf('early', `early-${index}`));
      fixture.queue.work(fixture.held.handler, { concurrency: 1 });
      for (let index = 0; index < 10; index += 1) {
        await fixture.untilActive(`early-${index}`);
        fixture.held.finish(`early-${index}`);
      }
      await fixture.becomes('early-9', 'completed');
      await fixture.queue.add(taskOf('other', 'held-0'));
      await fixture.untilActive('held-0');
      for (let index = 0; index < 5; index += 1) await fixture.queue.add(taskOf('new', `new-${index}`));
      await fixture.queue.add(taskOf('early', 'early-10'));
      fixture.held.finish('held-0');
      await fixture.becomes('held-0', 'completed');
      for (let turns = 0; turns < 2; turns += 1) {
        await eventually(() => expect(fixture.held.active).not.toEqual([]));
        const [id = ''] = fixture.held.active;
        fixture.held.finish(id);
        await fixture.becomes(id, 'completed');
      }
      expect(fixture.held.taken.slice(11, 13).toSorted()).toEqual(['early-10', 'new-0']);
    });

    it.each(QUEUE_NAMES)(
      'runs one more task for an account with nothing running while others hold all slots (%s)',
      async (queue) => {
        // Only interactive tasks take the last slot.
        fixture.queue.work(fixture.held.handler, { concurrency: queue === 'interactive' ? 2 : 3 });
        await fixture.queue.add(taskOf('one', 'one-0', queue));
        for (const id of ['two-0', 'two-1', 'two-2']) await fixture.queue.add(taskOf('two', id, queue));
        await fixture.untilActive('one-0', 'two-0');
        for (const id of ['late-0', 'late-1']) await fixture.queue.add(taskOf('late', id, queue));
        await fixture.untilActive('one-0', 'two-0', 'late-0');
        fixture.held.finish('late-0');
        await fixture.untilActive('one-0', 'two-0', 'late-1');
        await fixture.queue.add(taskOf('later', 'later-0', queue));
        expect((await fixture.queue.depth())[queue]).toBe(3);
        fixture.held.finish('late-1');
        await fixture.untilActive('one-0', 'two-0', 'later-0');
        // The task in the spare slot gets this slot, rather than the next task in turn.
        fixture.held.finish('one-0');
        await fixture.becomes('one-0', 'completed');
        await fixture.queue.add(taskOf('last', 'last-0', queue));
        await fixture.untilActive('two-0', 'later-0', 'last-0');
        for (const id of fixture.held.active) fixture.held.finish(id);
        await fixture.becomes('later-0', 'completed');
      },
    );

    it('keeps the order of tasks within each account', async () => {
      const ids: string[] = [];
      for (let index = 0; index < 30; index += 1) {
        const account = `account-${index % 4}`;
        ids.push(`${account}-${index}`);
        await fixture.queue.add(taskOf(account, `${account}-${index}`));
      }
      const taken = await order(30);
      for (let account = 0; account < 4; account += 1) {
        const own = (id: string) => id.startsWith(`account-${account}-`);
        expect(taken.filter(own)).toEqual(ids.filter(own));
      }
    });

    it('does not use a turn for a task that is already known', async () => {
      await fixture.queue.add(taskOf('twice', 'twice-0'));
      for (let again = 0; again < 10; again += 1) await fixture.queue.add(taskOf('twice', 'twice-0'));
      await fixture.queue.add(taskOf('twice', 'twice-1'));
      for (let index = 0; index < 6; index += 1) await fixture.queue.add(taskOf('once', `once-${index}`));
      const taken = await order(8);
      expect(taken.indexOf('twice-1')).toBeLessThan(4);
    });
  });
}

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

    it('go to another worker when the longest-waiting one has no slot left', async () => {
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

export function describePriority(fixture: QueueFixture): void {
  describe('Order between the queues', () => {
    it('is interactive, asynchronous, batch, with one turn in eight for each of the latter two', async () => {
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

    it('lets an interactive task overtake waiting tasks of its own account', async () => {
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
      // A worker may take the next task while it is still moving this one between its queues.
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

    it('leaves fewer slots to other tasks while there are interactive tasks, and all slots afterwards', async () => {
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

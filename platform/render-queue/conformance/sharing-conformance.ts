import { describe, expect, it } from 'vitest';
import { QUEUE_NAMES, type RenderTask } from '../port.ts';
import type { QueueFixture } from './queue-fixture.ts';
import { idsOf, numbered, taskNamed, taskOf } from './sample-tasks.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import type { Priority } from '../../scheduling/priority.ts';

/** Distribution and order of tasks. */
export function describeSharing(fixture: QueueFixture): void {
  it('runs tasks in order of arrival', async () => {
    const ids = numbered('order', 30);
    await fixture.add(...ids);
    fixture.work(1);
    await fixture.finishInTurn(...ids);
    await fixture.becomes('order-29', 'completed');
    expect(fixture.held.taken).toEqual(ids);
  });

  it('runs no more concurrent tasks than its concurrency', async () => {
    const ids = numbered('limit', 5);
    fixture.work(3);
    await fixture.add(...ids);
    await fixture.untilActive(...ids.slice(0, 3));
    expect(await fixture.queue.depth()).toEqual({ interactive: 2, asynchronous: 0, batch: 0 });
    fixture.held.finish('limit-1');
    await fixture.untilActive('limit-0', 'limit-2', 'limit-3');
    for (const id of ['limit-0', 'limit-2', 'limit-3']) fixture.held.finish(id);
    await fixture.untilActive('limit-4');
  });

  it('gives each task to one worker only', async () => {
    const ids = numbered('shared', 40);
    const taken: RenderTask[] = [];
    for (let workers = 0; workers < 2; workers += 1) fixture.record(2, taken);
    await Promise.all(ids.map((id) => fixture.add(id)));
    await eventually(() => expect(taken).toHaveLength(40));
    expect(idsOf(taken).toSorted()).toEqual(ids.toSorted());
  });

  it('gives a task to any worker with a free slot', async () => {
    fixture.work(1);
    await fixture.start('busy-1');
    const idle = fixture.anotherWorker(3);
    await fixture.add('free-1', 'free-2', 'free-3');
    await eventually(() => expect(idle.active).toEqual(['free-1', 'free-2', 'free-3']));
    expect(fixture.held.active).toEqual(['busy-1']);
  });

  it('wakes a worker that has been idle for a while', async () => {
    fixture.work(1);
    for (let round = 0; round < 5; round += 1) {
      const id = `round-${round}`;
      await fixture.start(taskNamed(id, round % 2 === 0 ? 'interactive' : 'batch'));
      await fixture.complete(id);
    }
  });

  it.each([0, -1, 1.5, Number.NaN])('rejects a concurrency of %s', (concurrency) => {
    expect(() => fixture.work({ concurrency })).toThrow(RangeError);
  });

  describe('Fairness between accounts', () => {
    const order = async (expected: number): Promise<string[]> => {
      const taken = fixture.record(1);
      await eventually(() => expect(taken).toHaveLength(expected));
      return idsOf(taken);
    };

    it.each(QUEUE_NAMES)(
      "does not block an account behind another account's long queue (%s)",
      async (queue) => {
        for (const id of numbered('many', 40)) await fixture.add(taskOf('many', id, queue));
        for (const id of numbered('few', 2)) await fixture.add(taskOf('few', id, queue));
        await fixture.add(taskOf('one', 'one-0', queue));
        const taken = await order(43);
        expect(taken.indexOf('few-0')).toBeLessThan(3);
        expect(taken.indexOf('one-0')).toBeLessThan(3);
        expect(taken.indexOf('few-1')).toBeLessThan(5);
      },
    );

    it('limits the wait to one turn, even for an account that joins late', async () => {
      fixture.work(1);
      for (const id of numbered('many', 40)) await fixture.add(taskOf('many', id));
      await fixture.finishInTurn(...numbered('many', 20));
      await fixture.untilActive('many-20');
      for (const id of ['late-0', 'late-1']) await fixture.add(taskOf('late', id));
      for (let turns = 0; turns < 6; turns += 1) await fixture.completeNext();
      expect(fixture.held.taken).toEqual(expect.arrayContaining(['late-0', 'late-1']));
    });

    it('does not penalize an account for earlier tasks', async () => {
      for (const id of numbered('early', 10)) await fixture.add(taskOf('early', id));
      fixture.work(1);
      await fixture.finishInTurn(...numbered('early', 10));
      await fixture.becomes('early-9', 'completed');
      await fixture.start(taskOf('other', 'held-0'));
      for (const id of numbered('new', 5)) await fixture.add(taskOf('new', id));
      await fixture.add(taskOf('early', 'early-10'));
      await fixture.complete('held-0');
      for (let turns = 0; turns < 2; turns += 1) await fixture.completeNext();
      expect(fixture.held.taken.slice(11, 13).toSorted()).toEqual(['early-10', 'new-0']);
    });

    it.each(QUEUE_NAMES)(
      'runs one more task for an account with nothing running while others hold all slots (%s)',
      async (queue) => {
        // Only interactive tasks take the last slot.
        fixture.work(queue === 'interactive' ? 2 : 3);
        await fixture.add(taskOf('one', 'one-0', queue));
        for (const id of ['two-0', 'two-1', 'two-2']) await fixture.add(taskOf('two', id, queue));
        await fixture.untilActive('one-0', 'two-0');
        for (const id of ['late-0', 'late-1']) await fixture.add(taskOf('late', id, queue));
        await fixture.untilActive('one-0', 'two-0', 'late-0');
        fixture.held.finish('late-0');
        await fixture.untilActive('one-0', 'two-0', 'late-1');
        await fixture.add(taskOf('later', 'later-0', queue));
        expect((await fixture.queue.depth())[queue]).toBe(3);
        fixture.held.finish('late-1');
        await fixture.untilActive('one-0', 'two-0', 'later-0');
        // The task in the spare slot gets this slot, rather than the next task in turn.
        await fixture.complete('one-0');
        await fixture.add(taskOf('last', 'last-0', queue));
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
        await fixture.add(taskOf(account, `${account}-${index}`));
      }
      const taken = await order(30);
      for (let account = 0; account < 4; account += 1) {
        const own = (id: string) => id.startsWith(`account-${account}-`);
        expect(taken.filter(own)).toEqual(ids.filter(own));
      }
    });

    it('does not use a turn for a task that is already known', async () => {
      await fixture.add(taskOf('twice', 'twice-0'));
      for (let again = 0; again < 10; again += 1) await fixture.add(taskOf('twice', 'twice-0'));
      await fixture.add(taskOf('twice', 'twice-1'));
      for (const id of numbered('once', 6)) await fixture.add(taskOf('once', id));
      const taken = await order(8);
      expect(taken.indexOf('twice-1')).toBeLessThan(4);
    });
  });
}

/** Rules that apply only to batch work. */
export function describeBatch(fixture: QueueFixture): void {
  describe('Batch tasks', () => {
    it('never use the last slot', async () => {
      fixture.work(3);
      for (const id of numbered('batch', 4)) await fixture.add(taskNamed(id, 'batch'));
      await fixture.untilActive('batch-0', 'batch-1');
      expect(await fixture.queue.depth()).toEqual({ interactive: 0, asynchronous: 0, batch: 2 });
      await fixture.add('quick-1');
      await fixture.untilActive('batch-0', 'batch-1', 'quick-1');
      await fixture.complete('quick-1');
      expect(fixture.held.active.toSorted()).toEqual(['batch-0', 'batch-1']);
      fixture.held.finish('batch-0');
      await fixture.untilActive('batch-1', 'batch-2');
      fixture.held.finish('batch-1');
      fixture.held.finish('batch-2');
      await fixture.untilActive('batch-3');
    });

    it('respect their own lower limit', async () => {
      fixture.work({ concurrency: 4, batchConcurrency: 1 });
      for (const id of numbered('batch', 3)) await fixture.add(taskNamed(id, 'batch'));
      await fixture.add('quick-1');
      await fixture.untilActive('batch-0', 'quick-1');
      fixture.held.finish('quick-1');
      await fixture.finishInTurn(...numbered('batch', 3));
    });

    it('run even if there is only one slot', async () => {
      fixture.work(1);
      await fixture.start(taskNamed('batch-1', 'batch'));
    });

    it('go to another worker when this one has no slot for them', async () => {
      fixture.work(2);
      await fixture.start(taskNamed('batch-0', 'batch'));
      const others = fixture.anotherWorker(2);
      await fixture.add(taskNamed('batch-1', 'batch'));
      await eventually(() => expect(others.active).toEqual(['batch-1']));
    });

    it('go to another worker when the longest-waiting one has no slot left', async () => {
      fixture.work(1);
      await fixture.runInTurn(fixture.held, 'warm-1', 'warm-2', 'warm-3');
      await fixture.start('busy-1');
      const others = fixture.anotherWorker(1);
      await fixture.runInTurn(others, 'warm-4', 'warm-5', 'warm-6');
      await fixture.add(taskNamed('batch-1', 'batch'));
      await eventually(() => expect(others.active).toEqual(['batch-1']));
    });

    it('wait behind interactive tasks, but not forever', async () => {
      await fixture.add(taskNamed('batch-1', 'batch'), ...numbered('quick', 50));
      const taken = fixture.record(1);
      await eventually(() => expect(taken).toHaveLength(51));
      expect(taken[0]?.id).toBe('quick-0');
      expect(idsOf(taken).indexOf('batch-1')).toBeLessThan(50);
    });
  });
}

export function describePriority(fixture: QueueFixture): void {
  describe('Order between the queues', () => {
    it('is interactive, asynchronous, batch, with one turn in eight for each of the last two', async () => {
      const waiting = { batch: 20, asynchronous: 20, interactive: 80 };
      for (const [queue, count] of Object.entries(waiting)) {
        for (let index = 0; index < count; index += 1)
          await fixture.add(taskNamed(`${queue}-${index}`, queue as Priority));
      }
      const tasks = fixture.record(1);
      await eventually(() => expect(tasks).toHaveLength(120));
      const taken = tasks.map(({ queue }) => queue);
      const turns = (from: number, to: number) =>
        QUEUE_NAMES.map((name) => taken.slice(from, to).filter((queue) => queue === name).length);
      expect(taken[0]).toBe('interactive');
      expect(turns(0, 80)).toEqual([60, 10, 10]);
      expect(taken.lastIndexOf('interactive')).toBeLessThan(taken.lastIndexOf('asynchronous'));
      expect(taken.at(-1)).toBe('batch');
    });

    it('lets an interactive task overtake waiting tasks of its own account', async () => {
      fixture.work(1);
      for (const id of numbered('later', 10)) await fixture.add(taskNamed(id, 'asynchronous'));
      await fixture.untilActive('later-0');
      await fixture.add('quick-1');
      while (!fixture.held.taken.includes('quick-1')) {
        const [id = ''] = fixture.held.active;
        fixture.held.finish(id);
        await eventually(() => expect(fixture.held.active).not.toContain(id));
        await eventually(() => expect(fixture.held.active).toHaveLength(1));
      }
      // A worker may take the next task while it is still moving this one between its queues.
      expect(fixture.held.taken.length).toBeLessThan(5);
    });

    it('leaves the last slot to interactive tasks', async () => {
      fixture.work(3);
      await fixture.start(taskNamed('item-1', 'batch'));
      for (const id of ['later-1', 'later-2']) await fixture.add(taskNamed(id, 'asynchronous'));
      await fixture.untilActive('item-1', 'later-1');
      await fixture.add('quick-1');
      await fixture.untilActive('item-1', 'later-1', 'quick-1');
      expect(await fixture.queue.depth()).toEqual({ interactive: 0, asynchronous: 1, batch: 0 });
      for (const id of ['item-1', 'later-1', 'quick-1']) fixture.held.finish(id);
      await fixture.untilActive('later-2');
    });

    it('leaves fewer slots to other tasks while there are interactive tasks, and all slots afterwards', async () => {
      fixture.work({ concurrency: 5, batchConcurrency: 1 });
      await fixture.start('quick-1');
      for (const id of ['later-1', 'later-2']) await fixture.add(taskNamed(id, 'asynchronous'));
      await fixture.untilActive('later-1', 'quick-1');
      await fixture.add('quick-2');
      await fixture.untilActive('later-1', 'quick-1', 'quick-2');
      expect(await fixture.queue.depth()).toEqual({ interactive: 0, asynchronous: 1, batch: 0 });
      for (const id of ['quick-1', 'quick-2']) fixture.held.finish(id);
      await fixture.untilActive('later-1', 'later-2');
    });
  });
}

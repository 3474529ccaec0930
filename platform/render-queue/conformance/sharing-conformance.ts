import { describe, expect, it } from 'vitest';
import { QUEUE_NAMES, type TaskHandler } from '../port.ts';
import { HeldTasks } from './held-tasks.ts';
import type { QueueFixture } from './queue-fixture.ts';
import { COMPLETED, taskNamed, taskOf } from './sample-tasks.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

/** Distribution and order of tasks. */
export function describeSharing(fixture: QueueFixture): void {
  it('runs tasks in the order of arrival', async () => {
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

  it('runs no more tasks at once than its concurrency', async () => {
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

  it('wakes a worker that was idle for a while', async () => {
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

    it.each(QUEUE_NAMES)('does not block an account behind a long queue of another (%s)', async (queue) => {
      for (let index = 0; index < 40; index += 1)
        await fixture.queue.add(taskOf('many', `many-${index}`, queue));
      for (let index = 0; index < 2; index += 1)
        await fixture.queue.add(taskOf('few', `few-${index}`, queue));
      await fixture.queue.add(taskOf('one', 'one-0', queue));
      const taken = await order(43);
      expect(taken.indexOf('few-0')).toBeLessThan(3);
      expect(taken.indexOf('one-0')).toBeLessThan(3);
      expect(taken.indexOf('few-1')).toBeLessThan(5);
    });

    it('limits the wait to one turn, even for an account that joins a long queue late', async () => {
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

    it('does not penalise an account for earlier tasks', async () => {
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
      'runs one more task of an account that runs nothing while others hold all slots (%s)',
      async (queue) => {
        // Only interactive tasks take the last slot.
        fixture.queue.work(fixture.held.handler, { concurrency: queue === 'interactive' ? 2 : 3 });
        for (const id of ['0', '1', '2', '3']) {
          for (const account of ['one', 'two'])
            await fixture.queue.add(taskOf(account, `${account}-${id}`, queue));
        }
        await fixture.untilActive('one-0', 'two-0');
        for (const id of ['late-0', 'late-1']) await fixture.queue.add(taskOf('late', id, queue));
        await fixture.untilActive('one-0', 'two-0', 'late-0');
        fixture.held.finish('late-0');
        await fixture.untilActive('one-0', 'two-0', 'late-1');
        await fixture.queue.add(taskOf('later', 'later-0', queue));
        expect((await fixture.queue.depth())[queue]).toBe(7);
        fixture.held.finish('late-1');
        await fixture.untilActive('one-0', 'two-0', 'later-0');
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

    it('takes no turn for a task that is already known', async () => {
      await fixture.queue.add(taskOf('twice', 'twice-0'));
      for (let again = 0; again < 10; again += 1) await fixture.queue.add(taskOf('twice', 'twice-0'));
      await fixture.queue.add(taskOf('twice', 'twice-1'));
      for (let index = 0; index < 6; index += 1) await fixture.queue.add(taskOf('once', `once-${index}`));
      const taken = await order(8);
      expect(taken.indexOf('twice-1')).toBeLessThan(4);
    });
  });
}

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { QueueName, RenderOutcome, RenderQueue, RenderTask, TaskHandler } from './port.ts';

/** A queue for one test, empty at its beginning. */
export interface QueueUnderTest {
  readonly queue: RenderQueue;
  close(): Promise<void>;
}

const WAIT = { timeout: 20_000, interval: 5 };

/** A task; its id tells it apart. */
export function taskNamed(id: string, queue: QueueName = 'interactive'): RenderTask {
  return {
    id,
    queue,
    account: 'acme',
    job: `gen-${id}`,
    uid: id,
    format: 'pdf',
    revisionKey: 'revisions/acme/1',
    dataKey: `documents/x/acme/${id}.data`,
    resultKey: `documents/x/acme/${id}`,
    options: { pageSize: 'a4', margins: { top: '10mm' } },
    facts: { job: id },
    deadlineMs: 60_000,
    enqueuedAt: '2026-11-21T12:00:00.000Z',
  };
}

export const COMPLETED: RenderOutcome = {
  status: 'completed',
  result: {
    size: 1,
    pages: 2,
    sha256: 'a'.repeat(64),
    renderTimeMs: 3,
    timings: { queuedMs: 0.5, mergeMs: 1, printMs: 2, storeMs: 3 },
    startedAt: '2026-11-21T12:00:00.000Z',
    finishedAt: '2026-11-21T12:00:01.000Z',
  },
};

/** A handler whose tasks the test holds and lets go. */
export class HeldTasks {
  /** Ids in the order in which they were taken. */
  readonly taken: string[] = [];
  readonly signals = new Map<string, AbortSignal>();
  readonly #held = new Map<string, (outcome: RenderOutcome) => void>();
  readonly #tasks = new Map<string, RenderTask>();

  readonly handler: TaskHandler = (task, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<RenderOutcome>();
    this.taken.push(task.id);
    this.signals.set(task.id, signal);
    this.#tasks.set(task.id, task);
    this.#held.set(task.id, resolve);
    signal.addEventListener('abort', () => reject(signal.reason as Error));
    return promise.finally(() => this.#held.delete(task.id));
  };

  /** Ids in hand now. */
  get inHand(): string[] {
    return [...this.#held.keys()];
  }

  taskOf(id: string): RenderTask | undefined {
    return this.#tasks.get(id);
  }

  finish(id: string, outcome: RenderOutcome = COMPLETED): void {
    const resolve = this.#held.get(id);
    if (!resolve) throw new Error(`${id} is not in hand`);
    resolve(outcome);
  }
}

/** What every adapter of RenderQueue must do. `create` is called for each test. */
export function describeRenderQueue(name: string, create: () => Promise<QueueUnderTest>): void {
  describe(`${name} as a render queue`, () => {
    let queue: RenderQueue;
    let close: () => Promise<void>;
    let held: HeldTasks;

    beforeEach(async () => {
      const created = await create();
      queue = created.queue;
      close = () => created.close();
      held = new HeldTasks();
    });
    afterEach(() => close());

    const statusOf = async (id: string) => (await queue.state(id)).status;
    const inHand = (...ids: string[]) =>
      vi.waitFor(() => expect(held.inHand.toSorted()).toEqual(ids.toSorted()), WAIT);
    const becomes = (id: string, status: string) =>
      vi.waitFor(async () => expect(await statusOf(id)).toBe(status), WAIT);

    it('takes a task from waiting over active to finished', async () => {
      expect(await statusOf('one-1')).toBe('unknown');
      await queue.add(taskNamed('one-1'));
      expect(await statusOf('one-1')).toBe('waiting');
      queue.work(held.handler, { concurrency: 1 });
      await inHand('one-1');
      expect(await statusOf('one-1')).toBe('active');
      held.finish('one-1');
      await becomes('one-1', 'completed');
      expect(await queue.state('one-1')).toEqual(COMPLETED);
    });

    it('hands over the task as it was added', async () => {
      const task = taskNamed('whole-1');
      queue.work(held.handler, { concurrency: 1 });
      await queue.add(task);
      await inHand('whole-1');
      expect(held.taskOf('whole-1')).toEqual(task);
      held.finish('whole-1');
    });

    it.each([true, false])(
      'remembers a failure (retryable: %s) and does not try again',
      async (retryable) => {
        const outcome = {
          status: 'failed',
          failure: { code: 'template_invalid', message: 'line 1', retryable },
        } as const;
        queue.work(held.handler, { concurrency: 1 });
        await queue.add(taskNamed('bad-1'));
        await inHand('bad-1');
        held.finish('bad-1', outcome);
        await becomes('bad-1', 'failed');
        expect(await queue.state('bad-1')).toEqual(outcome);
        await queue.add(taskNamed('next-1'));
        await inHand('next-1');
        expect(held.taken).toEqual(['bad-1', 'next-1']);
        held.finish('next-1');
      },
    );

    it('makes a retryable failure of a handler that breaks', async () => {
      queue.work(
        async () => {
          throw new Error('with the data of a customer');
        },
        { concurrency: 1 },
      );
      await queue.add(taskNamed('broken-1'));
      await becomes('broken-1', 'failed');
      const state = await queue.state('broken-1');
      expect(state).toMatchObject({ failure: { code: 'renderer_error', retryable: true } });
      expect(JSON.stringify(state)).not.toContain('customer');
    });

    describe('add', () => {
      it('leaves a task alone that waits, is in hand or is finished', async () => {
        await queue.add(taskNamed('same-1'));
        await queue.add({ ...taskNamed('same-1'), account: 'other' });
        expect(await queue.depth()).toEqual({ interactive: 1, batch: 0 });
        queue.work(held.handler, { concurrency: 2 });
        await inHand('same-1');
        expect(held.taskOf('same-1')?.account).toBe('acme');
        await queue.add(taskNamed('same-1'));
        held.finish('same-1');
        await becomes('same-1', 'completed');
        await queue.add(taskNamed('same-1'));
        expect(await statusOf('same-1')).toBe('completed');
        await queue.add(taskNamed('after-1'));
        await inHand('after-1');
        expect(held.taken).toEqual(['same-1', 'after-1']);
        held.finish('after-1');
      });

      it('adds once when the same task is added many times at once', async () => {
        await Promise.all(Array.from({ length: 20 }, () => queue.add(taskNamed('many-1'))));
        expect(await queue.depth()).toEqual({ interactive: 1, batch: 0 });
      });

      it.each(['', 'uid:1'])('refuses the id "%s"', async (id) => {
        await expect(queue.add(taskNamed(id))).rejects.toThrow(TypeError);
      });
    });

    it('takes tasks in the order in which they came', async () => {
      const ids = Array.from({ length: 30 }, (_, index) => `order-${index}`);
      for (const id of ids) await queue.add(taskNamed(id));
      queue.work(held.handler, { concurrency: 1 });
      for (const id of ids) {
        await inHand(id);
        held.finish(id);
      }
      await becomes('order-29', 'completed');
      expect(held.taken).toEqual(ids);
    });

    it('has no more in hand than it may', async () => {
      const ids = Array.from({ length: 5 }, (_, index) => `limit-${index}`);
      queue.work(held.handler, { concurrency: 3 });
      for (const id of ids) await queue.add(taskNamed(id));
      await inHand(...ids.slice(0, 3));
      expect(await queue.depth()).toEqual({ interactive: 2, batch: 0 });
      held.finish('limit-1');
      await inHand('limit-0', 'limit-2', 'limit-3');
      for (const id of ['limit-0', 'limit-2', 'limit-3']) held.finish(id);
      await inHand('limit-4');
      held.finish('limit-4');
    });

    it('gives each task to one worker only', async () => {
      const ids = Array.from({ length: 40 }, (_, index) => `shared-${index}`);
      const taken: string[] = [];
      const handler: TaskHandler = async (task) => {
        taken.push(task.id);
        return COMPLETED;
      };
      queue.work(handler, { concurrency: 2 });
      queue.work(handler, { concurrency: 2 });
      await Promise.all(ids.map((id) => queue.add(taskNamed(id))));
      await vi.waitFor(() => expect(taken).toHaveLength(40), WAIT);
      expect(taken.toSorted()).toEqual(ids.toSorted());
    });

    describe('batch work', () => {
      it('never takes the last slot', async () => {
        queue.work(held.handler, { concurrency: 3 });
        for (let index = 0; index < 4; index += 1) await queue.add(taskNamed(`batch-${index}`, 'batch'));
        await inHand('batch-0', 'batch-1');
        expect(await queue.depth()).toEqual({ interactive: 0, batch: 2 });
        await queue.add(taskNamed('quick-1'));
        await inHand('batch-0', 'batch-1', 'quick-1');
        held.finish('quick-1');
        await becomes('quick-1', 'completed');
        expect(held.inHand.toSorted()).toEqual(['batch-0', 'batch-1']);
        held.finish('batch-0');
        await inHand('batch-1', 'batch-2');
        held.finish('batch-1');
        held.finish('batch-2');
        await inHand('batch-3');
        held.finish('batch-3');
      });

      it('keeps to a lower limit of its own', async () => {
        queue.work(held.handler, { concurrency: 4, batchConcurrency: 1 });
        for (let index = 0; index < 3; index += 1) await queue.add(taskNamed(`batch-${index}`, 'batch'));
        await queue.add(taskNamed('quick-1'));
        await inHand('batch-0', 'quick-1');
        held.finish('quick-1');
        for (let index = 0; index < 3; index += 1) {
          await inHand(`batch-${index}`);
          held.finish(`batch-${index}`);
        }
      });

      it('is done also where there is one slot only', async () => {
        queue.work(held.handler, { concurrency: 1 });
        await queue.add(taskNamed('batch-1', 'batch'));
        await inHand('batch-1');
        held.finish('batch-1');
      });

      it('waits behind interactive work, but not for ever', async () => {
        await queue.add(taskNamed('batch-1', 'batch'));
        for (let index = 0; index < 50; index += 1) await queue.add(taskNamed(`quick-${index}`));
        const order: string[] = [];
        queue.work(
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

    describe('remove', () => {
      it('takes out what waits', async () => {
        for (const id of ['a-1', 'b-1', 'c-1']) await queue.add(taskNamed(id));
        await queue.remove('b-1');
        expect(await statusOf('b-1')).toBe('unknown');
        expect(await queue.depth()).toEqual({ interactive: 2, batch: 0 });
        queue.work(held.handler, { concurrency: 3 });
        await inHand('a-1', 'c-1');
        held.finish('a-1');
        held.finish('c-1');
      });

      it('does not stop what is in hand and forgets nothing that is finished', async () => {
        queue.work(held.handler, { concurrency: 1 });
        await queue.add(taskNamed('busy-1'));
        await inHand('busy-1');
        await queue.remove('busy-1');
        expect(held.signals.get('busy-1')?.aborted).toBe(false);
        held.finish('busy-1');
        await becomes('busy-1', 'completed');
        await queue.remove('never-added');
      });

      it('lets a removed task be added again', async () => {
        await queue.add(taskNamed('again-1'));
        await queue.remove('again-1');
        await queue.add(taskNamed('again-1'));
        queue.work(held.handler, { concurrency: 2 });
        await inHand('again-1');
        held.finish('again-1');
        await becomes('again-1', 'completed');
        expect(held.taken).toEqual(['again-1']);
      });
    });

    describe('onFinished', () => {
      it('tells every listener of every outcome, until it stops listening', async () => {
        const first = vi.fn<(id: string, outcome: RenderOutcome) => void>();
        const second = vi.fn<(id: string, outcome: RenderOutcome) => void>();
        const stop = queue.onFinished(first);
        queue.onFinished(second);
        queue.work(held.handler, { concurrency: 1 });
        await queue.add(taskNamed('told-1'));
        await inHand('told-1');
        held.finish('told-1');
        await vi.waitFor(() => expect(first).toHaveBeenCalledWith('told-1', COMPLETED), WAIT);
        await vi.waitFor(() => expect(second).toHaveBeenCalledWith('told-1', COMPLETED), WAIT);
        stop();
        await queue.add(taskNamed('told-2'));
        await inHand('told-2');
        held.finish('told-2');
        await vi.waitFor(() => expect(second).toHaveBeenCalledWith('told-2', COMPLETED), WAIT);
        expect(first).not.toHaveBeenCalledWith('told-2', COMPLETED);
      });

      it('tells when the state can be asked for already', async () => {
        const states: string[] = [];
        queue.onFinished((id) => {
          void queue.state(id).then(({ status }) => states.push(status));
        });
        queue.work(async () => COMPLETED, { concurrency: 1 });
        await queue.add(taskNamed('asked-1'));
        await vi.waitFor(() => expect(states).toEqual(['completed']), WAIT);
      });

      it('goes on when a listener breaks', async () => {
        const good = vi.fn<(id: string) => void>();
        queue.onFinished(() => {
          throw new Error('broken listener');
        });
        queue.onFinished(good);
        queue.work(async () => COMPLETED, { concurrency: 1 });
        await queue.add(taskNamed('one-1'));
        await queue.add(taskNamed('two-1'));
        await vi.waitFor(() => expect(good.mock.calls.map(([id]) => id)).toEqual(['one-1', 'two-1']), WAIT);
      });
    });

    describe('closing a worker', () => {
      it('takes nothing new and waits for what is in hand', async () => {
        const worker = queue.work(held.handler, { concurrency: 1 });
        await queue.add(taskNamed('last-1'));
        await inHand('last-1');
        await queue.add(taskNamed('waits-1'));
        const closed = vi.fn<() => void>();
        const closing = worker.close(60_000).then(closed);
        await queue.add(taskNamed('waits-2'));
        expect(closed).not.toHaveBeenCalled();
        expect(held.signals.get('last-1')?.aborted).toBe(false);
        held.finish('last-1');
        await closing;
        expect(await statusOf('last-1')).toBe('completed');
        expect(held.taken).toEqual(['last-1']);
        expect(await queue.depth()).toEqual({ interactive: 2, batch: 0 });
      });

      it('aborts what is not finished in time and puts it back, before what came later', async () => {
        const worker = queue.work(held.handler, { concurrency: 1 });
        await queue.add(taskNamed('slow-1'));
        await inHand('slow-1');
        await queue.add(taskNamed('later-1'));
        const told = vi.fn<() => void>();
        queue.onFinished(told);
        await worker.close(1);
        expect(held.signals.get('slow-1')?.aborted).toBe(true);
        expect(await statusOf('slow-1')).toBe('waiting');
        expect(told).not.toHaveBeenCalled();
        const others = new HeldTasks();
        queue.work(others.handler, { concurrency: 1 });
        await vi.waitFor(() => expect(others.taken).toEqual(['slow-1']), WAIT);
        others.finish('slow-1');
        await vi.waitFor(() => expect(others.taken).toEqual(['slow-1', 'later-1']), WAIT);
        others.finish('later-1');
      });

      it('gives what was put back to a worker that is there already', async () => {
        const worker = queue.work(held.handler, { concurrency: 1 });
        await queue.add(taskNamed('moved-1'));
        await inHand('moved-1');
        const others = new HeldTasks();
        queue.work(others.handler, { concurrency: 1 });
        await worker.close(0);
        await vi.waitFor(() => expect(others.inHand).toEqual(['moved-1']), WAIT);
        others.finish('moved-1');
        await becomes('moved-1', 'completed');
      });

      it('keeps the result of a task that completes although it was aborted', async () => {
        let aborted = false;
        const worker = queue.work(
          async (_task, signal) => {
            await new Promise((resolve) => signal.addEventListener('abort', resolve));
            aborted = true;
            return COMPLETED;
          },
          { concurrency: 1 },
        );
        await queue.add(taskNamed('stored-1'));
        await becomes('stored-1', 'active');
        await worker.close(0);
        expect(aborted).toBe(true);
        await becomes('stored-1', 'completed');
      });

      it('can be done twice, and at once when nothing is in hand', async () => {
        const worker = queue.work(held.handler, { concurrency: 1 });
        await Promise.all([worker.close(60_000), worker.close(60_000)]);
        await worker.close(60_000);
      });
    });

    it('remembers finished tasks', async () => {
      queue.work(async () => COMPLETED, { concurrency: 4 });
      const ids = Array.from({ length: 300 }, (_, index) => `kept-${index}`);
      for (const id of ids) await queue.add(taskNamed(id));
      await becomes('kept-299', 'completed');
      await vi.waitFor(async () => {
        const states = await Promise.all(ids.map(statusOf));
        expect(states.every((status) => status === 'completed')).toBe(true);
      }, WAIT);
      expect(await queue.depth()).toEqual({ interactive: 0, batch: 0 });
    });

    it('answers while it is open and refuses work when it is closed', async () => {
      await expect(queue.check()).resolves.toBeUndefined();
      await queue.close();
      await expect(queue.check()).rejects.toThrow();
      await expect(queue.add(taskNamed('late-1'))).rejects.toThrow();
    });
  });
}

import { describe, expect, it, vi } from 'vitest';
import type { QueueFixture } from './queue-fixture.ts';
import { COMPLETED, idsOf, taskNamed } from './sample-tasks.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import type { RenderTask } from '../port.ts';
import type { Priority } from '../../scheduling/priority.ts';

/** Tasks of a worker that closes. */
export function describeClosing(fixture: QueueFixture): void {
  describe('Worker close', () => {
    it('takes no new tasks and waits for active ones', async () => {
      const worker = fixture.work(1);
      await fixture.start('last-1');
      await fixture.add('waits-1');
      const closed = vi.fn<() => void>();
      const closing = worker.close(60_000).then(closed);
      await fixture.add('waits-2');
      expect(closed).not.toHaveBeenCalled();
      expect(fixture.held.signals.get('last-1')?.aborted).toBe(false);
      fixture.held.finish('last-1');
      await closing;
      expect(await fixture.statusOf('last-1')).toBe('completed');
      expect(fixture.held.taken).toEqual(['last-1']);
      expect(await fixture.queue.depth()).toEqual({ interactive: 2, asynchronous: 0, batch: 0 });
    });

    it('aborts unfinished tasks at the deadline and requeues them ahead of later ones', async () => {
      const worker = fixture.work(1);
      await fixture.start('slow-1');
      await fixture.add('later-1');
      const listener = vi.fn<() => void>();
      fixture.queue.onFinished(listener);
      await worker.close(1);
      expect(fixture.held.signals.get('slow-1')?.aborted).toBe(true);
      expect(await fixture.statusOf('slow-1')).toBe('waiting');
      expect(listener).not.toHaveBeenCalled();
      const others = fixture.anotherWorker(1);
      await eventually(() => expect(others.taken).toEqual(['slow-1']));
      others.finish('slow-1');
      await eventually(() => expect(others.taken).toEqual(['slow-1', 'later-1']));
    });

    it('requeues all active tasks, and another worker runs them', async () => {
      const worker = fixture.work(4);
      const ids = ['slow-1', 'slow-2', 'slow-3', 'bulk-1'];
      for (const id of ids) await fixture.add(taskNamed(id, id === 'bulk-1' ? 'batch' : 'interactive'));
      await fixture.untilActive(...ids);
      await worker.close(0);
      for (const id of ids) expect(await fixture.statusOf(id)).toBe('waiting');
      const done = fixture.record(2);
      await eventually(() => expect(idsOf(done).toSorted()).toEqual(ids.toSorted()));
    });

    it('gives requeued tasks to a worker that is already waiting', async () => {
      const worker = fixture.work(1);
      await fixture.start('moved-1');
      const others = fixture.anotherWorker(1);
      await fixture.runInTurn(others, 'warm-1', 'warm-2', 'warm-3');
      await worker.close(0);
      await eventually(() => expect(others.active).toEqual(['moved-1']));
      others.finish('moved-1');
      await fixture.becomes('moved-1', 'completed');
    });

    it('keeps the result of a task that completes despite the abort', async () => {
      const begun = vi.fn<() => void>();
      const aborted = vi.fn<() => void>();
      const worker = fixture.queue.work(
        async (_task, signal) => {
          begun();
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          aborted();
          return COMPLETED;
        },
        { concurrency: 1 },
      );
      await fixture.add('stored-1');
      await eventually(() => expect(begun).toHaveBeenCalled());
      await worker.close(0);
      expect(aborted).toHaveBeenCalled();
      await fixture.becomes('stored-1', 'completed');
    });

    it('can run twice and returns immediately if no task is active', async () => {
      const worker = fixture.work(1);
      await Promise.all([worker.close(60_000), worker.close(60_000)]);
      await worker.close(60_000);
    });
  });
}

const exclusive = (id: string, queue: Priority = 'interactive'): RenderTask => ({
  ...taskNamed(id, queue),
  exclusive: true,
});

/** Execution of exclusive tasks. */
export function describeExclusive(fixture: QueueFixture): void {
  describe('An exclusive task', () => {
    it.each(['interactive', 'batch'] as const)(
      'waits for active tasks, runs alone, and starts the next tasks afterwards (%s)',
      async (queue) => {
        fixture.work(4);
        await fixture.add('before-1', 'before-2');
        await fixture.untilActive('before-1', 'before-2');
        await fixture.add(exclusive('alone-1', queue));
        await fixture.becomes('alone-1', 'active');
        await fixture.add('after-1', 'after-2');
        await fixture.complete('before-1');
        expect(fixture.held.active).toEqual(['before-2']);
        fixture.held.finish('before-2');
        await fixture.untilActive('alone-1');
        expect(await fixture.queue.depth()).toEqual({ interactive: 2, asynchronous: 0, batch: 0 });
        fixture.held.finish('alone-1');
        await fixture.untilActive('after-1', 'after-2');
        expect(await fixture.statusOf('alone-1')).toBe('completed');
      },
    );

    it('runs one at a time in a worker, in order with other tasks', async () => {
      await fixture.add(exclusive('alone-1'), exclusive('alone-2'), 'shared-1', 'shared-2');
      await fixture.add(exclusive('alone-3', 'batch'));
      fixture.work(4);
      for (const id of ['alone-1', 'alone-2']) {
        await fixture.untilActive(id);
        await fixture.complete(id);
      }
      await fixture.untilActive('shared-1', 'shared-2');
      await fixture.becomes('alone-3', 'active');
      for (const id of ['shared-1', 'shared-2']) fixture.held.finish(id);
      await fixture.untilActive('alone-3');
      fixture.held.finish('alone-3');
      expect(fixture.held.taken).toEqual(['alone-1', 'alone-2', 'shared-1', 'shared-2', 'alone-3']);
    });

    it('runs even in a worker with one slot', async () => {
      fixture.work(1);
      for (const queue of ['interactive', 'batch'] as const) {
        await fixture.start(exclusive(`${queue}-1`, queue));
        fixture.held.finish(`${queue}-1`);
      }
    });

    it('does not block other workers', async () => {
      fixture.work(2);
      await fixture.start(exclusive('alone-1'));
      const others = fixture.anotherWorker(2);
      await fixture.add('free-1', 'free-2');
      await eventually(() => expect(others.active.toSorted()).toEqual(['free-1', 'free-2']));
    });

    it('runs in another worker if its worker closes before it starts', async () => {
      const worker = fixture.work(2);
      await fixture.start('busy-1');
      await fixture.add(exclusive('alone-1'));
      await fixture.becomes('alone-1', 'active');
      const closing = worker.close(60_000);
      fixture.held.finish('busy-1');
      await closing;
      expect(await fixture.statusOf('alone-1')).toBe('waiting');
      expect(fixture.held.taken).toEqual(['busy-1']);
      const others = fixture.anotherWorker(2);
      await eventually(() => expect(others.active).toEqual(['alone-1']));
      others.finish('alone-1');
      await fixture.becomes('alone-1', 'completed');
    });

    it('waits again after an abort', async () => {
      const worker = fixture.work(2);
      await fixture.start(exclusive('alone-1'));
      await worker.close(0);
      expect(fixture.held.signals.get('alone-1')?.aborted).toBe(true);
      expect(await fixture.statusOf('alone-1')).toBe('waiting');
    });
  });
}

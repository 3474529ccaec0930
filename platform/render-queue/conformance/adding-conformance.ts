import { describe, expect, it } from 'vitest';
import type { QueueFixture } from './queue-fixture.ts';
import { taskNamed } from './sample-tasks.ts';

/** Adding and removing tasks. */
export function describeAdding(fixture: QueueFixture): void {
  describe('add', () => {
    it('ignores a task that is waiting, active or finished', async () => {
      await fixture.queue.add(taskNamed('same-1'));
      await fixture.queue.add({ ...taskNamed('same-1'), account: 'other' });
      expect(await fixture.queue.depth()).toEqual({ interactive: 1, batch: 0 });
      fixture.queue.work(fixture.held.handler, { concurrency: 2 });
      await fixture.untilActive('same-1');
      expect(fixture.held.taskOf('same-1')?.account).toBe('acme');
      await fixture.queue.add(taskNamed('same-1'));
      fixture.held.finish('same-1');
      await fixture.becomes('same-1', 'completed');
      await fixture.queue.add(taskNamed('same-1'));
      expect(await fixture.statusOf('same-1')).toBe('completed');
      await fixture.queue.add(taskNamed('after-1'));
      await fixture.untilActive('after-1');
      expect(fixture.held.taken).toEqual(['same-1', 'after-1']);
      fixture.held.finish('after-1');
    });

    it('rejects data that is too large to carry', async () => {
      const data = 'x'.repeat(fixture.queue.carriedDataBytes + 1);
      await expect(fixture.queue.add({ ...taskNamed('large-1'), data })).rejects.toThrow(TypeError);
      expect(await fixture.statusOf('large-1')).toBe('unknown');
    });

    it('adds a task once when it is added many times at once', async () => {
      await Promise.all(Array.from({ length: 20 }, () => fixture.queue.add(taskNamed('many-1'))));
      expect(await fixture.queue.depth()).toEqual({ interactive: 1, batch: 0 });
    });

    it.each(['', 'uid:1'])('rejects the id "%s"', async (id) => {
      await expect(fixture.queue.add(taskNamed(id))).rejects.toThrow(TypeError);
    });
  });

  describe('remove', () => {
    it('removes a waiting task', async () => {
      for (const id of ['a-1', 'b-1', 'c-1']) await fixture.queue.add(taskNamed(id));
      await fixture.queue.remove('b-1');
      expect(await fixture.statusOf('b-1')).toBe('unknown');
      expect(await fixture.queue.depth()).toEqual({ interactive: 2, batch: 0 });
      fixture.queue.work(fixture.held.handler, { concurrency: 3 });
      await fixture.untilActive('a-1', 'c-1');
      fixture.held.finish('a-1');
      fixture.held.finish('c-1');
    });

    it('removes a batch task from the batch queue', async () => {
      await fixture.queue.add(taskNamed('quick-1'));
      await fixture.queue.add(taskNamed('bulk-1', 'batch'));
      expect(await fixture.queue.depth()).toEqual({ interactive: 1, batch: 1 });
      await fixture.queue.remove('bulk-1');
      expect(await fixture.queue.depth()).toEqual({ interactive: 1, batch: 0 });
    });

    it('does not stop active tasks or forget finished ones', async () => {
      fixture.queue.work(fixture.held.handler, { concurrency: 1 });
      await fixture.queue.add(taskNamed('busy-1'));
      await fixture.untilActive('busy-1');
      await fixture.queue.remove('busy-1');
      expect(fixture.held.signals.get('busy-1')?.aborted).toBe(false);
      fixture.held.finish('busy-1');
      await fixture.becomes('busy-1', 'completed');
      await fixture.queue.remove('never-added');
    });

    it('allows a removed task to be added again', async () => {
      await fixture.queue.add(taskNamed('again-1'));
      await fixture.queue.remove('again-1');
      await fixture.queue.add(taskNamed('again-1'));
      fixture.queue.work(fixture.held.handler, { concurrency: 2 });
      await fixture.untilActive('again-1');
      fixture.held.finish('again-1');
      await fixture.becomes('again-1', 'completed');
      expect(fixture.held.taken).toEqual(['again-1']);
    });
  });
}

import { describe, expect, it } from 'vitest';
import type { QueueWorld } from './queue-world.ts';
import { taskNamed } from './sample-tasks.ts';

/** What may be added and taken out again. */
export function describeAdding(world: QueueWorld): void {
  describe('add', () => {
    it('leaves a task alone that waits, is in hand or is finished', async () => {
      await world.queue.add(taskNamed('same-1'));
      await world.queue.add({ ...taskNamed('same-1'), account: 'other' });
      expect(await world.queue.depth()).toEqual({ interactive: 1, batch: 0 });
      world.queue.work(world.held.handler, { concurrency: 2 });
      await world.inHand('same-1');
      expect(world.held.taskOf('same-1')?.account).toBe('acme');
      await world.queue.add(taskNamed('same-1'));
      world.held.finish('same-1');
      await world.becomes('same-1', 'completed');
      await world.queue.add(taskNamed('same-1'));
      expect(await world.statusOf('same-1')).toBe('completed');
      await world.queue.add(taskNamed('after-1'));
      await world.inHand('after-1');
      expect(world.held.taken).toEqual(['same-1', 'after-1']);
      world.held.finish('after-1');
    });

    it('refuses data that it does not carry', async () => {
      const data = 'x'.repeat(world.queue.carriedDataBytes + 1);
      await expect(world.queue.add({ ...taskNamed('large-1'), data })).rejects.toThrow(TypeError);
      expect(await world.statusOf('large-1')).toBe('unknown');
    });

    it('adds once when the same task is added many times at once', async () => {
      await Promise.all(Array.from({ length: 20 }, () => world.queue.add(taskNamed('many-1'))));
      expect(await world.queue.depth()).toEqual({ interactive: 1, batch: 0 });
    });

    it.each(['', 'uid:1'])('refuses the id "%s"', async (id) => {
      await expect(world.queue.add(taskNamed(id))).rejects.toThrow(TypeError);
    });
  });

  describe('remove', () => {
    it('takes out what waits', async () => {
      for (const id of ['a-1', 'b-1', 'c-1']) await world.queue.add(taskNamed(id));
      await world.queue.remove('b-1');
      expect(await world.statusOf('b-1')).toBe('unknown');
      expect(await world.queue.depth()).toEqual({ interactive: 2, batch: 0 });
      world.queue.work(world.held.handler, { concurrency: 3 });
      await world.inHand('a-1', 'c-1');
      world.held.finish('a-1');
      world.held.finish('c-1');
    });

    it('takes batch work out of its own queue', async () => {
      await world.queue.add(taskNamed('quick-1'));
      await world.queue.add(taskNamed('bulk-1', 'batch'));
      expect(await world.queue.depth()).toEqual({ interactive: 1, batch: 1 });
      await world.queue.remove('bulk-1');
      expect(await world.queue.depth()).toEqual({ interactive: 1, batch: 0 });
    });

    it('does not stop what is in hand and forgets nothing that is finished', async () => {
      world.queue.work(world.held.handler, { concurrency: 1 });
      await world.queue.add(taskNamed('busy-1'));
      await world.inHand('busy-1');
      await world.queue.remove('busy-1');
      expect(world.held.signals.get('busy-1')?.aborted).toBe(false);
      world.held.finish('busy-1');
      await world.becomes('busy-1', 'completed');
      await world.queue.remove('never-added');
    });

    it('lets a removed task be added again', async () => {
      await world.queue.add(taskNamed('again-1'));
      await world.queue.remove('again-1');
      await world.queue.add(taskNamed('again-1'));
      world.queue.work(world.held.handler, { concurrency: 2 });
      await world.inHand('again-1');
      world.held.finish('again-1');
      await world.becomes('again-1', 'completed');
      expect(world.held.taken).toEqual(['again-1']);
    });
  });
}

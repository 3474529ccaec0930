import { describe, expect, it, vi } from 'vitest';
import type { RenderOutcome } from '../port.ts';
import { WAIT } from '../../testing/wait.ts';
import type { QueueWorld } from './queue-world.ts';
import { COMPLETED, taskNamed } from './sample-tasks.ts';

/** How one hears of finished tasks. */
export function describeFinished(world: QueueWorld): void {
  describe('onFinished', () => {
    it('tells every listener of every outcome, until it stops listening', async () => {
      const first = vi.fn<(id: string, outcome: RenderOutcome) => void>();
      const second = vi.fn<(id: string, outcome: RenderOutcome) => void>();
      const stop = world.queue.onFinished(first);
      world.queue.onFinished(second);
      world.queue.work(world.held.handler, { concurrency: 1 });
      await world.queue.add(taskNamed('told-1'));
      await world.inHand('told-1');
      world.held.finish('told-1');
      await vi.waitFor(() => expect(first).toHaveBeenCalledWith('told-1', COMPLETED), WAIT);
      await vi.waitFor(() => expect(second).toHaveBeenCalledWith('told-1', COMPLETED), WAIT);
      stop();
      await world.queue.add(taskNamed('told-2'));
      await world.inHand('told-2');
      world.held.finish('told-2');
      await vi.waitFor(() => expect(second).toHaveBeenCalledWith('told-2', COMPLETED), WAIT);
      expect(first).not.toHaveBeenCalledWith('told-2', COMPLETED);
    });

    it('tells of batch work too', async () => {
      const told = vi.fn<(id: string, outcome: RenderOutcome) => void>();
      world.queue.onFinished(told);
      world.queue.work(async () => COMPLETED, { concurrency: 2 });
      await world.queue.add(taskNamed('bulk-1', 'batch'));
      await world.queue.add(taskNamed('quick-1'));
      await vi.waitFor(() => {
        expect(told).toHaveBeenCalledWith('bulk-1', COMPLETED);
        expect(told).toHaveBeenCalledWith('quick-1', COMPLETED);
      }, WAIT);
    });

    it('tells when the state can be asked for already', async () => {
      const states: string[] = [];
      world.queue.onFinished((id) => {
        void world.queue.state(id).then(({ status }) => states.push(status));
      });
      world.queue.work(async () => COMPLETED, { concurrency: 1 });
      await world.queue.add(taskNamed('asked-1'));
      await vi.waitFor(() => expect(states).toEqual(['completed']), WAIT);
    });

    it('goes on when a listener breaks', async () => {
      const good = vi.fn<(id: string) => void>();
      world.queue.onFinished(() => {
        throw new Error('broken listener');
      });
      world.queue.onFinished(good);
      world.queue.work(async () => COMPLETED, { concurrency: 1 });
      await world.queue.add(taskNamed('one-1'));
      await world.queue.add(taskNamed('two-1'));
      await vi.waitFor(() => expect(good.mock.calls.map(([id]) => id)).toEqual(['one-1', 'two-1']), WAIT);
    });
  });
}

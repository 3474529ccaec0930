import { describe, expect, it, vi } from 'vitest';
import type { RenderOutcome } from '../port.ts';
import type { QueueFixture } from './queue-fixture.ts';
import { COMPLETED, taskNamed } from './sample-tasks.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

/** Notification of finished tasks. */
export function describeFinished(fixture: QueueFixture): void {
  describe('onFinished', () => {
    it('reports every outcome to every listener until it unsubscribes', async () => {
      const first = vi.fn<(id: string, outcome: RenderOutcome) => void>();
      const second = vi.fn<(id: string, outcome: RenderOutcome) => void>();
      const stop = fixture.queue.onFinished(first);
      fixture.queue.onFinished(second);
      fixture.queue.work(fixture.held.handler, { concurrency: 1 });
      await fixture.queue.add(taskNamed('finished-1'));
      await fixture.untilActive('finished-1');
      fixture.held.finish('finished-1');
      await eventually(() => expect(first).toHaveBeenCalledWith('finished-1', COMPLETED));
      await eventually(() => expect(second).toHaveBeenCalledWith('finished-1', COMPLETED));
      stop();
      await fixture.queue.add(taskNamed('finished-2'));
      await fixture.untilActive('finished-2');
      fixture.held.finish('finished-2');
      await eventually(() => expect(second).toHaveBeenCalledWith('finished-2', COMPLETED));
      expect(first).not.toHaveBeenCalledWith('finished-2', COMPLETED);
    });

    it('reports batch tasks, too', async () => {
      const listener = vi.fn<(id: string, outcome: RenderOutcome) => void>();
      fixture.queue.onFinished(listener);
      fixture.queue.work(async () => COMPLETED, { concurrency: 2 });
      await fixture.queue.add(taskNamed('bulk-1', 'batch'));
      await fixture.queue.add(taskNamed('quick-1'));
      await eventually(() => {
        expect(listener).toHaveBeenCalledWith('bulk-1', COMPLETED);
        expect(listener).toHaveBeenCalledWith('quick-1', COMPLETED);
      });
    });

    it('reports an outcome only when the state is readable', async () => {
      const states: string[] = [];
      fixture.queue.onFinished((id) => {
        void fixture.queue.state(id).then(({ status }) => states.push(status));
      });
      fixture.queue.work(async () => COMPLETED, { concurrency: 1 });
      await fixture.queue.add(taskNamed('asked-1'));
      await eventually(() => expect(states).toEqual(['completed']));
    });

    it('continues when a listener throws', async () => {
      const good = vi.fn<(id: string) => void>();
      fixture.queue.onFinished(() => {
        throw new Error('broken listener');
      });
      fixture.queue.onFinished(good);
      fixture.queue.work(async () => COMPLETED, { concurrency: 1 });
      await fixture.queue.add(taskNamed('one-1'));
      await fixture.queue.add(taskNamed('two-1'));
      await eventually(() => expect(good.mock.calls.map(([id]) => id)).toEqual(['one-1', 'two-1']));
    });
  });
}

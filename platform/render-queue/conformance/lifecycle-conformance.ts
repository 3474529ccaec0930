import { expect, it } from 'vitest';
import type { QueueFixture } from './queue-fixture.ts';
import { COMPLETED, taskNamed } from './sample-tasks.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

/** The lifecycle of a task. */
export function describeLifecycle(fixture: QueueFixture): void {
  it('moves a task from waiting to active to finished', async () => {
    expect(await fixture.statusOf('one-1')).toBe('unknown');
    await fixture.queue.add(taskNamed('one-1'));
    expect(await fixture.statusOf('one-1')).toBe('waiting');
    fixture.queue.work(fixture.held.handler, { concurrency: 1 });
    await fixture.untilActive('one-1');
    expect(await fixture.statusOf('one-1')).toBe('active');
    fixture.held.finish('one-1');
    await fixture.becomes('one-1', 'completed');
    expect(await fixture.queue.state('one-1')).toEqual(COMPLETED);
  });

  it('returns the same state when called with the queue of the task', async () => {
    const names = { interactive: 'single-1', batch: 'item-1' } as const;
    const states = async () => [
      (await fixture.queue.state(names.interactive, 'interactive')).status,
      (await fixture.queue.state(names.batch, 'batch')).status,
    ];
    expect(await states()).toEqual(['unknown', 'unknown']);
    await fixture.queue.add(taskNamed(names.interactive));
    await fixture.queue.add({ ...taskNamed(names.batch), queue: 'batch' });
    expect(await states()).toEqual(['waiting', 'waiting']);
    // A controller of another version may have chosen another queue.
    expect(await fixture.queue.state(names.interactive, 'asynchronous')).toEqual({ status: 'waiting' });
    fixture.queue.work(fixture.held.handler, { concurrency: 2 });
    await fixture.untilActive(...Object.values(names));
    expect(await states()).toEqual(['active', 'active']);
    for (const name of Object.values(names)) fixture.held.finish(name);
    for (const name of Object.values(names)) await fixture.becomes(name, 'completed');
    expect(await states()).toEqual(['completed', 'completed']);
  });

  it('delivers a task as it was added', async () => {
    const task = taskNamed('whole-1');
    fixture.queue.work(fixture.held.handler, { concurrency: 1 });
    await fixture.queue.add(task);
    await fixture.untilActive('whole-1');
    expect(fixture.held.taskOf('whole-1')).toEqual(task);
    fixture.held.finish('whole-1');
  });

  it.each([true, false])('stores a failure (retryable: %s) and does not retry it', async (retryable) => {
    const outcome = {
      status: 'failed',
      failure: { code: 'template_invalid', message: 'line 1', retryable },
    } as const;
    fixture.queue.work(fixture.held.handler, { concurrency: 1 });
    await fixture.queue.add(taskNamed('bad-1'));
    await fixture.untilActive('bad-1');
    fixture.held.finish('bad-1', outcome);
    await fixture.becomes('bad-1', 'failed');
    expect(await fixture.queue.state('bad-1')).toEqual(outcome);
    await fixture.queue.add(taskNamed('next-1'));
    await fixture.untilActive('next-1');
    expect(fixture.held.taken).toEqual(['bad-1', 'next-1']);
    fixture.held.finish('next-1');
  });

  it('turns an error thrown by a handler into a retryable failure', async () => {
    fixture.queue.work(
      async () => {
        throw new Error('with the data of a customer');
      },
      { concurrency: 1 },
    );
    await fixture.queue.add(taskNamed('broken-1'));
    await fixture.becomes('broken-1', 'failed');
    const state = await fixture.queue.state('broken-1');
    expect(state).toMatchObject({ failure: { code: 'renderer_error', retryable: true } });
    expect(JSON.stringify(state)).not.toContain('customer');
  });

  it('remembers finished tasks', async () => {
    fixture.queue.work(async () => COMPLETED, { concurrency: 4 });
    const ids = Array.from({ length: 300 }, (_, index) => `kept-${index}`);
    for (const id of ids) await fixture.queue.add(taskNamed(id));
    await fixture.becomes('kept-299', 'completed');
    await eventually(async () => {
      const states = await Promise.all(ids.map((id) => fixture.statusOf(id)));
      expect(states.every((status) => status === 'completed')).toBe(true);
    });
    expect(await fixture.queue.depth()).toEqual({ interactive: 0, asynchronous: 0, batch: 0 });
  });

  it('answers while it is open and rejects tasks after close', async () => {
    await expect(fixture.queue.check()).resolves.toBeUndefined();
    await fixture.queue.close();
    await expect(fixture.queue.check()).rejects.toThrow();
    await expect(fixture.queue.add(taskNamed('late-1'))).rejects.toThrow();
  });
}

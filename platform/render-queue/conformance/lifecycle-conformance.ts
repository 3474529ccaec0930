import { expect, it, vi } from 'vitest';
import { WAIT } from '../../testing/wait.ts';
import type { QueueWorld } from './queue-world.ts';
import { COMPLETED, taskNamed } from './sample-tasks.ts';

/** The way of a task through the queue. */
export function describeLifecycle(world: QueueWorld): void {
  it('takes a task from waiting over active to finished', async () => {
    expect(await world.statusOf('one-1')).toBe('unknown');
    await world.queue.add(taskNamed('one-1'));
    expect(await world.statusOf('one-1')).toBe('waiting');
    world.queue.work(world.held.handler, { concurrency: 1 });
    await world.inHand('one-1');
    expect(await world.statusOf('one-1')).toBe('active');
    world.held.finish('one-1');
    await world.becomes('one-1', 'completed');
    expect(await world.queue.state('one-1')).toEqual(COMPLETED);
  });

  it('knows the same of a task when told which queue it was added to', async () => {
    const names = { interactive: 'single-1', batch: 'item-1' } as const;
    const states = async () => [
      (await world.queue.state(names.interactive, 'interactive')).status,
      (await world.queue.state(names.batch, 'batch')).status,
    ];
    expect(await states()).toEqual(['unknown', 'unknown']);
    await world.queue.add(taskNamed(names.interactive));
    await world.queue.add({ ...taskNamed(names.batch), queue: 'batch' });
    expect(await states()).toEqual(['waiting', 'waiting']);
    world.queue.work(world.held.handler, { concurrency: 2 });
    await world.inHand(...Object.values(names));
    expect(await states()).toEqual(['active', 'active']);
    for (const name of Object.values(names)) world.held.finish(name);
    for (const name of Object.values(names)) await world.becomes(name, 'completed');
    expect(await states()).toEqual(['completed', 'completed']);
  });

  it('hands over the task as it was added', async () => {
    const task = taskNamed('whole-1');
    world.queue.work(world.held.handler, { concurrency: 1 });
    await world.queue.add(task);
    await world.inHand('whole-1');
    expect(world.held.taskOf('whole-1')).toEqual(task);
    world.held.finish('whole-1');
  });

  it.each([true, false])('remembers a failure (retryable: %s) and does not try again', async (retryable) => {
    const outcome = {
      status: 'failed',
      failure: { code: 'template_invalid', message: 'line 1', retryable },
    } as const;
    world.queue.work(world.held.handler, { concurrency: 1 });
    await world.queue.add(taskNamed('bad-1'));
    await world.inHand('bad-1');
    world.held.finish('bad-1', outcome);
    await world.becomes('bad-1', 'failed');
    expect(await world.queue.state('bad-1')).toEqual(outcome);
    await world.queue.add(taskNamed('next-1'));
    await world.inHand('next-1');
    expect(world.held.taken).toEqual(['bad-1', 'next-1']);
    world.held.finish('next-1');
  });

  it('makes a retryable failure of a handler that breaks', async () => {
    world.queue.work(
      async () => {
        throw new Error('with the data of a customer');
      },
      { concurrency: 1 },
    );
    await world.queue.add(taskNamed('broken-1'));
    await world.becomes('broken-1', 'failed');
    const state = await world.queue.state('broken-1');
    expect(state).toMatchObject({ failure: { code: 'renderer_error', retryable: true } });
    expect(JSON.stringify(state)).not.toContain('customer');
  });

  it('remembers finished tasks', async () => {
    world.queue.work(async () => COMPLETED, { concurrency: 4 });
    const ids = Array.from({ length: 300 }, (_, index) => `kept-${index}`);
    for (const id of ids) await world.queue.add(taskNamed(id));
    await world.becomes('kept-299', 'completed');
    await vi.waitFor(async () => {
      const states = await Promise.all(ids.map((id) => world.statusOf(id)));
      expect(states.every((status) => status === 'completed')).toBe(true);
    }, WAIT);
    expect(await world.queue.depth()).toEqual({ interactive: 0, batch: 0 });
  });

  it('answers while it is open and refuses work when it is closed', async () => {
    await expect(world.queue.check()).resolves.toBeUndefined();
    await world.queue.close();
    await expect(world.queue.check()).rejects.toThrow();
    await expect(world.queue.add(taskNamed('late-1'))).rejects.toThrow();
  });
}

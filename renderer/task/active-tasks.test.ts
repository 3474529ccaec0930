import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import type { RenderOutcome } from '@trifold/platform/render-queue/port.ts';
import { expect, it } from 'vitest';
import { ActiveTasks } from './active-tasks.ts';
import { documentFailure } from '@trifold/platform/errors/document-error.ts';

const OUTCOME: RenderOutcome = {
  status: 'failed',
  failure: documentFailure('merge_failed', 'test'),
};
const { signal } = new AbortController();

it('reports how far a task exceeds its deadline and browser wait until it ends', async () => {
  const clock = new FakeClock();
  const activeTasks = new ActiveTasks(clock);
  const work = Promise.withResolvers<RenderOutcome>();
  const done = activeTasks.observing(() => work.promise)({ deadlineMs: 5_000 }, signal);
  clock.advance(15_000);
  expect(activeTasks.overrunMs).toBe(0);
  clock.advance(3_000);
  expect(activeTasks.overrunMs).toBe(3_000);
  work.resolve(OUTCOME);
  expect(await done).toBe(OUTCOME);
  expect(activeTasks.overrunMs).toBe(0);
});

it('removes a task that aborts', async () => {
  const clock = new FakeClock();
  const activeTasks = new ActiveTasks(clock);
  const rejecting = activeTasks.observing(() => Promise.reject(new Error('aborted')));
  await expect(rejecting({ deadlineMs: 1 }, signal)).rejects.toThrow('aborted');
  clock.advance(1_000);
  expect(activeTasks.overrunMs).toBe(0);
});

it('reports the longest deadline seen, at least one minute', async () => {
  const activeTasks = new ActiveTasks(new FakeClock());
  const handle = activeTasks.observing(async () => OUTCOME);
  expect(activeTasks.maxDeadlineMs).toBe(60_000);
  for (const deadlineMs of [300_000, 1_000]) await handle({ deadlineMs }, signal);
  expect(activeTasks.maxDeadlineMs).toBe(300_000);
});

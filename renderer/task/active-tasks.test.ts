import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import type { RenderOutcome } from '@trifold/platform/render-queue/port.ts';
import { createLogger } from '@trifold/platform/service/logging.ts';
import { describe, expect, it } from 'vitest';
import { DEFAULT_BROWSER_LIMITS } from '../browser/pool/browser-limits.ts';
import { BrowserPool } from '../browser/pool/browser-pool.ts';
import { ActiveTasks } from './active-tasks.ts';
import { documentFailure } from '@trifold/platform/service/document-error.ts';

const OUTCOME: RenderOutcome = {
  status: 'failed',
  failure: documentFailure('merge_failed', 'test'),
};
const { signal } = new AbortController();

describe('ActiveTasks', () => {
  it('reports how far a task overruns its deadline and the wait for a browser, until it ends', async () => {
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
    expect(activeTasks.longestDeadlineMs).toBe(60_000);
    for (const deadlineMs of [300_000, 1_000]) await handle({ deadlineMs }, signal);
    expect(activeTasks.longestDeadlineMs).toBe(300_000);
  });
});

describe('BrowserPool', () => {
  it('reports how long a browser has failed to start', async () => {
    const clock = new FakeClock();
    const logger = createLogger({ level: 'silent', name: 'test' });
    const launched = Promise.withResolvers<never>();
    const launch = () => launched.promise;
    const pool = new BrowserPool({ launch, size: 2, limits: DEFAULT_BROWSER_LIMITS, clock, logger });
    const started = pool.start();
    clock.advance(90_000);
    expect(pool.longestBusyMs).toBe(90_000);
    launched.reject(new Error('no such file'));
    await expect(started).rejects.toThrow('no such file');
    expect(pool.longestBusyMs).toBe(0);
  });
});

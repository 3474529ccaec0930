import type { RenderOutcome } from '@trifold/platform/render-queue/port.ts';
import { describe, expect, it } from 'vitest';
import { aJob } from '../../testing/objects.ts';
import { newestOf } from '../own-writes.ts';
import { beginRetry, taskIdOf, TrackedJobs } from './tracked-jobs.ts';

const FAILURE = { code: 'browser_died', message: 'the browser died', retryable: true };
const FAILED: RenderOutcome = { status: 'failed', failure: FAILURE };
const COMPLETED: RenderOutcome = {
  status: 'completed',
  result: {
    size: 1,
    pages: 1,
    sha256: 'b'.repeat(64),
    renderTimeMs: 1,
    timings: { queuedMs: 0, mergeMs: 0, printMs: 0, storeMs: 0 },
    startedAt: '2026-11-21T12:00:00.000Z',
    finishedAt: '2026-11-21T12:00:00.001Z',
  },
};

describe('TrackedJobs', () => {
  it('goes on with the attempt that the status has', () => {
    const tracked = new TrackedJobs().track(aJob({ status: { attempt: 2 } }));
    expect(taskIdOf(tracked)).toBe(`${aJob().metadata.uid}-2`);
  });

  it('leads from the task to its job, also when the uid has hyphens', () => {
    const jobs = new TrackedJobs();
    const tracked = jobs.track(aJob());
    expect(jobs.noteOutcome(taskIdOf(tracked), COMPLETED)).toEqual({
      namespace: 'acme',
      name: aJob().metadata.name,
    });
    expect(tracked.outcome).toEqual(COMPLETED);
  });

  it('knows nobody for the outcome of a job that was forgotten', () => {
    const jobs = new TrackedJobs();
    const tracked = jobs.track(aJob());
    jobs.forget(tracked);
    expect(jobs.noteOutcome(taskIdOf(tracked), COMPLETED)).toBeUndefined();
    expect(jobs.size).toBe(0);
  });

  it('does not take the late failure of an earlier attempt for the current one', () => {
    const jobs = new TrackedJobs();
    const tracked = jobs.track(aJob());
    const first = taskIdOf(tracked);
    beginRetry(tracked, FAILURE, 0);
    expect(jobs.noteOutcome(first, FAILED)).toBeUndefined();
    expect(tracked.outcome).toBeUndefined();
  });

  it('takes a stored document whichever attempt stored it, and no failure after it', () => {
    const jobs = new TrackedJobs();
    const tracked = jobs.track(aJob());
    const first = taskIdOf(tracked);
    beginRetry(tracked, FAILURE, 0);
    jobs.noteOutcome(first, COMPLETED);
    jobs.noteOutcome(taskIdOf(tracked), FAILED);
    expect(tracked.outcome).toEqual(COMPLETED);
  });

  it('keeps a job apart from a later one of the same name', () => {
    const jobs = new TrackedJobs();
    const first = jobs.track(aJob());
    const second = jobs.track(aJob({ metadata: { uid: 'b-2' } }));
    jobs.forget(first);
    expect(jobs.find({ namespace: 'acme', name: aJob().metadata.name })).toBe(second);
    expect(jobs.size).toBe(1);
  });
});

describe('newestOf', () => {
  it('answers with what was written when the cache shows any version that was replaced since', () => {
    const tracked = new TrackedJobs().track(aJob());
    tracked.replaced.add('7').add('8');
    tracked.latest = aJob({ metadata: { resourceVersion: '9' } });
    expect(newestOf(tracked, aJob({ metadata: { resourceVersion: '7' } }))).toBe(tracked.latest);
    expect(newestOf(tracked, aJob({ metadata: { resourceVersion: '8' } }))).toBe(tracked.latest);
    const newer = aJob({ metadata: { resourceVersion: '10' } });
    expect(newestOf(tracked, newer)).toBe(newer);
  });
});

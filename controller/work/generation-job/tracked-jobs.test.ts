import type { RenderOutcome } from '@trifold/platform/render-queue/port.ts';
import { describe, expect, it } from 'vitest';
import { aJob } from '../../testing/objects.ts';
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
  it('starts with the attempt in the status', () => {
    const tracked = new TrackedJobs().track(aJob({ status: { attempt: 2 } }));
    expect(taskIdOf(tracked)).toBe(`${aJob().metadata.uid}-2`);
  });

  it('finds the job of a task, also when the uid has hyphens', () => {
    const jobs = new TrackedJobs();
    const tracked = jobs.track(aJob());
    expect(jobs.noteOutcome(taskIdOf(tracked), COMPLETED)).toEqual({
      namespace: 'acme',
      name: aJob().metadata.name,
    });
    expect(tracked.outcome).toEqual(COMPLETED);
  });

  it('finds no job for the outcome of a forgotten job', () => {
    const jobs = new TrackedJobs();
    const tracked = jobs.track(aJob());
    jobs.forget(tracked);
    expect(jobs.noteOutcome(taskIdOf(tracked), COMPLETED)).toBeUndefined();
    expect(jobs.size).toBe(0);
  });

  it('does not apply the late failure of an earlier attempt to the current one', () => {
    const jobs = new TrackedJobs();
    const tracked = jobs.track(aJob());
    const first = taskIdOf(tracked);
    beginRetry(tracked, FAILURE, 0);
    expect(jobs.noteOutcome(first, FAILED)).toBeUndefined();
    expect(tracked.outcome).toBeUndefined();
  });

  it('accepts a stored document from any attempt, and no failure after it', () => {
    const jobs = new TrackedJobs();
    const tracked = jobs.track(aJob());
    const first = taskIdOf(tracked);
    beginRetry(tracked, FAILURE, 0);
    jobs.noteOutcome(first, COMPLETED);
    jobs.noteOutcome(taskIdOf(tracked), FAILED);
    expect(tracked.outcome).toEqual(COMPLETED);
  });

  it('distinguishes a job from a later one with the same name', () => {
    const jobs = new TrackedJobs();
    const first = jobs.track(aJob());
    const second = jobs.track(aJob({ metadata: { uid: 'b-2' } }));
    jobs.forget(first);
    expect(jobs.find({ namespace: 'acme', name: aJob().metadata.name })).toBe(second);
    expect(jobs.size).toBe(1);
  });
});

import type { RenderOutcome } from '@trifold/platform/render-queue/port.ts';
import { describe, expect, it } from 'vitest';
import { aBatch, aJob, NOON_BATCH_ID } from '../testing/objects.ts';
import { createTrackedBatches } from './batch/tracked-batches.ts';
import { createTrackedJobs } from './generation-job/tracked-jobs.ts';
import { beginAttempt, openDocuments, outcomeOf, taskIdOf } from './tracked-work.ts';
import { documentFailure } from '@trifold/platform/errors/document-error.ts';

const FAILED: RenderOutcome = { status: 'failed', failure: documentFailure('browser_crashed', 'it died') };
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
const JOB_KEY = { namespace: 'acme', name: aJob().metadata.name };
const BATCH_KEY = { namespace: 'acme', name: NOON_BATCH_ID };

describe('The outcome of a task', () => {
  it("belongs to the task's job, even if the uid has hyphens", () => {
    const jobs = createTrackedJobs();
    const { document } = jobs.track(aJob());
    expect(jobs.noteOutcome(taskIdOf(document), COMPLETED)).toEqual(JOB_KEY);
    expect(outcomeOf(document)).toEqual(COMPLETED);
  });

  it("belongs to the task's batch and item", () => {
    const batches = createTrackedBatches();
    const { documents, uid } = batches.track(aBatch());
    expect(batches.noteOutcome(`${uid}-2-1`, COMPLETED)).toEqual(BATCH_KEY);
    expect(documents.map((each) => outcomeOf(each)?.status)).toEqual([undefined, undefined, 'completed']);
  });

  it.each([
    ['a job, whose task has no index', `${aBatch().metadata.uid}-1`],
    ['an item that does not exist', `${aBatch().metadata.uid}-3-1`],
    ['another batch', 'f0000000-0000-4000-8000-000000000000-0-1'],
    ['a foreign task', 'something'],
  ])('is ignored if it belongs to %s', (_what, taskId) => {
    const batches = createTrackedBatches();
    const { documents } = batches.track(aBatch());
    expect(batches.noteOutcome(taskId, COMPLETED)).toBeUndefined();
    expect(documents.every((document) => !outcomeOf(document))).toBe(true);
  });

  it('is ignored after its batch is forgotten', () => {
    const batches = createTrackedBatches();
    const tracked = batches.track(aBatch());
    batches.forget(tracked);
    expect(batches.find(BATCH_KEY)).toBeUndefined();
    expect(batches.noteOutcome(`${tracked.uid}-0-1`, COMPLETED)).toBeUndefined();
    expect(batches.openDocuments).toBe(0);
  });

  it('counts from any attempt if the file is stored, otherwise only from the current one', () => {
    const jobs = createTrackedJobs();
    const { document } = jobs.track(aJob());
    const first = taskIdOf(document);
    beginAttempt(document, { attempt: 2, lostAttempts: 0 }, 0);
    expect(jobs.noteOutcome(first, FAILED)).toBeUndefined();
    expect(outcomeOf(document)).toBeUndefined();
    expect(jobs.noteOutcome(first, COMPLETED)).toEqual(JOB_KEY);
    jobs.noteOutcome(taskIdOf(document), FAILED);
    expect(outcomeOf(document)).toBe(COMPLETED);
  });
});

it('Tracked work adopts changes that another controller has since written', () => {
  const batches = createTrackedBatches();
  const tracked = batches.track(
    aBatch({ status: { phase: 'Processing', items: [{ index: 1, phase: 'Pending', attempt: 2 }] } }),
  );
  expect(tracked.documents.map(({ attempt }) => attempt)).toEqual([1, 2, 1]);
  const items = [
    { index: 0, phase: 'Failed' as const, attempt: 1, error: { code: 'print_failed', message: 'why' } },
    { index: 2, phase: 'Completed' as const, attempt: 1, size: 7 },
    { index: 99, phase: 'Completed' as const },
  ];
  expect(batches.track(aBatch({ status: { phase: 'Processing', items } }))).toBe(tracked);
  expect(openDocuments(tracked).map(({ index }) => index)).toEqual([1]);
  expect(batches.openDocuments).toBe(1);
});

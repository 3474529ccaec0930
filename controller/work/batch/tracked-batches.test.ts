import type { RenderOutcome } from '@trifold/platform/render-queue/port.ts';
import { describe, expect, it } from 'vitest';
import { aBatch, NOON_BATCH_ID } from '../../testing/objects.ts';
import { beginAttempt, itemTaskId, openItems, TrackedBatches } from './tracked-batches.ts';

const FAILED: RenderOutcome = {
  status: 'failed',
  failure: { code: 'browser_died', message: 'the browser died', retryable: true },
};
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
const KEY = { namespace: 'acme', name: NOON_BATCH_ID };

describe('TrackedBatches', () => {
  it('finds the item of a task, also when the uid has hyphens', () => {
    const batches = new TrackedBatches();
    const tracked = batches.track(aBatch(), false);
    expect(batches.noteOutcome(`${tracked.uid}-2-1`, COMPLETED)).toEqual(KEY);
    expect(tracked.items.map(({ outcome }) => outcome?.status)).toEqual([undefined, undefined, 'completed']);
  });

  it.each([
    ['a job, whose task has no index', `${aBatch().metadata.uid}-1`],
    ['an item that there is not', `${aBatch().metadata.uid}-3-1`],
    ['another batch', 'f0000000-0000-4000-8000-000000000000-0-1'],
    ['no task of ours', 'something'],
  ])('ignores the outcome of %s', (_what, taskId) => {
    const batches = new TrackedBatches();
    const tracked = batches.track(aBatch(), false);
    expect(batches.noteOutcome(taskId, COMPLETED)).toBeUndefined();
    expect(tracked.items.every(({ outcome }) => outcome === undefined)).toBe(true);
  });

  it('accepts a file from any attempt, and a failure from the current one only', () => {
    const batches = new TrackedBatches();
    const tracked = batches.track(aBatch(), false);
    const [item] = tracked.items;
    if (!item) throw new Error('it has items');
    const first = itemTaskId(tracked, item);
    beginAttempt(item, { attempt: 2, lostAttempts: 0 }, 0);
    expect(batches.noteOutcome(first, FAILED)).toBeUndefined();
    expect(batches.noteOutcome(first, COMPLETED)).toEqual(KEY);
    batches.noteOutcome(itemTaskId(tracked, item), FAILED);
    expect(item.outcome).toBe(COMPLETED);
  });

  it('starts with the status, and takes over what another controller has written since', () => {
    const batches = new TrackedBatches();
    const tracked = batches.track(
      aBatch({ status: { phase: 'Processing', items: [{ index: 1, phase: 'Pending', attempt: 2 }] } }),
      true,
    );
    expect(tracked.items.map(({ attempt }) => attempt)).toEqual([1, 2, 1]);
    const items = [
      { index: 0, phase: 'Failed' as const, attempt: 1, error: { code: 'print_failed', message: 'why' } },
      { index: 2, phase: 'Completed' as const, attempt: 1, size: 7 },
      { index: 99, phase: 'Completed' as const },
    ];
    expect(batches.track(aBatch({ status: { phase: 'Processing', items } }), true)).toBe(tracked);
    expect(openItems(tracked).map(({ index }) => index)).toEqual([1]);
    expect(batches.openItems).toBe(1);
  });

  it('has no batch after it is forgotten', () => {
    const batches = new TrackedBatches();
    const tracked = batches.track(aBatch(), false);
    batches.forget(tracked);
    expect(batches.find(KEY)).toBeUndefined();
    expect(batches.noteOutcome(`${tracked.uid}-0-1`, COMPLETED)).toBeUndefined();
    expect(batches.openItems).toBe(0);
  });
});

import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { expect, it } from 'vitest';
import { aBatch, aJob } from '../testing/objects.ts';
import { createTrackedBatches } from './batch/tracked-batches.ts';
import { DispatchWindow } from './dispatch-window.ts';
import { createTrackedJobs } from './generation-job/tracked-jobs.ts';
import { decide } from './tracked-work.ts';
import { documentFailure } from '@trifold/platform/errors/document-error.ts';

/** A window for `most` documents and the names of the work it has woken. */
function windowOf(most: number): { window: DispatchWindow; woken: string[] } {
  const woken: string[] = [];
  const enqueue = ({ name }: ObjectKey) => woken.push(name);
  return { window: new DispatchWindow(most, { enqueue }), woken };
}

function asynchronousJob(name: string, namespace = 'acme') {
  return createTrackedJobs().track(aJob({ metadata: { name, namespace, uid: `uid-${name}`, labels: {} } }));
}

it('asynchronous jobs enter up to the limit, and the others enter as earlier ones end, alternating between accounts', () => {
  const { window, woken } = windowOf(2);
  const jobs = ['a1', 'a2', 'a3', 'a4'].map((name) => asynchronousJob(name));
  const other = asynchronousJob('b1', 'other');
  expect([...jobs, other].map((job) => window.enter(job))).toEqual([true, true, false, false, false]);
  const [first, second, third] = jobs;
  for (const job of [first, second, third]) {
    if (job) window.leave(job);
  }
  expect(woken).toEqual(['a3', 'b1', 'a4']);
  expect(window.enter(other)).toBe(true);
});

it("jobs that clients await enter up to their account's limit, without using capacity", () => {
  const { window, woken } = windowOf(1);
  const awaited = (name: string, namespace = 'acme') =>
    createTrackedJobs().track(aJob({ metadata: { name, namespace, uid: `uid-${name}` } }));
  const jobs = Array.from({ length: BOUNDS.queuedDocuments.limit.value }, (_, index) => awaited(`s${index}`));
  expect(jobs.every((job) => window.enter(job))).toBe(true);
  const [first, last] = [jobs[0], awaited('last')];
  expect(
    [last, asynchronousJob('a1'), awaited('b1', 'other'), first].map((job) => window.enter(job!)),
  ).toEqual([false, true, true, true]);
  window.leave(first!);
  expect(woken).toEqual(['last']);
});

it('a batch enters as a whole and uses capacity for its undecided items', () => {
  const { window, woken } = windowOf(2);
  const batch = (name: string) =>
    createTrackedBatches().track(aBatch({ metadata: { name, uid: `uid-${name}` } }));
  const [one, two] = [batch('one'), batch('two')];
  expect([window.enter(one), window.enter(two)]).toEqual([true, false]);
  for (const document of one.documents.slice(0, 2))
    decide(document, { status: 'failed', failure: documentFailure('print_failed', 'why') });
  expect(window.enter(one)).toBe(true);
  expect(woken).toEqual(['two']);
});

it('work that is removed while it waits is not woken', () => {
  const { window, woken } = windowOf(1);
  const [first, gone, last] = ['a1', 'a2', 'a3'].map((name) => asynchronousJob(name));
  for (const job of [first, gone, last]) if (job) window.enter(job);
  for (const job of [gone, first]) if (job) window.leave(job);
  expect(woken).toEqual(['a3']);
});

it('work that waits behind other work does not cause the documents in the queue to be counted', () => {
  const { window } = windowOf(1);
  const first = asynchronousJob('first');
  let counted = 0;
  const { documents } = first;
  const inQueue = Object.defineProperty({ ...first }, 'documents', { get: () => (counted++, documents) });
  const others = Array.from({ length: 10 }, (_, index) => asynchronousJob(`a${index}`));
  for (const job of [inQueue, ...others]) window.enter(job);
  expect(counted).toBeLessThan(others.length);
});

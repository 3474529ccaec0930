import { OWN_E_INVOICE_ANNOTATION, type Batch, type BatchItemResult } from '@trifold/crds';
import { usageOfBatch } from '@trifold/platform/records/usage/work-usage.ts';
import { describe, expect, it } from 'vitest';
import { aBatch, aJob } from '../testing/objects.ts';
import { deliveriesOfBatch } from '../webhooks/events/batch-events.ts';
import { isPastRetention } from '../finished-work/deletion-time.ts';
import { reducedBatch, reducedJob } from './reduced-work.ts';

const endpoint = { name: 'hook-1', uid: 'e-1' };

function finished(error: BatchItemResult['error']): Batch {
  const items = Array.from({ length: 100 }, (_, index) => {
    const item: BatchItemResult = { index, phase: 'Failed', attempt: 2 };
    return error ? { ...item, error } : item;
  });
  const message = 'x'.repeat(4000);
  const condition = { type: 'Failed', status: 'True', reason: 'AllItemsFailed', message } as const;
  return aBatch({
    metadata: { labels: { 'trifold.dev/items': '100' } },
    spec: {
      total: 100,
      options: { footer: { content: 'y'.repeat(4000) } },
      items: [{ index: 0, filename: 'a.pdf', clientMetadata: { order: 'w'.repeat(1000) } }],
      clientMetadata: { run: '2026-11' },
    },
    status: {
      phase: 'Failed',
      completed: 0,
      failed: 100,
      items,
      conditions: [{ ...condition, lastTransitionTime: '2026-11-21T12:00:05Z' }],
      finishedAt: '2026-11-21T12:00:04Z',
      error: { code: 'all_items_failed', message: 'z'.repeat(4000) },
      deliverTo: [endpoint],
    },
  });
}

it('reducedJob keeps only the annotations that records depend on', () => {
  const kept = { [OWN_E_INVOICE_ANNOTATION]: 'true' };
  const annotations = { ...kept, 'kubectl.kubernetes.io/last-applied-configuration': '{}' };
  expect(reducedJob(aJob({ metadata: { annotations } })).metadata.annotations).toEqual(kept);
});

describe('reducedBatch', () => {
  it('reduces a finished batch', () => {
    const error = { code: 'print_failed', message: 'm'.repeat(200) };
    expect(JSON.stringify(reducedBatch(finished(error))).length).toBeLessThan(1500);
  });

  it('keeps the fields that deliveries and retention depend on', () => {
    const batch = finished(undefined);
    const slim = reducedBatch(batch);
    expect(deliveriesOfBatch(batch)).toHaveLength(1);
    expect(deliveriesOfBatch(slim)).toEqual(deliveriesOfBatch(batch));
    for (const time of ['2026-11-21T12:10:04Z', '2026-11-21T12:10:05Z']) {
      const past = (one: Batch) => isPastRetention(one, new Date(time), 600);
      expect(past(slim)).toBe(past(batch));
    }
  });

  it('keeps the usage of all items', () => {
    const batch = finished(undefined);
    const items = [2, 3].map((pages, index) => ({ index, phase: 'Completed' as const, pages, size: 500 }));
    const completed = { ...batch, status: { ...batch.status, completed: 2, failed: 0, items } };
    expect(usageOfBatch(completed)?.usage).toMatchObject({ pages: 5, bytes: 1000 });
    const slim = reducedBatch(completed);
    expect(slim.status?.items).toBeUndefined();
    // Pages of a list are reduced before the cache reduces each object.
    for (const one of [slim, reducedBatch(slim)]) expect(usageOfBatch(one)).toEqual(usageOfBatch(completed));
  });

  it('keeps an item whose error means that the files belong to another batch', () => {
    const error = { code: 'id_reused', message: 'why' };
    expect(reducedBatch(finished(error)).status?.items?.map((item) => item.error)).toEqual([error]);
  });
});

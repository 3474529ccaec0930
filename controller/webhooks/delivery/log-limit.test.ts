import type { WebhookDelivery } from '@trifold/crds';
import { ObjectCache } from '@trifold/platform/kubernetes/cache/object-cache.ts';
import { expect, it } from 'vitest';
import { SPOOL_LIMITS } from '../config.ts';
import { KEPT, keptAt } from './delivery-indexes.ts';
import { pendingQuota } from './delivery-quota.ts';
import { LogLimit } from './log-limit.ts';

function delivery(
  number: number,
  phase: 'Delivered' | 'Failed' | 'Pending',
  endpoint = 'e-1',
): WebhookDelivery {
  const name = `whd-${String(number).padStart(4, '0')}`;
  return {
    apiVersion: 'trifold.dev/v1alpha1',
    kind: 'WebhookDelivery',
    metadata: {
      name,
      namespace: 'acme',
      uid: `${endpoint}-${number}`,
      resourceVersion: '1',
      generation: 1,
      creationTimestamp: '2026-11-21T12:00:00Z',
    },
    spec: {
      event: { id: 'evt-1', type: 'document.completed', createdAt: '2026-11-21T12:00:00Z', payload: '{}' },
      endpointRef: { name: 'account', uid: endpoint },
    },
    status: { phase },
  };
}

it('LogLimit deletes the oldest deliveries of an endpoint and outcome', () => {
  const cache = new ObjectCache<WebhookDelivery>({ [KEPT]: keptAt });
  const limit = new LogLimit(cache, { Delivered: 20, Failed: 100 });
  const gone: string[] = [];
  for (let number = 1; number <= 23; number += 1) {
    const delivered = delivery(number, 'Delivered');
    cache.put(delivered);
    gone.push(...limit.note(delivered).map(({ name }) => name));
    const failed = delivery(number + 100, 'Failed');
    cache.put(failed);
    expect(limit.note(failed)).toEqual([]);
  }
  expect(gone).toEqual(['whd-0001', 'whd-0002', 'whd-0003']);
  expect(limit.isSurplus(delivery(1, 'Delivered'))).toBe(true);
  expect(limit.isSurplus(delivery(4, 'Delivered'))).toBe(false);
  // Pending deliveries never count.
  expect(limit.note(delivery(99, 'Pending'))).toEqual([]);
});

it('LogLimit deletes the oldest deliveries of all endpoints of an account', () => {
  const cache = new ObjectCache<WebhookDelivery>({ [KEPT]: keptAt });
  const limit = new LogLimit(cache, { Delivered: 20, Failed: 20 }, { Delivered: 20, Failed: 100 });
  const gone: string[] = [];
  for (let number = 1; number <= 23; number += 1) {
    const delivered = delivery(number, 'Delivered', `e-${number}`);
    cache.put(delivered);
    gone.push(...limit.note(delivered).map(({ name }) => name));
  }
  expect(gone).toEqual(['whd-0001', 'whd-0002', 'whd-0003']);
});

it.each([
  { destination: 0, account: 0, quota: 5_000 },
  { destination: 4_999, account: 4_999, quota: 1 },
  { destination: 0, account: 9_000, quota: 1_000 },
  { destination: 40, account: 12_000, quota: 60 },
  { destination: 100, account: 10_000, quota: 0 },
])('pendingQuota is $quota with $destination pending deliveries of $account', ({ quota, ...counts }) => {
  const address = { destination: 'uid', account: 'acme' };
  const deliveries = {
    countByIndex: (_index: string, value: string) => counts[value === 'uid' ? 'destination' : 'account'],
  };
  expect(pendingQuota({ deliveries, limits: SPOOL_LIMITS }, address)).toBe(quota);
});

it('LogLimit keeps a delivery due for deletion that is retried, whatever the result', () => {
  const cache = new ObjectCache<WebhookDelivery>({ [KEPT]: keptAt });
  const limit = new LogLimit(cache, { Delivered: 100, Failed: 10 });
  for (let number = 1; number <= 13; number += 1) {
    const failed = delivery(number, 'Failed');
    cache.put(failed);
    limit.note(failed);
  }
  const saved = (number: number) => !limit.isSurplus(delivery(number, 'Failed'));
  expect([1, 2, 3].map(saved)).toEqual([false, false, true]);
  // The first is being sent again, the second was already sent again.
  expect(limit.note(delivery(1, 'Pending'))).toEqual([]);
  expect(limit.note(delivery(2, 'Delivered'))).toEqual([]);
  expect([1, 2].map(saved)).toEqual([true, true]);
  // No deletion is pending any more; beyond the same limit, the oldest are deleted again.
  for (const ended of [delivery(1, 'Pending'), delivery(2, 'Delivered')]) {
    cache.put({ ...ended, metadata: { ...ended.metadata, resourceVersion: '2' } });
  }
  expect(limit.note(delivery(13, 'Failed'))).toEqual([]);
  const failed = delivery(14, 'Failed');
  cache.put(failed);
  expect(limit.note(failed).map(({ name }) => name)).toEqual(['whd-0003', 'whd-0004']);
});

import type { WebhookDelivery } from '@trifold/crds';
import { ObjectCache } from '@trifold/platform/kubernetes/cache/object-cache.ts';
import { beforeEach, expect, it } from 'vitest';
import { aDelivery } from '../../testing/objects.ts';
import { KEPT, keptAt } from './delivery-indexes.ts';
import { LogLimit } from './log-limit.ts';

/** Names of the deliveries to delete. */
let gone: string[];
let cache: ObjectCache<WebhookDelivery>;
beforeEach(() => {
  gone = [];
  cache = new ObjectCache({ [KEPT]: keptAt });
});
const requests = { enqueue: ({ name }: { name: string }) => void gone.push(name) };

function delivery(number: number, phase: 'Delivered' | 'Failed' | 'Pending', endpoint = 'e-1') {
  const name = `whd-${String(number).padStart(4, '0')}`;
  return aDelivery({
    metadata: { name, uid: `${endpoint}-${number}`, resourceVersion: '1' },
    spec: { endpointRef: { name: 'account', uid: endpoint } },
    status: { phase },
  });
}

function settle(limit: LogLimit, settled: WebhookDelivery): void {
  cache.put(settled);
  limit.note(settled);
}

it('LogLimit deletes the oldest deliveries for each endpoint and outcome', () => {
  const limit = new LogLimit(cache, requests, { Delivered: 20, Failed: 100 });
  for (let number = 1; number <= 23; number += 1) {
    settle(limit, delivery(number, 'Delivered'));
    settle(limit, delivery(number + 100, 'Failed'));
  }
  expect(gone).toEqual(['whd-0001', 'whd-0002', 'whd-0003']);
  expect(limit.isSurplus(delivery(1, 'Delivered'))).toBe(true);
  expect(limit.isSurplus(delivery(4, 'Delivered'))).toBe(false);
  // Pending deliveries never count.
  limit.note(delivery(99, 'Pending'));
  expect(gone).toHaveLength(3);
});

it('LogLimit deletes the oldest deliveries across all endpoints of an account', () => {
  const limit = new LogLimit(cache, requests, { Delivered: 20, Failed: 20 }, { Delivered: 20, Failed: 100 });
  for (let number = 1; number <= 23; number += 1) {
    settle(limit, delivery(number, 'Delivered', `e-${number}`));
  }
  expect(gone).toEqual(['whd-0001', 'whd-0002', 'whd-0003']);
});

it('LogLimit keeps a delivery that is due for deletion if it is retried, regardless of the result', () => {
  const limit = new LogLimit(cache, requests, { Delivered: 100, Failed: 10 });
  for (let number = 1; number <= 13; number += 1) {
    settle(limit, delivery(number, 'Failed'));
  }
  const saved = (number: number) => !limit.isSurplus(delivery(number, 'Failed'));
  expect([1, 2, 3].map(saved)).toEqual([false, false, true]);
  // The first is being resent; the second has already been resent.
  gone = [];
  limit.note(delivery(1, 'Pending'));
  limit.note(delivery(2, 'Delivered'));
  expect([1, 2].map(saved)).toEqual([true, true]);
  // No deletion is pending anymore; beyond the same limit, the oldest are deleted again.
  for (const ended of [delivery(1, 'Pending'), delivery(2, 'Delivered')]) {
    cache.put({ ...ended, metadata: { ...ended.metadata, resourceVersion: '2' } });
  }
  limit.note(delivery(13, 'Failed'));
  expect(gone).toEqual([]);
  settle(limit, delivery(14, 'Failed'));
  expect(gone).toEqual(['whd-0003', 'whd-0004']);
});

import type { WebhookDelivery } from '@trifold/crds';
import { ObjectCache } from '@trifold/platform/kubernetes/cache/object-cache.ts';
import { beforeEach, expect, it } from 'vitest';
import { aDelivery } from '../../testing/objects.ts';
import { KEPT, keptAt } from './delivery-indexes.ts';
import { LogLimit } from './log-limit.ts';

/** Names of the deliveries to delete. */
let gone: string[];
beforeEach(() => {
  gone = [];
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

it('LogLimit deletes the oldest deliveries for each endpoint and outcome', () => {
  const cache = new ObjectCache<WebhookDelivery>({ [KEPT]: keptAt });
  const limit = new LogLimit(cache, requests, { Delivered: 20, Failed: 100 });
  for (let number = 1; number <= 23; number += 1) {
    const delivered = delivery(number, 'Delivered');
    cache.put(delivered);
    limit.note(delivered);
    const failed = delivery(number + 100, 'Failed');
    cache.put(failed);
    limit.note(failed);
  }
  expect(gone).toEqual(['whd-0001', 'whd-0002', 'whd-0003']);
  expect(limit.isSurplus(delivery(1, 'Delivered'))).toBe(true);
  expect(limit.isSurplus(delivery(4, 'Delivered'))).toBe(false);
  // Pending deliveries never count.
  limit.note(delivery(99, 'Pending'));
  expect(gone).toHaveLength(3);
});

it('LogLimit deletes the oldest deliveries across all endpoints of an account', () => {
  const cache = new ObjectCache<WebhookDelivery>({ [KEPT]: keptAt });
  const limit = new LogLimit(cache, requests, { Delivered: 20, Failed: 20 }, { Delivered: 20, Failed: 100 });
  for (let number = 1; number <= 23; number += 1) {
    const delivered = delivery(number, 'Delivered', `e-${number}`);
    cache.put(delivered);
    limit.note(delivered);
  }
  expect(gone).toEqual(['whd-0001', 'whd-0002', 'whd-0003']);
});

it('LogLimit keeps a delivery that is due for deletion if it is retried, whatever the result', () => {
  const cache = new ObjectCache<WebhookDelivery>({ [KEPT]: keptAt });
  const limit = new LogLimit(cache, requests, { Delivered: 100, Failed: 10 });
  for (let number = 1; number <= 13; number += 1) {
    const failed = delivery(number, 'Failed');
    cache.put(failed);
    limit.note(failed);
  }
  const saved = (number: number) => !limit.isSurplus(delivery(number, 'Failed'));
  expect([1, 2, 3].map(saved)).toEqual([false, false, true]);
  // The first is being resent, the second has already been resent.
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
  const failed = delivery(14, 'Failed');
  cache.put(failed);
  limit.note(failed);
  expect(gone).toEqual(['whd-0003', 'whd-0004']);
});

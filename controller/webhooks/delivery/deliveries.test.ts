import { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { WEBHOOK_DELIVERY } from '@trifold/crds';
import { expect, it } from 'vitest';
import { SPOOL_LIMITS } from '../config.ts';
import { Deliveries } from './deliveries.ts';

it.each([
  { destination: 0, account: 0, quota: 5_000, room: true },
  { destination: 4_999, account: 4_999, quota: 1, room: false },
  { destination: 0, account: 9_000, quota: 1_000, room: true },
  { destination: 40, account: 12_000, quota: 60, room: true },
  { destination: 100, account: 10_000, quota: 0, room: false },
])('quotaOf is $quota with $destination pending deliveries of $account', ({ quota, room, ...counts }) => {
  const nothing = { warn: () => undefined };
  const cache = {
    get: () => undefined,
    mutated: () => undefined,
    byIndex: () => [],
    countByIndex: (_index: string, value: string) => counts[value === 'uid' ? 'destination' : 'account'],
  };
  const transport = { send: () => Promise.reject(new Error('there is no server')) };
  const client = new KubernetesClient(transport).resource(WEBHOOK_DELIVERY);
  const limits = SPOOL_LIMITS;
  const deliveries = new Deliveries({ client, cache, limits, logger: nothing, events: nothing });
  const address = { destination: 'uid', account: 'acme' };
  expect(deliveries.quotaOf(address)).toBe(quota);
  expect(deliveries.hasRoomForSpooled(address)).toBe(room);
});

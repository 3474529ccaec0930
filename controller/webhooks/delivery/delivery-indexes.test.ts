import { expect, it } from 'vitest';
import { destinationOf, isOfCallbacks } from './delivery-indexes.ts';

const createdAt = '2026-11-21T12:00:00Z';
const event = { id: 'evt-1', type: 'generation.completed', createdAt, payload: '{}' } as const;
const callback = (url: string, namespace = 'acme') =>
  destinationOf({ metadata: { namespace }, spec: { event, url } });

it("destinationOf returns the endpoint's uid", () => {
  const uid = '0d2c1e5e-5c54-4a9e-9d0f-0f6d1a3a7f10';
  const spec = { event, endpointRef: { name: 'account', uid } };
  expect(destinationOf({ metadata: { namespace: 'acme' }, spec })).toBe(uid);
  expect(isOfCallbacks(uid)).toBe(false);
});

it('destinationOf returns one value per account and origin for callbacks, regardless of the path', () => {
  const one = callback('https://hooks.example.com/one?x=1');
  expect(one).toMatch(/^callbacks-\d+\.acme$/);
  expect(isOfCallbacks(one)).toBe(true);
  expect(callback('https://HOOKS.example.com:443/two')).toBe(one);
  expect(callback('https://hooks.example.com/one', 'other')).not.toBe(one);
  expect(callback('https://hooks.example.com:8443/one')).not.toBe(one);
});

it('destinationOf returns no more callback values than an account may have endpoints', () => {
  const all = Array.from({ length: 5_000 }, (_, index) => callback(`https://host-${index}.example.com/`));
  expect(new Set(all).size).toBe(50);
});

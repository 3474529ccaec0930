import { expect, it } from 'vitest';
import { rateLimit } from './setting-forms.ts';

it.each([
  ['600/1m', { requests: 600, windowMs: 60_000 }],
  ['1/1s', { requests: 1, windowMs: 1_000 }],
  ['100000/24h', { requests: 100_000, windowMs: 86_400_000 }],
  ['5/2000ms', { requests: 5, windowMs: 2_000 }],
])('rateLimit parses %s', (text, limit) => expect(rateLimit.parse(text)).toEqual(limit));

it('rateLimit parses "off" as no limit', () => {
  expect(rateLimit.parse('off')).toBeUndefined();
});

it.each(['', '600', '600/', '/1m', '0/1m', '-1/1m', '1.5/1m', '600/0s', '600/1500ms', '600/25h', '600 / 1m'])(
  'rateLimit rejects %j',
  (text) => expect(() => rateLimit.parse(text)).toThrow(RangeError),
);

import { expect, it } from 'vitest';
import { isKey } from '@trifold/crds';
import { apiKeySpecOf, generateKey } from './key-material.ts';

it('A generated API key has 51 characters: tf_live_ or tf_test_ and 43 letters and digits', () => {
  expect(generateKey('live')).toMatch(/^tf_live_[A-Za-z0-9]{43}$/);
  expect(generateKey('test')).toMatch(/^tf_test_[A-Za-z0-9]{43}$/);
  expect(isKey(generateKey('test'))).toBe(true);
});

it('A generated API key uses 62 characters with equal probability', () => {
  const counts = new Map<string, number>();
  const keys = 2_000;
  for (let generated = 0; generated < keys; generated++) {
    for (const character of generateKey('live').slice(8)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  expect(counts.size).toBe(62);
  const expected = (keys * 43) / 62;
  // Six standard deviations. A byte modulo 62 would make eight characters a fifth more frequent, which is eight
  // deviations.
  for (const [character, count] of counts) {
    expect(Math.abs(count - expected), character).toBeLessThan(6 * Math.sqrt(expected));
  }
});

it('The stored part of an API key cannot be created from an invalid key, and the error does not quote the key', () => {
  expect(() => apiKeySpecOf('tf_live_secret', { name: 'x', scopes: [] })).toThrow(RangeError);
  expect(() => apiKeySpecOf('tf_live_secret', { name: 'x', scopes: [] })).not.toThrow(/secret/);
});

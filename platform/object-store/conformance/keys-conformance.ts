import { describe, expect, it } from 'vitest';
import { ObjectStoreError } from '../port.ts';
import type { StoreFixture } from './store-fixture.ts';

export function describeKeys(fixture: StoreFixture): void {
  describe('key validation', () => {
    it.each([
      'a',
      '.hidden',
      '...',
      'a..b/c--d',
      '-/_/.x',
      'UPPER/lower',
      '007',
      '1e3',
      '1.50',
      'true',
      '0x1f',
      `${'s'.repeat(200)}/${'t'.repeat(200)}`,
      Array.from({ length: 256 }, () => 'x').join('/'),
    ])('accepts valid key no. %#', async (key) => {
      await fixture.store.put(key, 'x');
      expect((await fixture.store.read(key))?.toString()).toBe('x');
      expect(await fixture.keysOf('')).toEqual([key]);
    });

    it.each([
      '',
      '/',
      'a/',
      '/a',
      'a//b',
      '.',
      '..',
      '../a',
      'a/../b',
      'a/./b',
      'a/..',
      'a b',
      'ä',
      'a\0b',
      'a\\b',
      'a%2fb',
      'a@',
      'a:b',
      'x'.repeat(201),
      `${'abc/'.repeat(128)}d`,
    ])('rejects %j in every method', async (key) => {
      const rejected = { name: 'ObjectStoreError', code: 'invalid_key', retryable: false };
      await expect(fixture.store.put(key, 'x')).rejects.toMatchObject(rejected);
      await expect(fixture.store.get(key)).rejects.toMatchObject(rejected);
      await expect(fixture.store.read(key)).rejects.toMatchObject(rejected);
      await expect(fixture.store.head(key)).rejects.toMatchObject(rejected);
      await expect(fixture.store.delete(key)).rejects.toMatchObject(rejected);
    });

    it('distinguishes case and allows one key to be a prefix of another', async () => {
      await fixture.fill('a/b', 'a/b/c', 'a/B', 'a');
      expect(await fixture.keysOf('')).toEqual(['a', 'a/B', 'a/b', 'a/b/c']);
      await fixture.store.delete('a/b');
      expect((await fixture.store.read('a/b/c'))?.toString()).toBe('a/b/c');
      expect(await fixture.store.head('a/b')).toBeUndefined();
    });

    it('reports errors as ObjectStoreError', async () => {
      await expect(fixture.store.read('..')).rejects.toBeInstanceOf(ObjectStoreError);
    });
  });
}

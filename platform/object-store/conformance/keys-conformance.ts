import { describe, expect, it } from 'vitest';
import { ObjectStoreError } from '../port.ts';
import type { StoreWorld } from './store-world.ts';

export function describeKeys(world: StoreWorld): void {
  describe('keys', () => {
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
    ])('takes key no. %# of the allowed', async (key) => {
      await world.store.put(key, 'x');
      expect((await world.store.read(key))?.toString()).toBe('x');
      expect(await world.keysOf('')).toEqual([key]);
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
    ])('refuses %j everywhere', async (key) => {
      const refused = { name: 'ObjectStoreError', code: 'invalid_key', retryable: false };
      await expect(world.store.put(key, 'x')).rejects.toMatchObject(refused);
      await expect(world.store.get(key)).rejects.toMatchObject(refused);
      await expect(world.store.read(key)).rejects.toMatchObject(refused);
      await expect(world.store.head(key)).rejects.toMatchObject(refused);
      await expect(world.store.delete(key)).rejects.toMatchObject(refused);
    });

    it('tells keys apart by case and lets one be the prefix of another', async () => {
      await world.fill('a/b', 'a/b/c', 'a/B', 'a');
      expect(await world.keysOf('')).toEqual(['a', 'a/B', 'a/b', 'a/b/c']);
      await world.store.delete('a/b');
      expect((await world.store.read('a/b/c'))?.toString()).toBe('a/b/c');
      expect(await world.store.head('a/b')).toBeUndefined();
    });

    it('reports its errors as ObjectStoreError', async () => {
      await expect(world.store.read('..')).rejects.toBeInstanceOf(ObjectStoreError);
    });
  });
}

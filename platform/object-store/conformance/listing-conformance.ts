import { describe, expect, it } from 'vitest';
import type { StoreFixture } from './store-fixture.ts';
import { ObjectStoreError } from '../port.ts';

export function describeListing(fixture: StoreFixture): void {
  describe('list', () => {
    const keys = ['a/1', 'a/b/2', 'a/b/c/3', 'a-x', 'a.y', 'b/4', 'documents/20261121T0305Z/acme/gen-1'];

    it('returns everything below a prefix, sorted by key', async () => {
      await fixture.fill(...keys);
      expect(await fixture.keysOf('')).toEqual(keys.toSorted());
      expect(await fixture.keysOf('a/')).toEqual(['a/1', 'a/b/2', 'a/b/c/3']);
      expect(await fixture.keysOf('a')).toEqual(['a-x', 'a.y', 'a/1', 'a/b/2', 'a/b/c/3']);
      expect(await fixture.keysOf('documents/2026')).toEqual(['documents/20261121T0305Z/acme/gen-1']);
      expect(await fixture.store.list('c/')).toEqual({ objects: [], prefixes: [] });
      expect(await fixture.store.list('a/1/')).toEqual({ objects: [], prefixes: [] });
    });

    it('returns the size and time', async () => {
      await fixture.store.put('sized', 'four', { metadata: { more: 'than that' } });
      const { objects } = await fixture.store.list('');
      expect(objects).toHaveLength(1);
      expect(objects[0]).toMatchObject({ key: 'sized', size: 4 });
      expect(objects[0]?.lastModified).toEqual((await fixture.store.head('sized'))?.lastModified);
    });

    it('stops at the delimiter and returns the rest as prefixes', async () => {
      await fixture.fill(...keys);
      const root = await fixture.store.list('', { delimiter: '/' });
      expect(root.objects.map(({ key }) => key)).toEqual(['a-x', 'a.y']);
      expect(root.prefixes).toEqual(['a/', 'b/', 'documents/']);
      const level = await fixture.store.list('a/', { delimiter: '/' });
      expect(level.objects.map(({ key }) => key)).toEqual(['a/1']);
      expect(level.prefixes).toEqual(['a/b/']);
      expect((await fixture.store.list('documents/2026', { delimiter: '/' })).prefixes).toEqual([
        'documents/20261121T0305Z/',
      ]);
    });

    it('omits prefixes without objects', async () => {
      await fixture.fill('a/b/c/1', 'z/1');
      await fixture.store.delete('a/b/c/1');
      expect((await fixture.store.list('', { delimiter: '/' })).prefixes).toEqual(['z/']);
    });

    it('lists and deletes more than a thousand objects, including in pages', async () => {
      const levels = Array.from({ length: 1100 }, (_, index) => `many/${String(index).padStart(5, '0')}/`);
      const many = levels.map((level) => `${level}object`);
      for (let start = 0; start < many.length; start += 50)
        await fixture.fill(...many.slice(start, start + 50));
      await fixture.fill('many-more');
      expect(await fixture.keysOf('many/')).toEqual(many);
      const pages = await fixture.pagesOf('many/');
      const paged = pages.flat().toSorted((a, b) => (a.key < b.key ? -1 : 1));
      expect(pages.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([100, 1000]);
      expect(paged).toMatchObject((await fixture.store.list('many/')).objects);
      expect(await fixture.pagesOf('none/')).toEqual([]);
      const list = await fixture.store.list('many/', { delimiter: '/' });
      expect(list).toEqual({ objects: [], prefixes: levels });
      expect(await fixture.store.deletePrefix('many/')).toBe(1100);
      expect(await fixture.keysOf('')).toEqual(['many-more']);
    });

    it('returns every key of a level in order, even one that is also a prefix', async () => {
      const mixed = ['a', 'a-x', 'a.y', 'a/1', 'aa', 'aa/1'];
      await fixture.fill(...mixed);
      expect(await fixture.keysOf('')).toEqual(mixed);
      expect(await fixture.keysOf('a')).toEqual(mixed);
      const level = await fixture.store.list('', { delimiter: '/' });
      expect(level.objects.map(({ key }) => key)).toEqual(['a', 'a-x', 'a.y', 'aa']);
      expect(level.prefixes).toEqual(['a/', 'aa/']);
    });

    it('rejects a prefix that no key can have', async () => {
      for (const prefix of ['/', 'a//', '../', 'a/../b', 'a b', 'x'.repeat(513)]) {
        await expect(fixture.store.list(prefix)).rejects.toMatchObject({ code: 'invalid_key' });
      }
      await expect(fixture.pagesOf('a')).rejects.toMatchObject({ code: 'invalid_key' });
    });
  });
}

export function describeDeleting(fixture: StoreFixture): void {
  describe('delete', () => {
    it('deletes one object and keeps the others', async () => {
      await fixture.fill('a/1', 'a/2');
      await fixture.store.delete('a/1');
      expect(await fixture.keysOf('')).toEqual(['a/2']);
    });

    it('treats a missing object as deleted', async () => {
      await fixture.fill('a/1');
      await fixture.store.delete('a/2');
      await fixture.store.delete('b/c/d');
      await fixture.store.delete('a/1');
      await fixture.store.delete('a/1');
      expect(await fixture.keysOf('')).toEqual([]);
    });

    it('deletes everything below a prefix and nothing else', async () => {
      await fixture.fill('a/1', 'a/b/2', 'a/b/c/3', 'ab/4', 'a-', 'a');
      expect(await fixture.store.deletePrefix('a/')).toBe(3);
      expect(await fixture.keysOf('')).toEqual(['a', 'a-', 'ab/4']);
      expect(await fixture.store.deletePrefix('a/')).toBe(0);
    });

    it('rejects a prefix without a trailing slash and the empty prefix', async () => {
      await fixture.fill('a/1');
      for (const prefix of ['', 'a', '/', 'a/1', '../']) {
        await expect(fixture.store.deletePrefix(prefix)).rejects.toMatchObject({ code: 'invalid_key' });
      }
      expect(await fixture.keysOf('')).toEqual(['a/1']);
    });

    it('never loses a concurrent put below the deleted prefix', async () => {
      for (let round = 0; round < 20; round += 1) {
        await fixture.fill('bucket/acme/old');
        const [, put] = await Promise.all([
          fixture.store.deletePrefix('bucket/'),
          fixture.store.put('bucket/acme/new', 'new', { ifAbsent: true }),
        ]);
        expect(put).toEqual({ created: true });
        // The object may or may not be deleted with the level, but is never broken, and a conditional put agrees with
        // `head`.
        const there = (await fixture.store.head('bucket/acme/new')) !== undefined;
        const again = await fixture.store.put('bucket/acme/new', 'again', { ifAbsent: true });
        expect(again.created).toBe(!there);
        await fixture.store.deletePrefix('bucket/');
      }
    });
  });
}

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

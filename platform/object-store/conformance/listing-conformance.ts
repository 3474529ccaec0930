import { describe, expect, it } from 'vitest';
import type { StoreFixture } from './store-fixture.ts';

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

    it('returns size and time', async () => {
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

    it('lists and deletes more than a thousand objects', async () => {
      const levels = Array.from({ length: 1100 }, (_, index) => `many/${String(index).padStart(5, '0')}/`);
      const many = levels.map((level) => `${level}object`);
      for (let start = 0; start < many.length; start += 50)
        await fixture.fill(...many.slice(start, start + 50));
      await fixture.fill('many-more');
      expect(await fixture.keysOf('many/')).toEqual(many);
      expect(await fixture.store.list('many/', { delimiter: '/' })).toEqual({
        objects: [],
        prefixes: levels,
      });
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
    });
  });
}

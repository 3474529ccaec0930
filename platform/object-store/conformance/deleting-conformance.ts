import { describe, expect, it } from 'vitest';
import type { StoreFixture } from './store-fixture.ts';

export function describeDeleting(fixture: StoreFixture): void {
  describe('delete', () => {
    it('deletes one object and keeps the others', async () => {
      await fixture.fill('a/1', 'a/2');
      await fixture.store.delete('a/1');
      expect(await fixture.keysOf('')).toEqual(['a/2']);
    });

    it('counts a missing object as deleted', async () => {
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
        // The object may be deleted with the level or not, but is never broken, and a conditional put agrees with
        // `head`.
        const there = (await fixture.store.head('bucket/acme/new')) !== undefined;
        const again = await fixture.store.put('bucket/acme/new', 'again', { ifAbsent: true });
        expect(again.created).toBe(!there);
        await fixture.store.deletePrefix('bucket/');
      }
    });
  });
}

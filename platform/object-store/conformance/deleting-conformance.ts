import { describe, expect, it } from 'vitest';
import type { StoreWorld } from './store-world.ts';

export function describeDeleting(world: StoreWorld): void {
  describe('delete', () => {
    it('deletes one object and leaves the others', async () => {
      await world.fill('a/1', 'a/2');
      await world.store.delete('a/1');
      expect(await world.keysOf('')).toEqual(['a/2']);
    });

    it('counts as deleted what is not there', async () => {
      await world.fill('a/1');
      await world.store.delete('a/2');
      await world.store.delete('b/c/d');
      await world.store.delete('a/1');
      await world.store.delete('a/1');
      expect(await world.keysOf('')).toEqual([]);
    });

    it('deletes everything below a prefix, and nothing beside it', async () => {
      await world.fill('a/1', 'a/b/2', 'a/b/c/3', 'ab/4', 'a-', 'a');
      expect(await world.store.deletePrefix('a/')).toBe(3);
      expect(await world.keysOf('')).toEqual(['a', 'a-', 'ab/4']);
      expect(await world.store.deletePrefix('a/')).toBe(0);
    });

    it('refuses a prefix that does not end with a slash, and the whole store', async () => {
      await world.fill('a/1');
      for (const prefix of ['', 'a', '/', 'a/1', '../']) {
        await expect(world.store.deletePrefix(prefix)).rejects.toMatchObject({ code: 'invalid_key' });
      }
      expect(await world.keysOf('')).toEqual(['a/1']);
    });

    it('never loses a put that comes while its level is deleted', async () => {
      for (let round = 0; round < 20; round += 1) {
        await world.fill('bucket/acme/old');
        const [, put] = await Promise.all([
          world.store.deletePrefix('bucket/'),
          world.store.put('bucket/acme/new', 'new', { ifAbsent: true }),
        ]);
        expect(put).toEqual({ created: true });
        // Deleted with the level or not; but never broken, and the place is free or taken as it says.
        const there = (await world.store.head('bucket/acme/new')) !== undefined;
        const again = await world.store.put('bucket/acme/new', 'again', { ifAbsent: true });
        expect(again.created).toBe(!there);
        await world.store.deletePrefix('bucket/');
      }
    });
  });
}

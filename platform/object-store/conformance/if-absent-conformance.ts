import { describe, expect, it } from 'vitest';
import type { StoreWorld } from './store-world.ts';

export function describeIfAbsent(world: StoreWorld): void {
  describe('if absent', () => {
    it('keeps the object that is there', async () => {
      await world.store.put('once', 'first', { ifAbsent: true, metadata: { by: 'first' } });
      const second = await world.store.put('once', 'second', { ifAbsent: true, metadata: { by: 'second' } });
      expect(second).toEqual({ created: false });
      expect((await world.store.read('once'))?.toString()).toBe('first');
      expect(await world.store.head('once')).toMatchObject({ metadata: { by: 'first' } });
    });

    it('can be put again after it was deleted', async () => {
      await world.store.put('once', 'first', { ifAbsent: true });
      await world.store.delete('once');
      expect(await world.store.put('once', 'second', { ifAbsent: true })).toEqual({ created: true });
    });

    it('has one winner when many race, and everybody sees that one', async () => {
      for (let round = 0; round < 10; round += 1) {
        const key = `races/${round}/result`;
        const racers = Array.from({ length: 16 }, (_, index) => String(index));
        const outcomes = await Promise.all(
          racers.map((racer) =>
            world.store.put(key, racer.repeat(10_000), { ifAbsent: true, metadata: { racer } }),
          ),
        );
        const winners = racers.filter((_, index) => outcomes[index]?.created);
        expect(winners).toHaveLength(1);
        expect(await world.store.head(key)).toMatchObject({ metadata: { racer: winners[0] } });
        expect((await world.store.read(key))?.toString()).toBe(winners[0]?.repeat(10_000));
      }
    });
  });
}

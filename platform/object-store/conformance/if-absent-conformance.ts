import { describe, expect, it } from 'vitest';
import type { StoreFixture } from './store-fixture.ts';

export function describeIfAbsent(fixture: StoreFixture): void {
  describe('put with ifAbsent', () => {
    it('keeps an existing object', async () => {
      await fixture.store.put('once', 'first', { ifAbsent: true, metadata: { by: 'first' } });
      const second = await fixture.store.put('once', 'second', {
        ifAbsent: true,
        metadata: { by: 'second' },
      });
      expect(second).toEqual({ created: false });
      expect((await fixture.store.read('once'))?.toString()).toBe('first');
      expect(await fixture.store.head('once')).toMatchObject({ metadata: { by: 'first' } });
    });

    it('stores an object again after it was deleted', async () => {
      await fixture.store.put('once', 'first', { ifAbsent: true });
      await fixture.store.delete('once');
      expect(await fixture.store.put('once', 'second', { ifAbsent: true })).toEqual({ created: true });
    });

    it('has one winner among concurrent calls, and all readers see its content', async () => {
      for (let round = 0; round < 10; round += 1) {
        const key = `races/${round}/result`;
        const racers = Array.from({ length: 16 }, (_, index) => String(index));
        const outcomes = await Promise.all(
          racers.map((racer) =>
            fixture.store.put(key, racer.repeat(10_000), { ifAbsent: true, metadata: { racer } }),
          ),
        );
        const winners = racers.filter((_, index) => outcomes[index]?.created);
        expect(winners).toHaveLength(1);
        expect(await fixture.store.head(key)).toMatchObject({ metadata: { racer: winners[0] } });
        expect((await fixture.store.read(key))?.toString()).toBe(winners[0]?.repeat(10_000));
      }
    });
  });
}

import { describe, expect, it } from 'vitest';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { ReservedQuota } from './reserved-quota.ts';

const BATCH = { kind: 'Batch', account: 'acme', name: 'bat-1', documents: 100 };

function aRoom() {
  const clock = new FakeClock();
  return { clock, room: new ReservedQuota(clock) };
}

describe('ReservedQuota', () => {
  it('counts a reservation from before the creation until the watch shows the object', async () => {
    const { room } = aRoom();
    const creation = Promise.withResolvers<string>();
    const kept = room.keep(BATCH, async () => creation.promise);
    expect([room.countOf('acme'), room.countOf('other')]).toEqual([100, 0]);
    creation.resolve('made');
    expect(await kept).toBe('made');
    expect(room.countOf('acme')).toBe(100);
    room.shown('Batch', 'acme', 'bat-1');
    expect(room.countOf('acme')).toBe(0);
  });

  it('releases the reservation if the watch shows the object before the creation returns', async () => {
    const { room } = aRoom();
    await room.keep(BATCH, async () => room.shown('Batch', 'acme', 'bat-1'));
    expect(room.countOf('acme')).toBe(0);
  });

  it('releases the reservation if the creation fails', async () => {
    const { room } = aRoom();
    await expect(room.keep(BATCH, async () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(room.countOf('acme')).toBe(0);
  });

  it('counts creations of the same object once, until the last of them fails', async () => {
    const { room } = aRoom();
    const slow = Promise.withResolvers<never>();
    const last = room.keep(BATCH, async () => slow.promise);
    await expect(room.keep(BATCH, async () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(room.countOf('acme')).toBe(100);
    slow.reject(new Error('away too'));
    await expect(last).rejects.toThrow('away too');
    expect(room.countOf('acme')).toBe(0);
  });

  it('releases the reservation if the object disappears between two lists', async () => {
    const { room, clock } = aRoom();
    await room.keep(BATCH, async () => 'made');
    clock.advance(29_999);
    expect(room.countOf('acme')).toBe(100);
    clock.advance(1);
    expect(room.countOf('acme')).toBe(0);
  });

  it('keeps the reservation as long as the creation takes', async () => {
    const { room, clock } = aRoom();
    const creation = Promise.withResolvers<string>();
    const kept = room.keep(BATCH, async () => creation.promise);
    clock.advance(600_000);
    expect(room.countOf('acme')).toBe(100);
    creation.resolve('made');
    await kept;
  });
});

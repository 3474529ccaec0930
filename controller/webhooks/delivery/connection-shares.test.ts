import { ManualClock } from '@trifold/platform/testing/manual-clock.ts';
import { describe, expect, it } from 'vitest';
import { ConnectionShares } from './connection-shares.ts';

const SLOW_MS = 2_000;

function setUp(most: number) {
  const clock = new ManualClock();
  let told = 0;
  const shares = new ConnectionShares({ most, clock });
  const onSlow = () => void (told += 1);
  /** Takes as many as there are for the account; answers what gives them back. */
  const takeAll = (account: string) => {
    const taken: (() => void)[] = [];
    while (shares.hasRoomFor(account)) taken.push(shares.take({ account, isReserve: false, onSlow }));
    return taken;
  };
  const takeReserve = (account: string) => {
    const taken: (() => void)[] = [];
    while (shares.hasReserveFor(account)) taken.push(shares.take({ account, isReserve: true, onSlow }));
    return taken;
  };
  return { clock, shares, takeAll, takeReserve, told: () => told };
}

describe('shares of connections', () => {
  it('are half of them for each account', () => {
    const { shares, takeAll } = setUp(8);
    expect(takeAll('a')).toHaveLength(4);
    expect(shares.hasRoomFor('b')).toBe(true);
    expect(takeAll('b')).toHaveLength(4);
    expect(takeAll('c')).toHaveLength(0);
  });

  it('are not used up by slow attempts, up to a quarter of all connections', () => {
    const { clock, takeAll, told } = setUp(8);
    takeAll('a');
    clock.advance(SLOW_MS - 1);
    expect(takeAll('a')).toHaveLength(0);
    clock.advance(1);
    expect(told()).toBe(4);
    expect(takeAll('a')).toHaveLength(2);
    clock.advance(SLOW_MS);
    expect(takeAll('a')).toHaveLength(0);
  });

  it('are not used up by slow attempts of all accounts, up to half of all connections', () => {
    const { clock, takeAll } = setUp(8);
    for (const account of ['a', 'b']) takeAll(account);
    clock.advance(SLOW_MS);
    expect(takeAll('c')).toHaveLength(4);
    clock.advance(SLOW_MS);
    expect(takeAll('d')).toHaveLength(0);
  });

  it('are as before when everything has ended, slow or not', () => {
    const { clock, takeAll, takeReserve } = setUp(8);
    const slow = [...takeAll('a'), ...takeReserve('a')];
    clock.advance(SLOW_MS);
    const fast = takeAll('a');
    for (const giveBack of [...slow, ...fast]) giveBack();
    clock.advance(SLOW_MS);
    for (const account of ['a', 'b']) {
      expect(takeAll(account)).toHaveLength(4);
      expect(takeReserve(account)).toHaveLength(4);
    }
    expect(takeAll('c')).toHaveLength(0);
  });

  it('have a reserve of as many, half of it for each account, that counts until the end, slow or not', () => {
    const { clock, takeAll, takeReserve } = setUp(8);
    expect(takeReserve('a')).toHaveLength(4);
    clock.advance(SLOW_MS);
    expect(takeReserve('a')).toHaveLength(0);
    expect(takeAll('a')).toHaveLength(4);
    expect(takeReserve('b')).toHaveLength(4);
    expect(takeReserve('c')).toHaveLength(0);
  });

  it('are plenty as long as half of the account is free, and half of everything', () => {
    const { shares, takeAll } = setUp(8);
    const take = () => shares.take({ account: 'a', isReserve: false, onSlow: () => undefined });
    const giveBack = take();
    expect(shares.hasPlentyFor('a')).toBe(true);
    take();
    expect(shares.hasPlentyFor('a')).toBe(false);
    expect(shares.hasPlentyFor('b')).toBe(true);
    giveBack();
    expect(shares.hasPlentyFor('a')).toBe(true);
    takeAll('c');
    expect(shares.hasPlentyFor('b')).toBe(false);
  });
});

import { ManualClock } from '@trifold/platform/manual-clock.ts';
import { describe, expect, it } from 'vitest';
import { ConnectionShares } from './connection-shares.ts';

const SLOW_MS = 2_000;

function setUp(most: number) {
  const clock = new ManualClock();
  let told = 0;
  const shares = new ConnectionShares({ most, clock, onSlow: () => (told += 1) });
  /** Takes as many as there are for the account; answers what gives them back. */
  const takeAll = (account: string) => {
    const taken: (() => void)[] = [];
    while (!shares.isFull && shares.hasRoomFor(account)) taken.push(shares.take(account));
    return taken;
  };
  return { clock, shares, takeAll, told: () => told };
}

describe('shares of connections', () => {
  it('are half of them for each account', () => {
    const { shares, takeAll } = setUp(8);
    expect(takeAll('a')).toHaveLength(4);
    expect(shares.isFull).toBe(false);
    expect(takeAll('b')).toHaveLength(4);
    expect(shares.isFull).toBe(true);
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
    const { clock, shares, takeAll } = setUp(8);
    const slow = takeAll('a');
    clock.advance(SLOW_MS);
    const fast = takeAll('a');
    for (const giveBack of [...slow, ...fast]) giveBack();
    clock.advance(SLOW_MS);
    expect(takeAll('a')).toHaveLength(4);
    expect(takeAll('b')).toHaveLength(4);
    expect(shares.isFull).toBe(true);
  });
});

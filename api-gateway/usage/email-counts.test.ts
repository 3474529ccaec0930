import type { KeyMode } from '@trifold/crds';
import { createLogger } from '@trifold/platform/service/logging.ts';
import { ManualClock } from '@trifold/platform/testing/manual-clock.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { EmailCounts } from './email-counts.ts';

const TODAY = 'usage/20261121/gw-1';
const logger = createLogger({ level: 'silent', name: 'test' });

let clock: ManualClock;
let written: Map<string, string>;
let puts: number;
let failure: Error | undefined;
/** If set, a put waits for it. */
let held: Promise<void> | undefined;
/** Uids of the existing accounts. */
let uids: Map<string, string>;
let counts: EmailCounts;
beforeEach(() => {
  clock = new ManualClock();
  written = new Map();
  puts = 0;
  failure = undefined;
  held = undefined;
  const store = {
    async put(key: string, body: Uint8Array | string) {
      puts += 1;
      await held;
      if (failure) throw failure;
      written.set(key, String(body));
      return { created: true };
    },
  };
  uids = new Map([
    ['acme', 'uid-acme'],
    ['other', 'uid-other'],
  ]);
  const accounts = { accountUid: (account: string) => uids.get(account) };
  counts = new EmailCounts({ store, accounts, gateway: 'gw-1', clock, logger });
});

function note(account = 'acme', mode: KeyMode = 'live'): void {
  counts.note({ account, keyId: 'key-1', mode, scopes: [] });
}

const totals = (key = TODAY) => JSON.parse(written.get(key) ?? '{}') as unknown;

/** Runs everything that does not wait for the clock. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
}

async function pass(milliseconds: number): Promise<void> {
  clock.advance(milliseconds);
  await settle();
}

describe('the counts of emails', () => {
  it('are written two seconds after the first, all accounts in one object', async () => {
    note();
    note();
    note('acme', 'test');
    note('other');
    await pass(1_999);
    expect(puts).toBe(0);
    await pass(1);
    expect(totals()).toEqual({
      accounts: { 'uid-acme': { live: 2, test: 1 }, 'uid-other': { live: 1, test: 0 } },
    });
    await pass(60_000);
    expect(puts).toBe(1);
  });

  it('are totals since the start, so that writing one again changes nothing', async () => {
    note();
    await pass(2_000);
    note();
    await pass(2_000);
    expect([puts, totals()]).toEqual([2, { accounts: { 'uid-acme': { live: 2, test: 0 } } }]);
  });

  it('of an account that is deleted are none of another with its name', async () => {
    note();
    uids.delete('acme');
    note();
    uids.set('acme', 'uid-of-another');
    note();
    note();
    await pass(2_000);
    expect(totals()).toEqual({
      accounts: { 'uid-acme': { live: 1, test: 0 }, 'uid-of-another': { live: 2, test: 0 } },
    });
  });

  it('begin anew with each day', async () => {
    note();
    await pass(12 * 3_600_000);
    note();
    await pass(2_000);
    expect(totals()).toEqual({ accounts: { 'uid-acme': { live: 1, test: 0 } } });
    expect(totals('usage/20261122/gw-1')).toEqual({ accounts: { 'uid-acme': { live: 1, test: 0 } } });
  });

  it('are written when the store is back, those of the day before as well', async () => {
    clock.advance(12 * 3_600_000 - 1_000);
    failure = new Error('the store is away');
    note();
    await pass(3_600_000);
    note();
    await pass(2_000);
    expect(written.size).toBe(0);
    failure = undefined;
    await pass(2_000);
    expect([...written.keys()]).toEqual([TODAY, 'usage/20261122/gw-1']);
  });

  it('are written in their order, also when one write takes long', async () => {
    const first = Promise.withResolvers<void>();
    held = first.promise;
    note();
    await pass(2_000);
    note();
    await pass(10_000);
    expect(puts).toBe(1);
    held = undefined;
    first.resolve();
    await settle();
    await pass(2_000);
    expect(totals()).toEqual({ accounts: { 'uid-acme': { live: 2, test: 0 } } });
  });

  it('are all written by a normal stop', async () => {
    note();
    await pass(2_000);
    note();
    await counts.stop();
    expect(totals()).toEqual({ accounts: { 'uid-acme': { live: 2, test: 0 } } });
    await counts.stop();
    expect(puts).toBe(2);
  });

  it('are all written by a stop that meets a write under way', async () => {
    const first = Promise.withResolvers<void>();
    held = first.promise;
    note();
    await pass(2_000);
    note();
    const stopped = counts.stop();
    first.resolve();
    await stopped;
    expect(totals()).toEqual({ accounts: { 'uid-acme': { live: 2, test: 0 } } });
  });

  it('are tried again by a stop while the store is away, for two seconds', async () => {
    failure = new Error('the store is away');
    note();
    const stopped = counts.stop();
    await settle();
    expect(puts).toBe(1);
    await pass(100);
    expect(puts).toBe(2);
    failure = undefined;
    await pass(100);
    await stopped;
    expect(totals()).toEqual({ accounts: { 'uid-acme': { live: 1, test: 0 } } });
  });

  it('do not hold up a stop for ever', async () => {
    held = new Promise<never>(() => undefined);
    note();
    const stopped = counts.stop();
    await settle();
    await pass(2_000);
    await stopped;
    expect(written.size).toBe(0);
  });

  it('do not hold up a stop that meets a write which never ends', async () => {
    held = new Promise<never>(() => undefined);
    note();
    await pass(2_000);
    const stopped = counts.stop();
    await settle();
    await pass(2_000);
    await stopped;
    expect(written.size).toBe(0);
  });

  it('can be had at once', async () => {
    note();
    await counts.flush();
    expect(totals()).toEqual({ accounts: { 'uid-acme': { live: 1, test: 0 } } });
    await counts.flush();
    await pass(10_000);
    expect(puts).toBe(1);
  });
});

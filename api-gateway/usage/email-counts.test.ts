import type { KeyMode } from '@trifold/crds';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { beforeEach, expect, it } from 'vitest';
import { EmailCounts } from './email-counts.ts';

const TODAY = 'usage/20261121/gw-1';
const logger = createLogger({ level: 'silent', name: 'test' });

let clock: FakeClock;
let written: Map<string, string>;
let puts: number;
let failure: Error | undefined;
/** If set, puts wait for it. */
let held: Promise<void> | undefined;
/** UIDs of existing accounts. */
let uids: Map<string, string>;
let counts: EmailCounts;
beforeEach(() => {
  clock = new FakeClock();
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

it('writes two seconds after the first email, with all accounts in one object', async () => {
  note();
  note();
  note('acme', 'test');
  note('other');
  await pass(1_999);
  expect(puts).toBe(0);
  await pass(1);
  const accounts = { 'uid-acme': { live: 2, test: 1 }, 'uid-other': { live: 1, test: 0 } };
  expect(totals()).toEqual({ accounts });
  await pass(60_000);
  expect(puts).toBe(1);
});

it('does not attribute emails from a deleted account to a new one with the same name', async () => {
  note();
  uids.delete('acme');
  note();
  uids.set('acme', 'uid-of-another');
  note();
  note();
  await pass(2_000);
  const accounts = { 'uid-acme': { live: 1, test: 0 }, 'uid-of-another': { live: 2, test: 0 } };
  expect(totals()).toEqual({ accounts });
});

it('starts from zero each day', async () => {
  note();
  await pass(12 * 3_600_000);
  note();
  await pass(2_000);
  expect(totals()).toEqual({ accounts: { 'uid-acme': { live: 1, test: 0 } } });
  expect(totals('usage/20261122/gw-1')).toEqual({ accounts: { 'uid-acme': { live: 1, test: 0 } } });
});

it('writes after the store recovers, including the previous day', async () => {
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

it('writes in order, even when one write is slow', async () => {
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

it.each([
  ['normally', false],
  ['during a write', true],
])('writes everything when it stops %s', async (_when, isWriting) => {
  const first = Promise.withResolvers<void>();
  if (isWriting) held = first.promise;
  note();
  await pass(2_000);
  note();
  const stopped = counts.stop();
  first.resolve();
  await stopped;
  expect(totals()).toEqual({ accounts: { 'uid-acme': { live: 2, test: 0 } } });
  await counts.stop();
  expect(puts).toBe(2);
});

it('retries for two seconds if it stops while the store is down', async () => {
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

it.each([
  ['its own write', 0],
  ['an earlier write', 2_000],
])('does not block a stop forever when %s never ends', async (_what, milliseconds) => {
  held = new Promise<never>(() => undefined);
  note();
  await pass(milliseconds);
  const stopped = counts.stop();
  await settle();
  await pass(2_000);
  await stopped;
  expect(written.size).toBe(0);
});

import { beforeEach, describe, expect, it } from 'vitest';
import { newId } from '@trifold/crds';
import { RequestRecords } from './request-records.ts';
import { deleteExpiredObjects } from '@trifold/controller/expired-files/expired-files.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { DirectoryStore } from '@trifold/platform/object-store/directory/directory-store.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const bodySha256 = 'a'.repeat(64);
const REQUEST = { account: 'acme', keyId: 'key-1', route: 'POST /v1/generate', key: 'order-17', bodySha256 };

let store: DirectoryStore;
beforeEach(() => void (store = new DirectoryStore({ root: testDirectory() })));

/** A gateway with its own clock. */
function gatewayAt(time: string) {
  const clock = new FakeClock(time);
  const records = new RequestRecords(store, clock);
  const claim = async (request = REQUEST) =>
    (await records.claim(request, { id: newId('gen', clock.now()), revision: 'r' })).id;
  const find = async (request = REQUEST) => (await records.find(request))?.id;
  return { clock, claim, find };
}

describe('The record of a request', () => {
  it('is missing at first and then contains the first claim', async () => {
    const { claim, find } = gatewayAt('2026-11-21T12:00:00Z');
    expect(await find()).toBeUndefined();
    const first = await claim();
    expect(await claim()).toBe(first);
    expect(await find()).toBe(first);
  });

  it.each([
    ['account', { account: 'other' }],
    ['API key', { keyId: 'key-2' }],
    ['route', { route: 'POST /v1/generate/batch' }],
    ['key', { key: 'order-18' }],
  ])('does not apply to a different %s', async (_what, change) => {
    const { claim, find } = gatewayAt('2026-11-21T12:00:00Z');
    await claim();
    expect(await find({ ...REQUEST, ...change })).toBeUndefined();
  });

  it.each([
    '2026-11-21T00:00:00Z',
    '2026-11-21T12:00:00Z',
    '2026-11-21T23:57:00Z',
    '2026-11-21T23:59:59.999Z',
  ])('created at %s lasts exactly 24 hours, even if the collector runs', async (time) => {
    const { clock, claim, find } = gatewayAt(time);
    const first = await claim();
    for (let passed = 0; passed < 24 * HOUR - MINUTE; passed += MINUTE) clock.advance(MINUTE);
    clock.advance(MINUTE - 1);
    await deleteExpiredObjects(store, clock.now(), logger);
    expect(await find()).toBe(first);
    clock.advance(1);
    expect(await find()).toBeUndefined();
    const second = await claim();
    expect(second).not.toBe(first);
    expect(await find()).toBe(second);
  });

  it.each(['2026-11-21T00:00:00Z', '2026-11-21T23:59:59.999Z'])(
    'created at %s is collected within two days',
    async (time) => {
      const { clock, claim } = gatewayAt(time);
      await claim();
      clock.advance(48 * HOUR + 5 * MINUTE);
      await deleteExpiredObjects(store, clock.now(), logger);
      expect(await store.list('')).toEqual({ objects: [], prefixes: [] });
    },
  );
});

describe('Records around midnight', () => {
  const BEFORE = '2026-11-21T23:58:00Z';
  const AFTER = '2026-11-22T00:02:00Z';

  it.each([
    [BEFORE, AFTER],
    [AFTER, BEFORE],
  ])('agree between gateways at %s and %s', async (one, other) => {
    const [first, second] = [gatewayAt(one), gatewayAt(other)];
    const id = await first.claim();
    expect(await second.find()).toBe(id);
    expect(await second.claim()).toBe(id);
  });

  it('agree between many simultaneous requests at both gateways', async () => {
    const gateways = [gatewayAt(BEFORE), gatewayAt(AFTER)];
    const ids = await Promise.all(Array.from({ length: 20 }, (_, index) => gateways[index % 2]!.claim()));
    expect(new Set(ids).size).toBe(1);
  });

  it('agree between a gateway that is not yet in the overlap of two days and one that is', async () => {
    const [early, late] = [gatewayAt('2026-11-21T23:54:59Z'), gatewayAt('2026-11-21T23:55:01Z')];
    const ids = await Promise.all([early.claim(), late.claim(), early.claim(), late.claim()]);
    expect(new Set(ids).size).toBe(1);
  });

  it('from the previous day remain available when the gateway reads only the following day', async () => {
    const { clock, claim, find } = gatewayAt('2026-11-21T23:50:00Z');
    const id = await claim();
    clock.advance(12 * MINUTE);
    expect(await find()).toBe(id);
    clock.advance(23 * HOUR + 40 * MINUTE);
    expect(await find()).toBe(id);
  });
});

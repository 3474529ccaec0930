import {
  batchItemKey,
  batchItemsPrefix,
  dataKey,
  documentKeyOf,
  documentKeyOfId,
  indexPrefix,
  newId,
  recordKey,
  revisionKey,
  templateSourceKey,
  templateVersionKey,
  type GenerationJob,
} from '@trifold/crds';
import { readStoredBytes, STORED_BYTES_KEY } from '@trifold/platform/records/usage/stored-totals.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { describe, expect, it, vi } from 'vitest';
import { acceptedDocument } from '@trifold/platform/records/documents/accepted-work.ts';
import { eraseDocument } from '@trifold/platform/records/documents/finished-document.ts';
import { aJob } from '../testing/objects.ts';
import { ControllerFixture } from '../testing/controller-fixture.ts';
import { spoolPrefix } from '../webhooks/spool/spooled-event.ts';
import { StoredBytesCounter } from './stored-bytes.ts';

const NEVER = new AbortController().signal;
const SHA256 = 'a'.repeat(64);

const cluster = ControllerFixture.forEachTest();

const newCounter = (liveWork: () => GenerationJob[] = () => []) =>
  new StoredBytesCounter(cluster.store, liveWork);

/** Stores one object of every kind for an account, each of the given size. Returns their number. */
async function storeOfEveryKind(account: string, size: number): Promise<number> {
  const now = cluster.clock.now();
  const document = documentKeyOfId(account, newId('gen', now)) ?? '';
  const item = batchItemKey(batchItemsPrefix(account, newId('bat', now)) ?? '', 7);
  const keys = [
    document,
    dataKey(document),
    recordKey(document),
    item,
    dataKey(item),
    revisionKey(account, SHA256, now),
    templateSourceKey(account, SHA256, now),
    templateVersionKey(account, 'uid', 1),
    `${indexPrefix(account, now)}documents/chunk`,
    `${spoolPrefix({ account, destination: 'uid' })}20261121T1200Z/evt-1`,
  ];
  for (const key of keys) await cluster.store.put(key, 'x'.repeat(size));
  return keys.length;
}

it("StoredBytesCounter adds up objects of every kind by account, excluding the service's own objects", async () => {
  const count = await storeOfEveryKind('acme', 1000);
  await storeOfEveryKind('other', 3);
  await cluster.store.put('gateway/cursor-key', 'x');
  await cluster.store.put('usage/20261121/gw-1', 'x');
  const bytes = await newCounter().count(cluster.clock.now(), NEVER);
  expect(Object.fromEntries(bytes)).toEqual({ acme: count * 1000, other: count * 3 });
});

it('StoredBytesCounter keeps the sums of a bucket that only a deletion can change', async () => {
  const job = aJob({ metadata: { name: newId('gen', cluster.clock.now()) } });
  const [first, second] = [documentKeyOf(job), `${documentKeyOf(job)}-2`];
  const revision = revisionKey('acme', SHA256, cluster.clock.now());
  for (const key of [first, second, revision]) await cluster.store.put(key, 'x'.repeat(100));
  const pages = vi.spyOn(cluster.store, 'pages');
  let work = [job];
  const counter = newCounter(() => work);
  /** Runs a count; returns the sum and the prefixes that were listed. */
  const count = async () => {
    pages.mockClear();
    const sums = await counter.count(cluster.clock.now(), NEVER);
    const listed = pages.mock.calls.map(([prefix]) => prefix.split('/')[0]);
    return [sums.get('acme') ?? 0, ...listed.filter((root) => root !== 'index')];
  };

  cluster.clock.advance(24 * 3_600_000);
  for (const _ of [1, 2]) expect(await count()).toEqual([300, 'documents', 'revisions']);
  work = [];
  expect(await count()).toEqual([300, 'documents', 'revisions']);
  expect(await count()).toEqual([300]);
  await cluster.store.delete(first);
  await eraseDocument(cluster.store, 'acme', first, acceptedDocument(job));
  expect(await count()).toEqual([200, 'documents']);
  expect(await count()).toEqual([200]);
  await cluster.store.deletePrefix(first.slice(0, first.indexOf('acme')));
  expect(await count()).toEqual([100]);
});

describe('The leader', () => {
  const INTERVAL = 60_000;
  const stored = async () => (await readStoredBytes(cluster.store))?.accounts.get('default');
  const counted = async () => (await newCounter().count(cluster.clock.now(), NEVER)).get('default');

  it('writes account byte totals once per interval, no matter what is generated in the meantime', async () => {
    const put = vi.spyOn(cluster.store, 'put');
    const writes = () => put.mock.calls.filter(([key]) => key === STORED_BYTES_KEY).length;
    await cluster.boot({ config: { collectionIntervalMs: INTERVAL } });
    await eventually(() => expect(writes()).toBe(1));
    for (let made = 0; made < 3; made += 1) {
      await cluster.finished((await cluster.gatewayJob()).metadata.name);
    }
    expect(writes()).toBe(1);
    cluster.clock.advance(INTERVAL);
    await eventually(() => expect(writes()).toBe(2));
    await eventually(async () => expect(await stored()).toBe(await counted()));
    expect(await stored()).toBeGreaterThan(0);
  });

  it('counts again after a change of leader', async () => {
    const first = await cluster.boot();
    await eventually(async () => expect(await readStoredBytes(cluster.store)).toBeDefined());
    await first.stop();
    // The leader deletes unreferenced files, such as a history without a template.
    await cluster.store.put(revisionKey('default', SHA256, cluster.clock.now()), 'x'.repeat(1000));
    await cluster.boot();
    await eventually(async () => expect(await stored()).toBe(1000));
  });
});

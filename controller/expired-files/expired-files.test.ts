import { indexPrefix, requestsPrefix, revisionKey } from '@trifold/crds';
import { WorkIndex } from '@trifold/platform/records/documents/work-index.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { describe, expect, it } from 'vitest';
import { temporaryStore } from '../testing/temporary-store.ts';
import { deleteExpiredObjects } from './expired-files.ts';

const logger = createLogger({ level: 'silent', name: 'test' });
const HOUR = 3_600_000;

const deleted = (store: ObjectStore, now: Date) => deleteExpiredObjects(store, now, logger);
const keysIn = async (store: ObjectStore, prefix: string) =>
  (await store.list(prefix)).objects.map(({ key }) => key);

describe('Expired documents', () => {
  it('deletes a bucket with its inputs and records 24 hours after it ends, and no earlier', async () => {
    const store = temporaryStore();
    const clock = new FakeClock('2026-11-21T12:04:59.999Z');
    for (const ending of ['', '.data', '.record']) {
      await store.put(`documents/20261121T1200Z/acme/gen-1${ending}`, 'x');
    }
    await store.put('documents/20261121T1205Z/acme/gen-2', 'x');
    clock.advance(24 * HOUR);
    expect(await deleted(store, clock.now())).toMatchObject({ documents: 0 });
    clock.advance(1);
    expect(await deleted(store, clock.now())).toMatchObject({ documents: 3 });
    expect(await keysIn(store, 'documents/')).toEqual(['documents/20261121T1205Z/acme/gen-2']);
  });

  it('ignores other prefixes and keys outside a time bucket', async () => {
    const store = temporaryStore();
    const documents = ['documents/notes/acme/x', 'documents/20261399T9999Z/acme/x'];
    const keys = [...documents, 'revisions/acme/x', 'revisions/20261399/acme/x', 'sources/acme/x'];
    for (const key of keys) await store.put(key, 'x');
    const none = { documents: 0, revisions: 0, indexes: 0, requests: 0 };
    expect(await deleted(store, new Date('2099-01-01'))).toEqual(none);
    for (const key of keys) expect(await store.head(key)).toBeDefined();
  });

  it('deletes the other buckets when one cannot be deleted', async () => {
    const store = temporaryStore();
    await store.put('documents/20261121T1200Z/acme/gen-1', 'x');
    await store.put('documents/20261121T1205Z/acme/gen-2', 'x');
    const failing: ObjectStore = Object.assign(Object.create(store) as ObjectStore, {
      list: store.list.bind(store),
      deletePrefix: async (prefix: string) => {
        if (prefix.includes('T1200Z')) throw new Error('the disk is not there');
        return store.deletePrefix(prefix);
      },
    });
    expect(await deleted(failing, new Date('2026-11-25'))).toMatchObject({ documents: 1 });
    expect(await store.head('documents/20261121T1200Z/acme/gen-1')).toBeDefined();
  });
});

it('deletes an index day once the last work from that day has expired', async () => {
  const store = temporaryStore();
  const index = new WorkIndex(store);
  const lastMoment = new Date('2026-11-21T23:59:59.999Z');
  await index.add('acme', 'documents', [{}], lastMoment);
  await index.markDeleted('acme', 'gen-1', lastMoment);
  await index.add('acme', 'documents', [{}], new Date('2026-11-22T00:00:00.000Z'));
  expect(await deleted(store, new Date('2026-11-23T00:59:59.999Z'))).toMatchObject({ indexes: 0 });
  expect(await deleted(store, new Date('2026-11-23T01:00:00.000Z'))).toMatchObject({ indexes: 2 });
  const left = indexPrefix('acme', new Date('2026-11-22T12:00:00Z'));
  expect(await keysIn(store, 'index/')).toEqual([expect.stringContaining(left)]);
});

it("deletes a day's revisions 48 hours after the day ends, and no earlier", async () => {
  const store = temporaryStore();
  const clock = new FakeClock('2026-11-21T23:59:59.999Z');
  const old = revisionKey('acme', 'a'.repeat(64), clock.now());
  await store.put(old, '{}');
  clock.advance(1);
  const young = revisionKey('acme', 'a'.repeat(64), clock.now());
  await store.put(young, '{}');
  clock.advance(48 * HOUR - 1);
  expect(await deleted(store, clock.now())).toMatchObject({ revisions: 0 });
  clock.advance(1);
  expect(await deleted(store, clock.now())).toMatchObject({ revisions: 1 });
  expect(await keysIn(store, 'revisions/')).toEqual([young]);
});

it('deletes a day of the request log seven days after it ends', async () => {
  const store = temporaryStore();
  await store.put(`${requestsPrefix('acme', 'uid', new Date('2026-11-21'))}gw-1`, '{}');
  expect(await deleted(store, new Date('2026-11-28T23:59:59.999Z'))).toMatchObject({ requests: 0 });
  expect(await deleted(store, new Date('2026-11-29'))).toMatchObject({ requests: 1 });
});

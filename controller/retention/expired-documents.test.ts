import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { createLogger } from '@trifold/platform/service/logging.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryStore } from '../testing/temporary-store.ts';
import { deleteExpiredDocuments } from './expired-documents.ts';

const logger = createLogger({ level: 'silent', name: 'test' });
const HOUR = 3_600_000;
let temporary: ReturnType<typeof temporaryStore>;
beforeEach(() => {
  temporary = temporaryStore();
});
afterEach(() => temporary.remove());

describe('deleteExpiredDocuments', () => {
  it('deletes a bucket with its inputs and records 24 hours after its end, and not earlier', async () => {
    const { store } = temporary;
    const clock = new FakeClock('2026-11-21T12:04:59.999Z');
    for (const ending of ['', '.data', '.record']) {
      await store.put(`documents/20261121T1200Z/acme/gen-1${ending}`, 'x');
    }
    await store.put('documents/20261121T1205Z/acme/gen-2', 'x');
    clock.advance(24 * HOUR);
    expect(await deleteExpiredDocuments(store, clock.now(), logger)).toBe(0);
    clock.advance(1);
    expect(await deleteExpiredDocuments(store, clock.now(), logger)).toBe(3);
    expect((await store.list('documents/')).objects.map(({ key }) => key)).toEqual([
      'documents/20261121T1205Z/acme/gen-2',
    ]);
  });

  it('ignores other prefixes and keys outside a time bucket', async () => {
    const { store } = temporary;
    const keys = [
      'documents/notes/acme/x',
      'documents/20261399T9999Z/acme/x',
      'revisions/acme/x',
      'sources/acme/x',
    ];
    for (const key of keys) await store.put(key, 'x');
    expect(await deleteExpiredDocuments(store, new Date('2099-01-01'), logger)).toBe(0);
    for (const key of keys) expect(await store.head(key)).toBeDefined();
  });

  it('deletes the other buckets when one cannot be deleted', async () => {
    const { store } = temporary;
    await store.put('documents/20261121T1200Z/acme/gen-1', 'x');
    await store.put('documents/20261121T1205Z/acme/gen-2', 'x');
    const failing: ObjectStore = Object.assign(Object.create(store) as ObjectStore, {
      list: store.list.bind(store),
      deletePrefix: async (prefix: string) => {
        if (prefix.includes('T1200Z')) throw new Error('the disk is not there');
        return store.deletePrefix(prefix);
      },
    });
    expect(await deleteExpiredDocuments(failing, new Date('2026-11-25'), logger)).toBe(1);
    expect(await store.head('documents/20261121T1200Z/acme/gen-1')).toBeDefined();
  });
});

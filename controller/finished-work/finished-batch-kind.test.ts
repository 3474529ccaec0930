import {
  attachmentsKey,
  batchItemKey,
  dataKey,
  documentKeyOfId,
  recordKey,
  type Batch,
  type BatchStatus,
} from '@trifold/crds';
import { decodeBatchRecord } from '@trifold/platform/records/documents/finished-batch.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { ObjectStoreError, type ObjectStore } from '@trifold/platform/object-store/port.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { aBatch, NOON_BATCH_ID } from '../testing/objects.ts';
import { FakeResourceClient } from '../testing/fake-resource-client.ts';
import { temporaryStore } from '../testing/temporary-store.ts';
import type { DueWork } from './account-state.ts';
import { finishedBatches } from './finished-batch-kind.ts';
import { FinishedWorkReconciler } from './finished-work-reconciler.ts';
import { reducedBatch } from '../work/reduced-work.ts';

const HOUR = 3_600_000;
const outbox = { deliver: async () => undefined };
let store: ObjectStore;
let clock: FakeClock;
let client: FakeResourceClient<Batch>;
let due: DueWork[];
let reconciler: FinishedWorkReconciler<Batch>;
let newProcess: () => FinishedWorkReconciler<Batch>;

const { prefix } = aBatch().spec.itemsRef;
const RECORD = recordKey(documentKeyOfId('acme', NOON_BATCH_ID) ?? '');

beforeEach(async () => {
  store = temporaryStore();
  clock = new FakeClock();
  client = new FakeResourceClient();
  due = [];
  const deletion = {
    expire: (work: DueWork) => void due.push(work),
    forget: (_account: string, uid: string) => {
      due = due.filter((work) => work.uid !== uid);
    },
  };
  newProcess = () =>
    new FinishedWorkReconciler<Batch>({
      deletion,
      cache: { get: (namespace, name) => slimmed(client.get(namespace, name)) },
      limit: { note: () => undefined, forget: () => undefined },
      kind: finishedBatches(store, outbox, client),
      clock,
      ttlSecondsAfterFinished: 600,
    });
  reconciler = newProcess();
  for (const index of [0, 1, 2]) {
    await store.put(dataKey(batchItemKey(prefix, index)), '{}');
    await store.put(batchItemKey(prefix, index), 'file');
  }
});

function ended(changes: Parameters<typeof aBatch>[0] = {}): Batch {
  const items = [0, 1, 2].map((index) => ({ index, phase: 'Completed' as const, size: 4, pages: 1 }));
  const finishedAt = clock.now().toISOString();
  const status: BatchStatus = { phase: 'Completed', completed: 3, failed: 0, finishedAt, items };
  return aBatch({ status, ...changes });
}

const { signal } = new AbortController();
const reconcile = (name = NOON_BATCH_ID) => reconciler.reconcile({ namespace: 'acme', name }, signal);
const slimmed = (batch: Batch | undefined) => batch && reducedBatch(batch);
const keys = async () => (await store.list('documents/')).objects.map(({ key }) => key);
const files = [0, 1, 2].map((index) => batchItemKey(prefix, index));

describe('Retention of a finished batch', () => {
  it('keeps the files and a record and deletes the data and the attachments', async () => {
    const key = attachmentsKey(prefix.slice(0, -1));
    for (const each of [key, attachmentsKey(batchItemKey(prefix, 1))]) await store.put(each, '');
    client.store(ended({ spec: { attachmentsRef: { key, sha256: '', size: 0 } } }));
    expect(await reconcile()).toEqual({ requeueAfterMs: 600_000 });
    expect(await keys()).toEqual([RECORD, ...files]);
    const body = await store.read(RECORD);
    const { items = [] } = ended().status ?? {};
    const record = body && decodeBatchRecord(body);
    expect(record).toMatchObject({ status: 'completed', completed: 3, total: 3, items });
  });

  it('does not store a record while the batch is in progress on the server', async () => {
    client.store(ended());
    client.held = true;
    client.store(aBatch({ status: { phase: 'Processing' } }));
    expect(await reconcile()).toBeUndefined();
    expect(await keys()).toHaveLength(6);
    client.store(ended());
    client.release();
    await reconcile();
    expect(await keys()).toEqual([RECORD, ...files]);
  });

  it('makes one store request in the next process for any batch size', async () => {
    client.store(ended());
    await reconcile();
    reconciler = newProcess();
    const asked = (['head', 'put', 'list', 'delete'] as const).map((name) => vi.spyOn(store, name));
    expect(await reconcile()).toEqual({ requeueAfterMs: 600_000 });
    expect(asked.map(({ mock }) => mock.calls.length)).toEqual([1, 0, 0, 0]);
  });

  it('deletes the rest of the data in the next process after an interruption', async () => {
    client.store(ended());
    const remove = store.delete.bind(store);
    const away = new ObjectStoreError('unavailable', 'away');
    const interrupted = vi
      .spyOn(store, 'delete')
      .mockImplementation((key) => (key.endsWith('/2.data') ? Promise.reject(away) : remove(key)));
    await expect(reconcile()).rejects.toThrow('away');
    interrupted.mockRestore();
    reconciler = newProcess();
    const deletes = vi.spyOn(store, 'delete');
    await reconcile();
    expect(deletes.mock.calls).toEqual([[dataKey(batchItemKey(prefix, 2))]]);
    expect(await keys()).toEqual([RECORD, ...files]);
  });

  it('does not overwrite the record of an earlier batch with the same ID', async () => {
    await store.put(RECORD, 'of the first');
    client.store(ended());
    await reconcile();
    expect((await store.read(RECORD))?.toString()).toBe('of the first');
  });

  it('keeps the resource until it expires if no record can replace it', async () => {
    const metadata = { name: 'letters' };
    client.store(ended({ metadata, status: { phase: 'Failed', failed: 3 } }));
    expect(await reconcile('letters')).toEqual({ requeueAfterMs: 24 * HOUR });
    expect(await keys()).toHaveLength(6);
  });
});

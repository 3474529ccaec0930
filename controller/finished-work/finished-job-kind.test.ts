import {
  attachmentsKey,
  DELETED_ANNOTATION,
  documentKeyOf,
  recordKey,
  type GenerationJob,
} from '@trifold/crds';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { aJob, NOON_ID } from '../testing/objects.ts';
import { FakeResourceClient } from '../testing/fake-resource-client.ts';
import { temporaryStore } from '../testing/temporary-store.ts';
import { reducedJob } from '../work/reduced-work.ts';
import { inputKey } from '../work/generation-job/job-input.ts';
import type { DueWork } from './account-state.ts';
import { acceptedDocument } from '@trifold/platform/records/documents/accepted-work.ts';
import { eraseDocument } from '@trifold/platform/records/documents/finished-document.ts';
import { finishedJobs } from './finished-job-kind.ts';
import { FinishedWorkReconciler } from './finished-work-reconciler.ts';
import { isPastRetention } from './deletion-time.ts';

const HOUR = 3_600_000;
const outbox = { deliver: async () => undefined };
const { signal } = new AbortController();
let temporary: { store: ReturnType<typeof temporaryStore> };
let clock: FakeClock;
let client: FakeResourceClient<GenerationJob>;
let reconciler: FinishedWorkReconciler<GenerationJob>;
/** Work that was handed over for counting and deletion, and work that was taken back. */
let handed: DueWork[];
let forgotten: string[];

const kindOf = (keepFailedData = true) =>
  finishedJobs({ store: temporary.store, outbox, jobs: client, keepFailedData });

function newReconciler(keepFailedData?: boolean): FinishedWorkReconciler<GenerationJob> {
  return new FinishedWorkReconciler({
    deletion: {
      expire: (work) => handed.push(work),
      forget: (_account, uid) => forgotten.push(uid),
    },
    cache: client,
    limit: { note: () => undefined, forget: () => undefined },
    kind: kindOf(keepFailedData),
    clock,
    ttlSecondsAfterFinished: 600,
  });
}

beforeEach(() => {
  temporary = { store: temporaryStore() };
  clock = new FakeClock();
  client = new FakeResourceClient<GenerationJob>();
  handed = [];
  forgotten = [];
  reconciler = newReconciler();
});

function completed(changes: Parameters<typeof aJob>[0] = {}): GenerationJob {
  const finishedAt = new FakeClock().now().toISOString();
  return aJob({ ...changes, status: { ...changes.status, phase: 'Completed', finishedAt } });
}

function failedWith(code: string, changes: Parameters<typeof aJob>[0] = {}): GenerationJob {
  const finishedAt = new FakeClock().now().toISOString();
  return aJob({ ...changes, status: { phase: 'Failed', finishedAt, error: { code, message: 'why' } } });
}

it('lists keep finished jobs after their deletion, except deleted documents and reused IDs', () => {
  const kind = kindOf();
  const rowOf = (each: GenerationJob) => kind.rowOf(each);
  const job = completed();
  expect(rowOf(job)).toMatchObject({ status: 'completed', id: job.metadata.name });
  expect(rowOf(failedWith('print_failed'))).toMatchObject({ error: { code: 'print_failed' } });
  const annotations = { [DELETED_ANNOTATION]: clock.now().toISOString() };
  const hidden = [aJob(), failedWith('id_reused'), { ...job, metadata: { ...job.metadata, annotations } }];
  expect(hidden.map(rowOf)).toEqual(hidden.map(() => undefined));
});

function reconcile(name = NOON_ID) {
  return reconciler.reconcile({ namespace: 'acme', name }, signal);
}

const names = () => handed.map(({ name }) => name);

describe('Retention of a finished job', () => {
  it('queues the job for counting and deletion ten minutes after its end', async () => {
    const { metadata } = client.store(completed());
    expect(await reconcile()).toEqual({ requeueAfterMs: 600_000 });
    clock.advance(599_999);
    expect(await reconcile()).toEqual({ requeueAfterMs: 1 });
    expect(handed).toEqual([]);
    clock.advance(1);
    expect(await reconcile()).toEqual({ requeueAfterMs: 60_000 });
    const { uid } = metadata;
    const work = { kind: 'GenerationJob', account: 'acme', name: NOON_ID, uid, day: '2026-11-21' };
    expect(handed).toEqual([work]);
  });

  it('queues the job again while it exists and removes it from the queue once it is gone', async () => {
    const { metadata } = client.store(completed({ spec: { ttlSecondsAfterFinished: 0 } }));
    await reconcile();
    await reconcile();
    expect(names()).toEqual([NOON_ID, NOON_ID]);
    client.take(NOON_ID);
    await reconcile();
    expect(forgotten).toEqual([metadata.uid]);
  });

  it('ignores a job that another client is deleting', async () => {
    const deletionTimestamp = clock.now().toISOString();
    client.store(completed({ metadata: { deletionTimestamp }, spec: { ttlSecondsAfterFinished: 0 } }));
    expect(await reconcile()).toBeUndefined();
    expect(handed).toEqual([]);
  });

  it('keeps an unfinished job', async () => {
    client.store(aJob({ status: { phase: 'Processing' } }));
    clock.advance(48 * HOUR);
    expect(await reconcile()).toBeUndefined();
    expect(handed).toEqual([]);
  });

  it('deletes a job on time even if a client changed the end time in its status', async () => {
    const finishedAt = '9999-01-01T00:00:00Z';
    client.store(aJob({ status: { phase: 'Completed', finishedAt } }));
    expect(await reconcile()).toEqual({ requeueAfterMs: 600_000 });
    clock.advance(600_000);
    await reconcile();
    expect(names()).toEqual([NOON_ID]);
  });

  it('keeps a job if its current spec has a longer time to live than the cached one', () => {
    const job = completed({ spec: { ttlSecondsAfterFinished: 86_400 } });
    clock.advance(600_000);
    expect(isPastRetention(job, clock.now(), 600)).toBe(false);
    expect(isPastRetention({ ...job, spec: completed().spec }, clock.now(), 600)).toBe(true);
  });

  it('starts the time to live when the result is found, even if late', async () => {
    const rendered = clock.now().toISOString();
    clock.advance(HOUR);
    const lastTransitionTime = clock.now().toISOString();
    const complete = { type: 'Complete', status: 'True', reason: 'Any', message: '', lastTransitionTime };
    client.store(aJob({ status: { phase: 'Completed', finishedAt: rendered, conditions: [complete] } }));
    expect(await reconcile()).toEqual({ requeueAfterMs: 600_000 });
  });

  it('keeps the resource until the file expires if the file cannot be found by name', async () => {
    client.store(completed({ metadata: { name: 'by-hand' } }));
    clock.advance(24 * HOUR - 1);
    expect(await reconcile('by-hand')).toEqual({ requeueAfterMs: 1 });
    clock.advance(1);
    await reconcile('by-hand');
    expect(names()).toEqual(['by-hand']);
  });
});

describe('Cleanup after a finished job', () => {
  it('keeps the file and deletes the data', async () => {
    const job = client.store(completed());
    await temporary.store.put(inputKey(job), '{}');
    await temporary.store.put(documentKeyOf(job), '%PDF');
    await reconcile();
    expect(await temporary.store.head(inputKey(job))).toBeUndefined();
    clock.advance(600_000);
    await reconcile();
    expect(names()).toEqual([NOON_ID]);
    expect(await temporary.store.head(documentKeyOf(job))).toBeDefined();
    expect(await temporary.store.head(recordKey(documentKeyOf(job)))).toBeUndefined();
  });

  const annotations = { [DELETED_ANNOTATION]: '2026-11-21T12:00:01Z' };
  it.each([
    ['a failed document is kept', failedWith('merge_failed'), '{"total":12}'],
    ['a completed document is deleted', completed(), undefined],
    ['a document with a reused ID is deleted', failedWith('id_reused'), undefined],
    ['a cancelled document is deleted', failedWith('cancelled'), undefined],
    ['a deleted document is deleted', failedWith('merge_failed', { metadata: { annotations } }), undefined],
    ['a failed document is deleted if the setting is off', failedWith('merge_failed'), undefined, false],
  ])('stored data of %s', async (_what, job, kept, keepFailedData = true) => {
    reconciler = newReconciler(keepFailedData);
    const { data: _data, ...spec } = client.store(job).spec;
    const key = attachmentsKey(documentKeyOf(job));
    client.store({ ...job, spec: { ...spec, attachmentsRef: { key, sha256: '', size: 0 } } });
    await temporary.store.put(inputKey(job), '{"total":12}');
    await temporary.store.put(key, '');
    await reconcile();
    expect(await temporary.store.head(key)).toBeUndefined();
    expect((await temporary.store.read(inputKey(job)))?.toString()).toBe(kept);
  });

  it('stores the data of a failed job, with all digits, and its options, which the cache does not have', async () => {
    const options = { pageSize: 'a4' } as const;
    const job = client.store(failedWith('merge_failed', { spec: { data: { total: 2 ** 60 }, options } }));
    const text = (await client.getText('acme', NOON_ID)).replaceAll(String(2 ** 60), '1152921504606846977');
    vi.spyOn(client, 'getText').mockResolvedValue(text);
    vi.spyOn(client, 'get').mockImplementation(() => reducedJob(job));
    await reconcile();
    expect((await temporary.store.read(inputKey(job)))?.toString()).toBe('{"total":1152921504606846977}');
    const record = await temporary.store.read(recordKey(documentKeyOf(job)));
    expect(JSON.parse(record?.toString() ?? '')).toMatchObject({ options });
  });

  it.each(['find', 'getText'] as const)('stores no data for a document deleted before %s', async (step) => {
    const job = client.store(failedWith('merge_failed', { spec: { data: { total: 2 ** 60 } } }));
    client.held = true;
    const read = client[step].bind(client);
    Object.assign(client, {
      [step]: async (namespace: string, name: string) => {
        client.store({ ...job, metadata: { ...job.metadata, annotations } });
        return read(namespace, name);
      },
    });
    await reconcile();
    expect(await temporary.store.head(inputKey(job))).toBeUndefined();
  });

  it.each([true, false])(
    'keeps the data of a job that is gone unless its document was deleted: %s',
    async (isErased) => {
      const job = client.store(failedWith('merge_failed', { spec: { data: { total: 12 } } }));
      const find = client.find.bind(client);
      const others = vi.spyOn(client, 'find').mockImplementationOnce(find).mockResolvedValue(undefined);
      if (isErased)
        await eraseDocument(temporary.store, 'default', documentKeyOf(job), acceptedDocument(job));
      await reconcile();
      expect(others).toHaveBeenCalledTimes(2);
      expect((await temporary.store.head(inputKey(job))) === undefined).toBe(isErased);
    },
  );

  it('stores no data that is nested too deeply, and keeps the record if the job is gone', async () => {
    const data = JSON.parse('{"a":'.repeat(5000) + '1' + '}'.repeat(5000)) as Record<string, unknown>;
    const deep = client.store(failedWith('data_invalid', { spec: { data } }));
    const find = vi.spyOn(client, 'find');
    await reconcile();
    expect(await temporary.store.head(inputKey(deep))).toBeUndefined();
    find.mockResolvedValue(undefined);
    reconciler = newReconciler();
    await temporary.store.delete(recordKey(documentKeyOf(deep)));
    await reconcile();
    expect(await temporary.store.head(recordKey(documentKeyOf(deep)))).toBeDefined();
  });

  it('stores a failure record before the resource is deleted', async () => {
    const warnings = [{ code: 'binding_missing', message: 'No total.', name: 'total' } as const];
    const timings = { queuedMs: 3 };
    const whole = failedWith('data_invalid');
    const job = { ...whole, status: { ...whole.status, attempt: 2, timings, warnings } };
    // Without the data, the record is written from the cache.
    client.store(reducedJob(job));
    reconciler = newReconciler(false);
    await reconcile();
    const body = await temporary.store.read(recordKey(documentKeyOf(job)));
    expect(JSON.parse(body?.toString() ?? '')).toMatchObject({
      progress: { attempts: 2, timings, warnings, finishedAt: whole.status?.finishedAt },
      id: NOON_ID,
      uid: job.metadata.uid,
      template: 'invoice',
      error: { code: 'data_invalid', message: 'why' },
      createdAt: '2026-11-21T12:00:00.000Z',
      expiresAt: '2026-11-22T12:00:00.000Z',
    });
  });

  it('stores a record of a completed document with metadata and warnings', async () => {
    const clientMetadata = { order: 'A-17' };
    const warnings = [{ code: 'binding_missing', message: 'No total.', name: 'total' } as const];
    const job = client.store(completed({ spec: { clientMetadata }, status: { warnings } }));
    await reconcile();
    const body = await temporary.store.read(recordKey(documentKeyOf(job)));
    const record = JSON.parse(body?.toString() ?? '') as object;
    const { uid } = job.metadata;
    expect(record).toMatchObject({ id: NOON_ID, uid, metadata: clientMetadata, result: { warnings } });
    expect(record).not.toHaveProperty('error');
  });

  it.each([
    ['record cannot be stored', () => vi.spyOn(temporary.store, 'put')],
    ['deliveries cannot be created', () => vi.spyOn(outbox, 'deliver')],
  ])('keeps the resource while its %s', async (_what, failing) => {
    client.store(failedWith('data_invalid'));
    clock.advance(HOUR);
    const call = failing().mockRejectedValue(new Error('away'));
    await expect(reconcile()).rejects.toThrow('away');
    expect(handed).toEqual([]);
    call.mockRestore();
    await reconcile();
    expect(names()).toEqual([NOON_ID]);
  });

  it('keeps the document of an earlier job with the same ID', async () => {
    const job = client.store(failedWith('id_reused'));
    await temporary.store.put(documentKeyOf(job), '%PDF');
    clock.advance(25 * HOUR);
    await reconcile();
    expect(names()).toEqual([NOON_ID]);
    expect(await temporary.store.head(recordKey(documentKeyOf(job)))).toBeUndefined();
    expect(await temporary.store.head(documentKeyOf(job))).toBeDefined();
  });
});

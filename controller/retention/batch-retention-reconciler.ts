import {
  batchItemKey,
  dataKey,
  DOCUMENT_LIFETIME_MS,
  documentKeyOfId,
  isFinished,
  recordKey,
  type Batch,
} from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import {
  batchCreatedAtOf,
  batchExpiresAtOf,
  ownItemsPrefix,
} from '@trifold/platform/records/documents/batch-facts.ts';
import { batchRecordOf, encodeBatchRecord } from '@trifold/platform/records/documents/batch-record.ts';
import { inParallel } from '@trifold/platform/service/in-parallel.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Reconciler, ReconcileResult } from '@trifold/platform/kubernetes/controller/controller.ts';
import { formatKey, type ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { usageOfBatch } from '@trifold/platform/records/usage/work-usage.ts';
import { ID_REUSED } from '../work/stored-results.ts';
import type { UsageAccounting } from '../usage/usage-accounting.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';

export interface BatchRetentionDependencies {
  /** Counts the batch and deletes its resource. */
  readonly accounting: Pick<UsageAccounting, 'expire' | 'forget'>;
  /** The API server, which has the whole of it. */
  readonly batches: Pick<ResourceClient<Batch>, 'find'>;
  /** Of finished batches it need not have more than slimWhenFinished leaves. */
  readonly cache: { get(namespace: string | undefined, name: string): Batch | undefined };
  readonly store: ObjectStore;
  /** Tells whoever wants to know of the end of a batch. @default nobody */
  readonly outbox?: Pick<Webhooks, 'tellOfBatch'>;
  readonly clock: Clock;
  /** For batches whose spec does not say. */
  readonly ttlSecondsAfterFinished: number;
}

/** What was to be deleted and is still there after this time is looked at again. */
const RECHECK_MS = 60_000;
const DELETES_AT_ONCE = 8;

/**
 * Keeps what a finished batch leaves behind no longer than it is needed: the data of its items goes at once, its
 * resource after its time to live, the files when they expire. A record that answers afterwards is stored first.
 */
export class BatchRetentionReconciler implements Reconciler {
  readonly #d: BatchRetentionDependencies;
  /** uids by key of batches that were put in order already. */
  readonly #settled = new Map<string, string>();

  constructor(dependencies: BatchRetentionDependencies) {
    this.#d = dependencies;
  }

  async reconcile({ namespace = 'default', name }: ObjectKey, signal: AbortSignal): Promise<ReconcileResult> {
    const key = formatKey(namespace, name);
    const batch = this.#d.cache.get(namespace, name);
    const settled = this.#settled.get(key);
    if (settled !== undefined && settled !== batch?.metadata.uid) {
      this.#settled.delete(key);
      this.#d.accounting.forget(namespace, settled);
    }
    if (!batch || !isFinished(batch)) return;
    if (!this.#settled.has(key)) {
      if (!(await this.#settle(batch, signal))) return;
      this.#settled.set(key, batch.metadata.uid);
    }
    return this.#expire(batch);
  }

  /**
   * Comes before any delete of the resource; doing it again after a crash does no harm. The record is stored last: where
   * it is, all is done, and whoever leads next asks no more of the store than that, for each of many batches. False when
   * the batch is not what the cache says: that will tell.
   */
  async #settle(batch: Batch, signal: AbortSignal): Promise<boolean> {
    const { store, outbox } = this.#d;
    await outbox?.tellOfBatch(batch);
    const prefix = ownItemsPrefix(batch);
    if (prefix === undefined) return true;
    const { uid } = batch.metadata;
    const key = recordKeyOf(batch);
    const recorded = await store.head(key);
    if (recorded?.metadata['uid'] === uid) return true;
    const { namespace, name } = batch.metadata;
    const whole = await this.#d.batches.find(namespace, name, signal);
    const record = whole?.metadata.uid === uid ? batchRecordOf(whole) : undefined;
    if (!record) return false;
    await this.#deleteData(batch, prefix);
    // The id answers for the batch that had it first.
    const options = { contentType: 'application/json', ifAbsent: true, metadata: { uid } };
    await store.put(key, encodeBatchRecord(record), options);
    return true;
  }

  async #deleteData({ spec }: Batch, prefix: string): Promise<void> {
    const { store } = this.#d;
    const keys = Array.from({ length: spec.total }, (_, index) => dataKey(batchItemKey(prefix, index)));
    const { objects } = await store.list(prefix);
    const there = new Set(objects.map(({ key }) => key));
    const left = keys.filter((key) => there.has(key));
    await inParallel(left, DELETES_AT_ONCE, (key) => store.delete(key));
  }

  async #expire(batch: Batch): Promise<ReconcileResult> {
    const now = this.#d.clock.now();
    const expiry = batchExpiresAtOf(batch).getTime();
    const end = batchEndOf(batch, now, this.#d.ttlSecondsAfterFinished);
    if (now.getTime() >= expiry) await this.#deleteFiles(batch);
    if (now.getTime() >= end) return this.#countAndDelete(batch);
    return { requeueAfterMs: Math.min(end, expiry > now.getTime() ? expiry : end) - now.getTime() };
  }

  async #deleteFiles(batch: Batch): Promise<void> {
    const prefix = ownItemsPrefix(batch);
    const reused = batch.status?.items?.some(({ error }) => error?.code === ID_REUSED);
    if (prefix === undefined || reused) return;
    await this.#d.store.deletePrefix(prefix);
    await this.#d.store.delete(recordKeyOf(batch));
  }

  #countAndDelete(batch: Batch): ReconcileResult {
    const work = usageOfBatch(batch);
    // Somebody is deleting it already.
    if (!work) return;
    const { namespace: account = 'default', name, uid } = batch.metadata;
    this.#d.accounting.expire({ kind: batch.kind, account, name, uid, day: work.day });
    return { requeueAfterMs: RECHECK_MS };
  }
}

/** Whether a finished batch has been kept for as long as it is to be; `ttlSeconds` for those whose spec does not say. */
export function isBatchPastRetention(batch: Batch, now: Date, ttlSeconds: number): boolean {
  return now.getTime() >= batchEndOf(batch, now, ttlSeconds);
}

/** When the resource goes, in milliseconds. */
function batchEndOf(batch: Batch, now: Date, ttlSeconds: number): number {
  const seconds = batch.spec.ttlSecondsAfterFinished ?? ttlSeconds;
  const end = finishedAtOf(batch, now) + seconds * 1000;
  return needsResource(batch) ? Math.max(end, batchExpiresAtOf(batch).getTime()) : end;
}

/** Whether no record can answer for it, or its files go before their bucket does. */
function needsResource(batch: Batch): boolean {
  const expiresEarly =
    batchExpiresAtOf(batch).getTime() < batchCreatedAtOf(batch).getTime() + DOCUMENT_LIFETIME_MS;
  return expiresEarly || ownItemsPrefix(batch) === undefined;
}

/**
 * When the end was there for others to see, in milliseconds. Nothing ended after now: such a time was written by
 * somebody else, or by a machine whose clock is wrong, and would keep the resource for as long.
 */
function finishedAtOf(batch: Batch, now: Date): number {
  const { finishedAt, conditions = [] } = batch.status ?? {};
  const last = conditions.find(({ type }) => type === 'Complete' || type === 'Failed');
  const times = [finishedAt, last?.lastTransitionTime].map((text) => Date.parse(text ?? ''));
  const believed = times.filter((time) => time <= now.getTime());
  return Math.max(...believed, batchCreatedAtOf(batch).getTime());
}

function recordKeyOf({ metadata }: Batch): string {
  const { namespace = 'default', name } = metadata;
  return recordKey(documentKeyOfId(namespace, name) ?? '');
}

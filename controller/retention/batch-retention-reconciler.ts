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
  /** The API server, which has the complete batch. */
  readonly batches: Pick<ResourceClient<Batch>, 'find'>;
  /** May hold finished batches in the reduced form of slimWhenFinished. */
  readonly cache: { get(namespace: string | undefined, name: string): Batch | undefined };
  readonly store: ObjectStore;
  /** Creates the deliveries for the end of a batch. @default nobody is notified */
  readonly outbox?: Pick<Webhooks, 'tellOfBatch'>;
  readonly clock: Clock;
  /** Time to live of batches whose spec sets none. */
  readonly ttlSecondsAfterFinished: number;
}

/** Delay before a resource that should be deleted is checked again. */
const RECHECK_MS = 60_000;
const DELETES_AT_ONCE = 8;

/**
 * Removes what a finished batch leaves behind as soon as it is no longer needed: the data of its items at once, its
 * resource after its time to live, the files when they expire. It first stores the record that answers requests
 * afterwards.
 */
export class BatchRetentionReconciler implements Reconciler {
  readonly #d: BatchRetentionDependencies;
  /** uids of the batches that are settled, by key. */
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
   * Runs before any delete of the resource; idempotent, so a crash does no harm. The record is stored last: if it
   * exists, everything is done, and the next leader needs only this one request to the store for each of many batches.
   * Returns false when the batch differs from the cache; the cache reports the change later.
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
    // The id belongs to the batch that had it first.
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
    // It is already being deleted.
    if (!work) return;
    const { namespace: account = 'default', name, uid } = batch.metadata;
    this.#d.accounting.expire({ kind: batch.kind, account, name, uid, day: work.day });
    return { requeueAfterMs: RECHECK_MS };
  }
}

/** Whether the retention of a finished batch is over; `ttlSeconds` applies when the spec sets none. */
export function isBatchPastRetention(batch: Batch, now: Date, ttlSeconds: number): boolean {
  return now.getTime() >= batchEndOf(batch, now, ttlSeconds);
}

/** Returns the time at which the resource is deleted, in milliseconds. */
function batchEndOf(batch: Batch, now: Date, ttlSeconds: number): number {
  const seconds = batch.spec.ttlSecondsAfterFinished ?? ttlSeconds;
  const end = finishedAtOf(batch, now) + seconds * 1000;
  return needsResource(batch) ? Math.max(end, batchExpiresAtOf(batch).getTime()) : end;
}

/** Whether no record can answer for the batch, or its files expire before their bucket. */
function needsResource(batch: Batch): boolean {
  const expiresEarly =
    batchExpiresAtOf(batch).getTime() < batchCreatedAtOf(batch).getTime() + DOCUMENT_LIFETIME_MS;
  return expiresEarly || ownItemsPrefix(batch) === undefined;
}

/**
 * Returns the time at which the end became visible to others, in milliseconds. Ignores times in the future: someone
 * else or a machine with a wrong clock wrote them, and they would keep the resource for that long.
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

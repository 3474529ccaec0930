import { isFinished, type Batch, type BatchStatus, type JobError } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import { batchExpiresAtOf } from '@trifold/platform/records/documents/batch-facts.ts';
import type { MutableLister } from '@trifold/platform/kubernetes/cache/mutation-cache.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { Reconciler, ReconcileResult } from '@trifold/platform/kubernetes/controller/controller.ts';
import type { EventRecorder } from '@trifold/platform/kubernetes/controller/event-recorder.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { ControllerConfig } from '../../config.ts';
import type { DocumentMetrics } from '../document-metrics.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { WorkError, workErrorOf } from '../work-error.ts';
import { withLastCondition } from '../status-parts.ts';
import { StatusWriter } from '../status-writer.ts';
import { withBatchEvent } from '../../webhooks/events/batch-events.ts';
import type { Subscriptions } from '../../webhooks/events/subscriptions.ts';
import { wakeAt, type BatchItems } from './batch-items.ts';
import { finishedStatus, isShown, newlyEnded, progressStatus } from './batch-status.ts';
import { openItems, type TrackedBatch, type TrackedBatches } from './tracked-batches.ts';
import { WritePacing } from './write-pacing.ts';

export interface BatchDependencies {
  readonly batches: Pick<ResourceClient<Batch>, 'find' | 'replaceStatus'>;
  readonly cache: MutableLister<Batch>;
  readonly tracked: TrackedBatches;
  readonly items: BatchItems;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: ControllerConfig;
  readonly metrics: DocumentMetrics;
  readonly events: Pick<EventRecorder, 'warn'>;
  /** Selects the endpoints that are notified of the progress of a batch. @default nobody */
  readonly subscriptions?: Pick<Subscriptions, 'deliverTo'>;
}

/** Minimum time between two progress writes of one batch, in milliseconds. */
const BETWEEN_WRITES_MS = 1000;

/** A batch and its state during one reconcile. */
interface Pass {
  readonly batch: Batch;
  readonly tracked: TrackedBatch;
  readonly signal: AbortSignal;
}

/**
 * Takes a Batch from its creation to Completed or Failed. As with a GenerationJob, the resource and the stored files
 * are the source of truth: after a crash, an item whose file is stored is done and any other item is rendered again.
 * One status write covers the outcomes of many items.
 */
export class BatchReconciler implements Reconciler {
  readonly #d: BatchDependencies;
  readonly #pacing: WritePacing;
  readonly #statuses: StatusWriter<Batch>;

  constructor(dependencies: BatchDependencies) {
    this.#d = dependencies;
    const { batches: client, cache, events, clock } = dependencies;
    this.#pacing = new WritePacing(clock);
    this.#statuses = new StatusWriter({ noun: 'batch', client, cache, events, ownPartOf: withLastCondition });
  }

  async reconcile(key: ObjectKey, signal: AbortSignal): Promise<ReconcileResult> {
    const { cache, batches: client } = this.#d;
    return retryOnConflict(key, { cache, client, signal }, (batch) => this.#reconcile(key, batch, signal));
  }

  async #reconcile(key: ObjectKey, batch: Batch | undefined, signal: AbortSignal): Promise<ReconcileResult> {
    const before = this.#d.tracked.find(key);
    const gone = !batch || batch.metadata.deletionTimestamp !== undefined;
    if (before && (gone || before.uid !== batch.metadata.uid)) await this.#abandon(before);
    if (gone) return;
    if (isFinished(batch)) return this.#d.tracked.forget(before);
    // A batch created by hand may reuse an id; the gateway draws a new id for each batch.
    const mayBeBegun = batch.spec.keyId === undefined || batch.status?.phase !== undefined;
    const tracked = this.#d.tracked.track(batch, mayBeBegun);
    const pass = { batch, tracked, signal };
    try {
      return await this.#advance(pass);
    } catch (error) {
      return await this.#refuse(pass, workErrorOf(error));
    }
  }

  async #advance(pass: Pass): Promise<ReconcileResult> {
    const { items, config } = this.#d;
    const { batch, tracked, signal } = pass;
    refuseMisplaced(batch, tracked);
    await items.takeStock(tracked);
    await items.settle(tracked);
    if (openItems(tracked).length === 0) return this.#finish(pass);
    this.#refuseExpired(batch);
    await items.dispatch(batch, tracked);
    signal.throwIfAborted();
    const shown = await this.#show(pass);
    // Further attempts that the status now records.
    if (shown.batch !== batch) await items.dispatch(shown.batch, tracked);
    const now = this.#d.clock.now().getTime();
    // An attempt that the status does not record yet waits for the next write.
    const waits = openItems(tracked).map((item) => wakeAt(item) - now);
    const next = Math.min(...waits.filter((wait) => wait > 0), shown.againInMs ?? Infinity, config.resyncMs);
    return { requeueAfterMs: next };
  }

  /**
   * Shows the progress of the batch, and writes further attempts to the status before they begin, so that a crash
   * cannot give an item more attempts than allowed. Writes at most once a second, and only when the batch has its turn
   * among all batches.
   */
  async #show(pass: Pass): Promise<{ batch: Batch; againInMs?: number }> {
    const { clock, items } = this.#d;
    const { batch, tracked } = pass;
    const earlyMs = this.#tooEarlyBy(tracked);
    if (earlyMs > 0) return { batch, againInMs: earlyMs };
    if (tracked.slot === undefined) {
      await items.look(tracked);
      if (isShown(batch, progressStatus(batch, tracked, clock.now()))) return { batch };
      tracked.slot = this.#pacing.draw();
    }
    const waitMs = this.#pacing.waitFor(tracked.slot);
    if (waitMs > 0) return { batch, againInMs: waitMs };
    tracked.slot = undefined;
    const now = clock.now();
    tracked.shownAt = now.getTime();
    return { batch: await this.#write(pass, this.#told(batch, progressStatus(batch, tracked, now), now)) };
  }

  /** A batch that finishes quickly gets no progress write, only the final one. */
  #tooEarlyBy({ dispatchedAt, shownAt }: TrackedBatch): number {
    const { clock, config } = this.#d;
    const now = clock.now().getTime();
    const hiddenUntil = (dispatchedAt ?? now) + config.progressAfterMs;
    const nextAt = shownAt === undefined ? -Infinity : shownAt + BETWEEN_WRITES_MS;
    const waitMs = Math.max(hiddenUntil, nextAt) - now;
    // Ignore a clock that was set back.
    return waitMs > Math.max(config.progressAfterMs, BETWEEN_WRITES_MS) ? 0 : waitMs;
  }

  #refuseExpired(batch: Batch): void {
    if (this.#d.clock.now() < batchExpiresAtOf(batch)) return;
    throw new WorkError('expired', 'the document was not made before the time at which it expires');
  }

  async #refuse(pass: Pass, refusal: JobError): Promise<void> {
    const { tracked } = pass;
    tracked.refusal = { code: refusal.code, message: refusal.message };
    await this.#d.items.refuse(tracked, tracked.refusal);
    await this.#finish(pass);
  }

  async #finish(pass: Pass): Promise<void> {
    const { clock, logger } = this.#d;
    const now = clock.now();
    const status = this.#told(pass.batch, finishedStatus(pass.batch, pass.tracked, now), now);
    const batch = await this.#write(pass, status);
    const { namespace, name } = batch.metadata;
    const { completed, failed, error } = batch.status ?? {};
    const about = { namespace, name, completed, failed, code: error?.code };
    if (!failed) {
      logger.debug(about, 'batch completed');
      return;
    }
    logger.info(about, 'batch ended with failed items');
    this.#warn(batch);
  }

  /** Adds the event and its endpoints in the same write as the status, so that no event is lost in between. */
  #told(batch: Batch, status: BatchStatus, now: Date): BatchStatus {
    const { subscriptions } = this.#d;
    return subscriptions ? withBatchEvent(batch, status, subscriptions, now) : status;
  }

  /** Records one event per batch, not one per item. */
  #warn(batch: Batch): void {
    const { failed, error, items } = batch.status ?? {};
    if (error) return this.#d.events.warn(batch, 'BatchFailed', error.message);
    const { index, error: example } = items?.find((item) => item.error) ?? {};
    const message = `${failed} of ${batch.spec.total} items failed; item ${index}: ${example?.code}: ${example?.message}`;
    this.#d.events.warn(batch, 'ItemsFailed', message);
  }

  /** Rejects with a Conflict when the batch has changed since it was read. */
  async #write({ batch, signal }: Pass, status: BatchStatus): Promise<Batch> {
    const written = await this.#statuses.replace(batch, status, signal);
    for (const item of newlyEnded(batch.status, status)) {
      this.#d.metrics.itemFinished(item.error?.code);
    }
    return written;
  }

  async #abandon(tracked: TrackedBatch): Promise<void> {
    await this.#d.items.abandon(tracked);
    this.#d.tracked.forget(tracked);
  }
}

/**
 * Throws WorkError when the prefix is not the batch's own. A prefix in a resource is compared, never followed:
 * otherwise one account could read another's data.
 */
function refuseMisplaced(batch: Batch, { prefix }: TrackedBatch): void {
  const { name } = batch.metadata;
  if (prefix === undefined) {
    const message = `${name} is no id of a batch made now: make it with POST /v1/generate/batch`;
    throw new WorkError('id_invalid', message);
  }
  if (batch.spec.itemsRef.prefix === prefix) return;
  throw new WorkError('data_missing', `itemsRef.prefix of this batch has to be ${prefix}`);
}

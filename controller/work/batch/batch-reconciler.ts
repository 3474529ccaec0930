import { isFinished, revisionTimeOf, type Batch, type BatchStatus } from '@trifold/crds';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { acceptedItem, ownItemsPrefix } from '@trifold/platform/records/documents/accepted-work.ts';
import type { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import type { RevisionStore } from '@trifold/platform/templating/revisions/revision.ts';
import { withBatchEvent } from '../../webhooks/events/batch-events.ts';
import { usableInline } from '../inline-template.ts';
import { renderTaskOf } from '../render-task.ts';
import { WorkError } from '../work-error.ts';
import {
  WorkReconciler,
  type WorkContext,
  type Prepared,
  type WorkDependencies,
} from '../work-reconciler.ts';
import { finishedStatus, newlyEnded, pinnedStatus, progressStatus } from './batch-status.ts';
import type { TrackedBatch } from './tracked-batches.ts';

export interface BatchDependencies extends WorkDependencies<Batch, TrackedBatch> {
  /** For batches that contain their template. */
  readonly pinning: {
    readonly store: ObjectStore;
    readonly checker: TemplateChecker;
    readonly revisions: RevisionStore;
  };
}

/** Reconciles batches. One status write covers the outcomes of many items (docs/adr/0012-batches-in-few-writes.md). */
export class BatchReconciler extends WorkReconciler<Batch, TrackedBatch> {
  protected override readonly progressStatus = progressStatus;
  protected override readonly finishedStatus = finishedStatus;

  readonly #pinning: BatchDependencies['pinning'];

  constructor({ pinning, ...dependencies }: BatchDependencies) {
    super({ noun: 'batch', betweenProgressMs: 100, pacesAttempts: true }, dependencies);
    this.#pinning = pinning;
  }

  /** Pins an inline template. The data of the items has the defaults of its schema already, as with a named template. */
  protected override async accept(context: WorkContext<Batch, TrackedBatch>): Promise<Batch> {
    const { resource: batch } = context;
    const { spec, status, metadata } = batch;
    if (!spec.template || status?.revision !== undefined) return batch;
    const { namespace = 'default' } = metadata;
    const { revision } = await usableInline(this.#pinning, metadata, spec.template);
    await this.#pinning.revisions.ensure(namespace, revision, revisionTimeOf(batch));
    return this.write(context, pinnedStatus(batch, revision.sha256, this.d.clock.now()));
  }

  protected override async prepare(context: WorkContext<Batch, TrackedBatch>): Promise<Prepared<Batch>> {
    rejectMisplaced(context.resource);
    const batch = await this.accept(context);
    return {
      resource: batch,
      taskOf: ({ key, index }, dispatch) =>
        renderTaskOf(batch, { key, document: acceptedItem(batch, index) }, dispatch),
    };
  }

  protected override withEvent(batch: Batch, status: BatchStatus, now: Date): BatchStatus {
    const { subscriptions } = this.d;
    return subscriptions ? withBatchEvent(batch, status, subscriptions, now) : status;
  }

  protected override written(before: Batch, batch: Batch): void {
    const { logger, metrics } = this.d;
    for (const item of newlyEnded(before.status, batch.status)) metrics.itemFinished(item.error?.code);
    if (!isFinished(batch)) return;
    const { namespace, name } = batch.metadata;
    const { completed, failed, error } = batch.status ?? {};
    const about = { namespace, name, completed, failed, code: error?.code };
    if (!failed) return logger.debug(about, 'batch completed');
    logger.info(about, 'batch ended with failed items');
    this.#warn(batch);
  }

  /** Records one event per batch, not one per item. */
  #warn(batch: Batch): void {
    const { failed, error, items } = batch.status ?? {};
    if (error) return this.d.events.warn(batch, 'BatchFailed', error.message);
    const { index, error: example } = items?.find((item) => item.error) ?? {};
    const message = `${failed} of ${batch.spec.total} items failed; item ${index}: ${example?.code}: ${example?.message}`;
    this.d.events.warn(batch, 'ItemsFailed', message);
  }
}

/**
 * Throws WorkError when the prefix is not the batch's own. A prefix in a resource is compared, never followed:
 * otherwise one account could read another's data.
 */
function rejectMisplaced(batch: Batch): void {
  const { name } = batch.metadata;
  const prefix = ownItemsPrefix(batch);
  if (prefix === undefined) {
    const message = `${name} is not the id of a new batch: create batches with POST /v1/generate/batch`;
    throw new WorkError('id_invalid', message);
  }
  if (batch.spec.itemsRef.prefix === prefix) return;
  throw new WorkError('data_missing', `itemsRef.prefix of this batch must be ${prefix}`);
}

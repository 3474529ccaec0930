import { isFinished, revisionTimeOf, type Batch, type BatchStatus } from '@trifold/crds';
import type { EventRecorder } from '@trifold/platform/kubernetes/controller/event-recorder.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { acceptedItem, ownItemsPrefix } from '@trifold/platform/records/documents/accepted-work.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import type { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import type { RevisionStore } from '@trifold/platform/templating/revisions/revision.ts';
import { withBatchEvent } from '../../webhooks/events/batch-events.ts';
import type { Subscriptions } from '../../webhooks/events/subscriptions.ts';
import type { DocumentMetrics } from '../document-metrics.ts';
import { usableInline } from '../inline-template.ts';
import { attachmentKeys } from '../attachment-keys.ts';
import { renderTaskOf } from '../render-task.ts';
import { WorkError } from '../work-error.ts';
import type { TaskOf, WorkContext, WorkKind } from '../work-kind.ts';
import { finishedStatus, newlyEnded, pinnedStatus, progressStatus } from './batch-status.ts';
import type { TrackedBatch } from './tracked-batches.ts';

export interface BatchDependencies {
  /** Used, together with the checker and the revisions, for batches that contain their template. */
  readonly store: ObjectStore;
  readonly checker: TemplateChecker;
  readonly revisions: RevisionStore;
  /** Selects the endpoints that are notified of a batch's progress and end. */
  readonly subscriptions: Pick<Subscriptions, 'deliverTo'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: DocumentMetrics;
  readonly events: Pick<EventRecorder, 'warn'>;
}

type Context = WorkContext<Batch, TrackedBatch>;

/** Batches. One status write covers the outcomes of many items (docs/adr/0012-batches-in-few-writes.md). */
export class BatchKind implements WorkKind<Batch, TrackedBatch> {
  readonly noun = 'batch';
  readonly betweenProgressMs = 100;
  readonly pacesAttempts = true;
  readonly #d: BatchDependencies;

  constructor(dependencies: BatchDependencies) {
    this.#d = dependencies;
  }

  isDeleted(): boolean {
    return false;
  }

  /** Pins an inline template. The items' data already has the schema defaults, as with a named template. */
  async accept({ resource: batch }: Context): Promise<BatchStatus | undefined> {
    rejectMisplaced(batch);
    const { spec, status, metadata } = batch;
    if (!spec.template || status?.revision !== undefined) return undefined;
    const { namespace = 'default' } = metadata;
    const { revision } = await usableInline(this.#d, metadata, spec.template);
    await this.#d.revisions.ensure(namespace, revision, revisionTimeOf(batch));
    return pinnedStatus(batch, revision.sha256, this.#d.clock.now());
  }

  async prepare({ resource: batch }: Context): Promise<TaskOf> {
    const { attachmentsRef, items = [] } = batch.spec;
    const common = attachmentKeys(attachmentsRef, ownItemsPrefix(batch)?.slice(0, -1));
    const refs = new Map(items.map((item) => [item.index, item.attachmentsRef]));
    return ({ key, index }, dispatch) => {
      const keys = [...common, ...attachmentKeys(refs.get(index), key)];
      return renderTaskOf(
        batch,
        { key, document: acceptedItem(batch, index), attachmentKeys: keys },
        dispatch,
      );
    };
  }

  progressStatus(batch: Batch, tracked: TrackedBatch, now: Date): BatchStatus {
    return withBatchEvent(batch, progressStatus(batch, tracked, now), this.#d.subscriptions, now);
  }

  finishedStatus(batch: Batch, tracked: TrackedBatch, now: Date): BatchStatus {
    return withBatchEvent(batch, finishedStatus(batch, tracked, now), this.#d.subscriptions, now);
  }

  written(before: Batch, batch: Batch): void {
    const { logger, metrics } = this.#d;
    for (const item of newlyEnded(before.status, batch.status)) metrics.itemFinished(item.error?.code);
    if (!isFinished(batch)) return;
    const { namespace, name } = batch.metadata;
    const { completed, failed, error } = batch.status ?? {};
    const about = { namespace, name, completed, failed, code: error?.code };
    if (!failed) return logger.debug(about, 'batch completed');
    logger.info(about, 'batch finished with failed items');
    this.#warn(batch);
  }

  /** Records one event per batch, not one per item. */
  #warn(batch: Batch): void {
    const { failed, error, items } = batch.status ?? {};
    if (error) return this.#d.events.warn(batch, 'BatchFailed', error.message);
    const { index, error: example } = items?.find((item) => item.error) ?? {};
    const message = `${failed} of ${batch.spec.total} items failed; item ${index}: ${example?.code}: ${example?.message}`;
    this.#d.events.warn(batch, 'ItemsFailed', message);
  }
}

/**
 * Throws WorkError unless the prefix is the batch's own. A prefix in a resource is compared but never followed:
 * otherwise one account could read another's data.
 */
function rejectMisplaced(batch: Batch): void {
  const { name } = batch.metadata;
  const prefix = ownItemsPrefix(batch);
  if (prefix === undefined) {
    const message = `${name} is not the ID of a new batch: create batches with POST /v1/generate/batch`;
    throw new WorkError('id_invalid', message);
  }
  if (batch.spec.itemsRef.prefix === prefix) return;
  throw new WorkError('data_missing', `itemsRef.prefix for this batch must be ${prefix}`);
}

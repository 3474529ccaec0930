import { batchItemKey, dataKey, revisionKey, revisionTimeOf, type Batch } from '@trifold/crds';
import {
  batchFactsOf,
  batchItemFacts,
  batchItemName,
} from '@trifold/platform/records/documents/batch-facts.ts';
import type { RenderTask } from '@trifold/platform/render-queue/port.ts';
import { storableFacts } from '../storable-facts.ts';

export interface ItemDispatch {
  /** `<uid>-<index>-<attempt>`. */
  readonly id: string;
  readonly index: number;
  /** Prefix of the keys of the batch's items. It follows from the batch's own name, never from the spec. */
  readonly prefix: string;
  readonly deadlineMs: number;
  /** Whether the renderer runs it with no other task. */
  readonly exclusive: boolean;
  readonly now: Date;
}

/** Returns the task that renders one item. Throws WorkError when its facts cannot be stored. */
export function itemTaskOf(batch: Batch, dispatch: ItemDispatch): RenderTask {
  const { id, index, prefix, deadlineMs, exclusive, now } = dispatch;
  const { namespace = 'default', name, uid } = batch.metadata;
  const { format, mode, createdAt } = batchFactsOf(batch);
  const resultKey = batchItemKey(prefix, index);
  return {
    id,
    queue: 'batch',
    account: namespace,
    job: batchItemName(name, index),
    uid,
    format,
    mode,
    createdAt,
    revisionKey: revisionKey(namespace, batch.spec.revision, revisionTimeOf(batch)),
    dataKey: dataKey(resultKey),
    resultKey,
    options: batch.spec.options ?? {},
    facts: storableFacts(batchItemFacts(batch, index)),
    deadlineMs,
    ...(exclusive && { exclusive }),
    enqueuedAt: now.toISOString(),
  };
}

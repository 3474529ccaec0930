import { isFinished, type Batch, type BatchItemResult, type JobError } from '@trifold/crds';
import { batchFactsOf, type BatchFacts } from './batch-facts.ts';

/**
 * Describes a finished batch after its resource is deleted, until its files expire. JSON at
 * `recordKey(documentKeyOfId(account, id))`.
 */
export interface BatchRecord extends BatchFacts {
  /** failed: every item failed. */
  readonly status: 'completed' | 'failed';
  readonly completed: number;
  readonly failed: number;
  /** ISO 8601. */
  readonly finishedAt: string;
  /** Error of the batch as a whole; errors of items are in `items`. */
  readonly error?: JobError;
  /** One entry per item, by index; empty when the batch failed before an item began. */
  readonly items: readonly BatchItemResult[];
}

/** Returns the record of a batch; undefined while it is not finished. */
export function batchRecordOf(batch: Batch): BatchRecord | undefined {
  const { status } = batch;
  if (!status || !isFinished(batch)) return undefined;
  const facts = batchFactsOf(batch);
  const { completed = 0, failed = 0, finishedAt = facts.createdAt, error, items = [] } = status;
  return {
    ...facts,
    status: status.phase === 'Completed' ? 'completed' : 'failed',
    completed,
    failed,
    finishedAt,
    ...(error && { error }),
    items: items.toSorted((a, b) => a.index - b.index),
  };
}

export function encodeBatchRecord(record: BatchRecord): string {
  return JSON.stringify(record);
}

/** Decodes a stored batch record; returns undefined for another kind of record. */
export function decodeBatchRecord(body: Buffer): BatchRecord | undefined {
  const record = JSON.parse(body.toString()) as Partial<BatchRecord> | null;
  return record?.batch !== undefined && Array.isArray(record.items) ? (record as BatchRecord) : undefined;
}

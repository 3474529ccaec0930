import type { Batch, JobError } from '@trifold/crds';
import type { BatchFacts } from './batch-facts.ts';
import { batchRecordOf } from './batch-record.ts';

/** Facts about a batch that lists show or search. */
export type ListedBatchFacts = Pick<
  BatchFacts,
  'batch' | 'uid' | 'template' | 'format' | 'total' | 'metadata' | 'createdAt' | 'expiresAt'
>;

/** A finished batch in the index of the account's work: what lists show of it. */
export interface BatchRow {
  readonly facts: ListedBatchFacts;
  /** failed: every item failed. */
  readonly status: 'completed' | 'failed';
  readonly completed: number;
  readonly failed: number;
  /** Error of the batch as a whole. */
  readonly error?: JobError;
}

/** Returns the row of a batch; undefined while it is not finished. */
export function batchRowOf(resource: Batch): BatchRow | undefined {
  const record = batchRecordOf(resource);
  if (!record) return undefined;
  const { batch, uid, template, format, total, metadata, createdAt, expiresAt } = record;
  const facts = { batch, uid, template, format, total, createdAt, expiresAt };
  const { status, completed, failed, error } = record;
  return {
    facts: { ...facts, ...(metadata && { metadata }) },
    status,
    completed,
    failed,
    ...(error && { error }),
  };
}

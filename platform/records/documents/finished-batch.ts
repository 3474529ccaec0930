import { isFinished, type Batch, type BatchItemResult, type JobError } from '@trifold/crds';
import { picked } from '../picked.ts';
import { acceptedBatch, type AcceptedBatch } from './accepted-work.ts';

/**
 * Describes a finished batch after its resource is deleted, until its files expire. JSON at
 * `recordKey(documentKeyOfId(account, id))`.
 */
export interface BatchRecord extends AcceptedBatch {
  /** failed: every item failed. */
  readonly status: 'completed' | 'failed';
  readonly completed: number;
  readonly failed: number;
  /** Error of the batch as a whole; item errors are in `items`. */
  readonly error?: JobError;
  /** One entry per item, by index; empty if the batch failed before any item began. */
  readonly items: readonly BatchItemResult[];
}

/** Returns the record of a batch, or undefined if it is not finished. */
export function batchRecordOf(batch: Batch): BatchRecord | undefined {
  const { status } = batch;
  if (!status || !isFinished(batch)) return undefined;
  const { phase, completed = 0, failed = 0, error, items = [] } = status;
  return {
    ...acceptedBatch(batch),
    status: phase === 'Completed' ? 'completed' : 'failed',
    completed,
    failed,
    ...(error && { error }),
    items: items.toSorted((a, b) => a.index - b.index),
  };
}

/** Decodes a stored batch record; returns undefined for any other kind of record. */
export function decodeBatchRecord(body: Buffer): BatchRecord | undefined {
  const record = JSON.parse(body.toString()) as Partial<BatchRecord> | null;
  return Array.isArray(record?.items) ? (record as BatchRecord) : undefined;
}

const LISTED = [
  'id',
  'uid',
  'template',
  'version',
  'format',
  'total',
  'metadata',
  'requestId',
  'createdAt',
  'expiresAt',
  'status',
  'completed',
  'failed',
  'error',
] as const;

/** A finished batch in the account's work index: the fields that lists show. */
export type BatchRow = Pick<BatchRecord, (typeof LISTED)[number]>;

/** Returns the row of a batch, or undefined if it is not finished. */
export function batchRowOf(batch: Batch): BatchRow | undefined {
  const record = batchRecordOf(batch);
  return record && picked(record, LISTED);
}

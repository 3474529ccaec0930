import {
  BATCH,
  batchItemsPrefix,
  metadataMember,
  recordKey,
  type Batch,
  type BatchItemResult,
  type BatchItemSpec,
  type ClientMetadata,
  type DocumentWarning,
  type JobError,
} from '@trifold/crds';
import { batchFactsOf, type BatchFacts } from '@trifold/platform/records/documents/batch-facts.ts';
import { decodeBatchRecord, type BatchRecord } from '@trifold/platform/records/documents/batch-record.ts';
import { stateOf, WorkReader, type WorkReaderOptions, type WorkState } from '../work-reader.ts';
import { UNKNOWN_ERROR } from '@trifold/platform/service/document-error.ts';

/** Current state of one item. */
export interface StoredItem {
  /** Index in the items of the request, from 0. */
  readonly index: number;
  readonly status: WorkState;
  /** File size in bytes; set once completed. */
  readonly size?: number;
  /** Set once failed. */
  readonly error?: JobError;
  /** Set if completed with warnings. */
  readonly warnings?: readonly DocumentWarning[];
  /** File name in the request. */
  readonly filename?: string;
  /** Metadata in the request. */
  readonly metadata?: ClientMetadata;
}

/** Current state of a batch, from its resource or its record. */
export interface StoredBatch {
  readonly facts: BatchFacts;
  readonly status: WorkState;
  /** Number of items whose file is stored. */
  readonly completed: number;
  readonly failed: number;
  /** All items, by index. */
  readonly items: readonly StoredItem[];
  /** Error of the batch as a whole. */
  readonly error?: JobError;
  /**
   * Key prefix of its files. It is derived from account and id and ignores `spec.itemsRef`: a batch created with
   * kubectl must not give access to another account's files. Undefined if the name is not one of our ids.
   */
  readonly itemsPrefix: string | undefined;
}

/** Finds batches: in their resource while it exists, afterwards in the record that the controller keeps. */
export class Batches extends WorkReader<Batch, StoredBatch> {
  protected override readonly ofResource = batchOf;

  constructor(options: WorkReaderOptions) {
    super('batch', BATCH, options);
  }

  protected override async findArchived(
    account: string,
    id: string,
    key: string,
  ): Promise<StoredBatch | undefined> {
    const body = await this.store.read(recordKey(key));
    const record = body && decodeBatchRecord(body);
    return record?.batch === id ? storedBatch(account, record, record) : undefined;
  }
}

/** Converts a Batch resource. */
export function batchOf(batch: Batch): StoredBatch {
  const { metadata, status: { phase, completed = 0, failed = 0, items = [], error } = {} } = batch;
  const progress = { status: stateOf(phase), completed, failed, items, ...(error && { error }) };
  return storedBatch(metadata.namespace ?? 'default', batchFactsOf(batch), progress);
}

type Progress = Pick<BatchRecord, 'completed' | 'failed' | 'items' | 'error'> & {
  readonly status: WorkState;
};

function storedBatch(account: string, facts: BatchFacts, progress: Progress): StoredBatch {
  const { status, completed, failed, items, error } = progress;
  return {
    facts,
    status,
    completed,
    failed,
    items: allItems(facts, items, status === 'failed' ? error : undefined),
    ...(error && { error }),
    itemsPrefix: batchItemsPrefix(account, facts.batch),
  };
}

/** Returns one entry per item. An item without a result is pending, or failed if the batch failed before it started. */
function allItems(
  { total, itemSpecs = [] }: BatchFacts,
  results: readonly BatchItemResult[],
  batchError: JobError | undefined,
): StoredItem[] {
  const known = new Map(results.map((result) => [result.index, itemOf(result)]));
  const requested = new Map(itemSpecs.map((item) => [item.index, requestedOf(item)]));
  return Array.from({ length: total }, (_, index) => {
    const unknown: StoredItem = batchError
      ? { index, status: 'failed', error: batchError }
      : { index, status: 'pending' };
    return { ...(known.get(index) ?? unknown), ...requested.get(index) };
  });
}

function requestedOf(item: BatchItemSpec): Pick<StoredItem, 'filename' | 'metadata'> {
  return { ...(item.filename !== undefined && { filename: item.filename }), ...metadataMember(item) };
}

function itemOf({ index, phase, size, error, warnings }: BatchItemResult): StoredItem {
  const status = stateOf(phase);
  return {
    index,
    status,
    ...(status === 'completed' && size !== undefined && { size }),
    ...(warnings && { warnings }),
    ...(status === 'failed' && { error: error ?? UNKNOWN_ERROR }),
  };
}

import {
  BATCH,
  batchItemsPrefix,
  documentKeyOfId,
  DOCUMENT_LIFETIME_MS,
  isId,
  recordKey,
  timeOfId,
  type Batch,
  type BatchItemResult,
  type GenerationPhase,
  type JobError,
} from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import { batchFactsOf, type BatchFacts } from '@trifold/platform/records/documents/batch-facts.ts';
import { decodeBatchRecord, type BatchRecord } from '@trifold/platform/records/documents/batch-record.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { ApiError } from '../../server/errors/api-error.ts';
import { isOfFormerAccount, type Accounts } from '../documents/documents.ts';
import { isResourceName } from '../admission/resource-name.ts';

/** States of a batch and of its items (docs/interface-choices.md); the last two are final. */
export const BATCH_STATES = ['pending', 'processing', 'completed', 'failed'] as const;
/** State of a batch, or of one of its items. */
export type BatchState = (typeof BATCH_STATES)[number];

/** Current state of one item. */
export interface StoredItem {
  /** Index in the items of the request, from 0. */
  readonly index: number;
  readonly status: BatchState;
  /** File size in bytes; set once completed. */
  readonly size?: number;
  /** Set once failed. */
  readonly error?: JobError;
}

/** Current state of a batch, from its resource or its record. */
export interface StoredBatch {
  readonly facts: BatchFacts;
  readonly status: BatchState;
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

/** Dependencies of `Batches`. */
export interface BatchesOptions {
  readonly kubernetes: KubernetesClient;
  readonly store: ObjectStore;
  readonly accounts: Accounts;
  readonly clock: Clock;
}

/** Finds batches: in their resource while it exists, afterwards in the record that the controller keeps. */
export class Batches {
  readonly #batches: ResourceClient<Batch>;
  readonly #store: ObjectStore;
  readonly #accounts: Accounts;
  readonly #clock: Clock;

  constructor({ kubernetes, store, accounts, clock }: BatchesOptions) {
    this.#batches = kubernetes.resource<Batch>(BATCH);
    this.#store = store;
    this.#accounts = accounts;
    this.#clock = clock;
  }

  /** Throws ApiError `expired` (410) or `batch_not_found` (404, also for a batch of another account). */
  async get(account: string, id: string): Promise<StoredBatch> {
    if (!isResourceName(id)) throw batchNotFound(id);
    const now = this.#clock.now().getTime();
    const created = isId('bat', id) ? timeOfId(id)?.getTime() : undefined;
    if (created !== undefined && created + DOCUMENT_LIFETIME_MS <= now) throw batchExpired(id);
    const found = await this.#find(account, id);
    if (!found) throw batchNotFound(id);
    if (Date.parse(found.facts.expiresAt) <= now) throw batchExpired(id);
    return found;
  }

  async #find(account: string, id: string): Promise<StoredBatch | undefined> {
    const batch = await this.#batches.find(account, id);
    if (batch) return batchOf(batch);
    const record = isId('bat', id) ? await this.#findRecord(account, id) : undefined;
    if (!record || isOfFormerAccount(this.#accounts, account, record.createdAt)) return undefined;
    return ofRecord(account, record);
  }

  async #findRecord(account: string, id: string): Promise<BatchRecord | undefined> {
    const body = await this.#store.read(recordKey(documentKeyOfId(account, id) ?? id));
    const record = body && decodeBatchRecord(body);
    return record?.batch === id ? record : undefined;
  }
}

/** Converts a Batch resource. */
export function batchOf(batch: Batch): StoredBatch {
  const { metadata, status } = batch;
  const facts = batchFactsOf(batch);
  const { completed = 0, failed = 0, items = [], error } = status ?? {};
  const state = stateOf(status?.phase);
  return {
    facts,
    status: state,
    completed,
    failed,
    items: allItems(facts.total, items, state === 'failed' ? error : undefined),
    ...(error && { error }),
    itemsPrefix: batchItemsPrefix(metadata.namespace ?? 'default', metadata.name),
  };
}

function ofRecord(account: string, record: BatchRecord): StoredBatch {
  const { status, completed, failed, items, error } = record;
  return {
    facts: record,
    status,
    completed,
    failed,
    items: allItems(record.total, items, status === 'failed' ? error : undefined),
    ...(error && { error }),
    itemsPrefix: batchItemsPrefix(account, record.batch),
  };
}

/** Returns one entry per item. An item without a result is pending, or failed if the batch failed before it started. */
function allItems(
  total: number,
  results: readonly BatchItemResult[],
  batchError: JobError | undefined,
): StoredItem[] {
  const known = new Map(results.map((result) => [result.index, itemOf(result)]));
  return Array.from({ length: total }, (_, index) => {
    const unknown: StoredItem = batchError
      ? { index, status: 'failed', error: batchError }
      : { index, status: 'pending' };
    return known.get(index) ?? unknown;
  });
}

function itemOf({ index, phase, size, error }: BatchItemResult): StoredItem {
  const status = stateOf(phase);
  return {
    index,
    status,
    ...(status === 'completed' && size !== undefined && { size }),
    ...(status === 'failed' && {
      error: error ?? { code: 'unknown', message: 'The item failed; no reason was written down.' },
    }),
  };
}

const STATES: Readonly<Record<GenerationPhase, BatchState>> = {
  Pending: 'pending',
  Processing: 'processing',
  Completed: 'completed',
  Failed: 'failed',
};

function stateOf(phase: GenerationPhase | undefined): BatchState {
  return phase === undefined ? 'pending' : STATES[phase];
}

/** 410: the batch and its files have expired. */
export function batchExpired(id: string): ApiError {
  const message = `The batch ${id} has expired: documents are kept for 24 hours. Generate it again.`;
  return new ApiError('expired', message);
}

function batchNotFound(id: string): ApiError {
  return new ApiError('batch_not_found', `There is no batch ${JSON.stringify(id)} in this account.`);
}

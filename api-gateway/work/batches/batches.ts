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

/** What became of one item so far. */
export interface StoredItem {
  /** Place among the items of the request, from 0. */
  readonly index: number;
  readonly status: BatchState;
  /** Bytes of the file; once completed. */
  readonly size?: number;
  /** Once failed. */
  readonly error?: JobError;
}

/** A batch as it is now, wherever that is written down. */
export interface StoredBatch {
  readonly facts: BatchFacts;
  readonly status: BatchState;
  /** Items whose file is there. */
  readonly completed: number;
  readonly failed: number;
  /** All of them, by index. */
  readonly items: readonly StoredItem[];
  /** Of the batch as a whole. */
  readonly error?: JobError;
  /**
   * What the keys of its files begin with. It follows from account and id, whatever `spec.itemsRef` says: nobody gets
   * at another account's files by a batch made with kubectl. Undefined for a name that is no id of ours.
   */
  readonly itemsPrefix: string | undefined;
}

/** Where batches and their records are looked up. */
export interface BatchesOptions {
  readonly kubernetes: KubernetesClient;
  readonly store: ObjectStore;
  readonly accounts: Accounts;
  readonly clock: Clock;
}

/** Finds batches: in their resource while that is there, afterwards in the record that the controller keeps of them. */
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

  /** Throws ApiError `expired` (410) or `batch_not_found` (404; another account's are not found either). */
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

/** The batch that a resource is. */
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

/** One entry an item. What nothing is written of is pending, or failed with its batch before it was begun. */
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

/** 410: the time of the batch and its files is over. */
export function batchExpired(id: string): ApiError {
  const message = `The batch ${id} has expired: documents are kept for 24 hours. Generate it again.`;
  return new ApiError('expired', message);
}

function batchNotFound(id: string): ApiError {
  return new ApiError('batch_not_found', `There is no batch ${JSON.stringify(id)} in this account.`);
}

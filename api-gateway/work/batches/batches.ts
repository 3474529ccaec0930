import {
  BATCH,
  BATCH_ITEMS_LABEL,
  batchItemKey,
  batchItemsPrefix,
  dataKey,
  metadataMember,
  recordKey,
  type Batch,
  type BatchItemResult,
  type BatchItemSpec,
  type ClientMetadata,
  type JobError,
} from '@trifold/crds';
import { acceptedBatch, type AcceptedBatch } from '@trifold/platform/records/documents/accepted-work.ts';
import { decodeBatchRecord, type BatchRecord } from '@trifold/platform/records/documents/finished-batch.ts';
import {
  documentState,
  stateOf,
  type DocumentState,
  type WorkState,
} from '@trifold/platform/records/documents/finished-document.ts';
import type { AdmittedWork, InputObject, WorkRequest } from '../admission/admission.ts';
import { attachmentsObject, type PackedRequestAttachments } from '../admission/request-attachments.ts';
import { weightLabels } from '../admission/work-weight.ts';
import { WorkRepository, type WorkDraft, type WorkRepositoryOptions } from '../work-repository.ts';
import type { BatchPresentation } from './batch-body.ts';

/** Current state of one item. */
export type StoredItem = DocumentState & {
  /** Index in the request's items, starting at 0. */
  readonly index: number;
  /** File name in the request. */
  readonly filename?: string;
  /** Metadata in the request. */
  readonly metadata?: ClientMetadata;
};

/** Current state of a batch, from its resource or its record. */
export interface StoredBatch extends AcceptedBatch {
  readonly status: WorkState;
  /** Number of items with a stored file. */
  readonly completed: number;
  readonly failed: number;
  /** All items, by index. */
  readonly items: readonly StoredItem[];
  /** Error of the batch as a whole. */
  readonly error?: JobError;
  /**
   * Key prefix of the batch's files. Derived from the account and ID, not `spec.itemsRef`: a batch created with kubectl
   * must not give access to another account's files. Undefined if the name is not one of our IDs.
   */
  readonly itemsPrefix: string | undefined;
}

/** Batches, read from their resource while it exists, and afterwards from the record that the controller keeps. */
export class Batches extends WorkRepository<Batch, StoredBatch, BatchPresentation> {
  override readonly stored = batchOf;

  constructor(options: WorkRepositoryOptions) {
    super('batch', BATCH, options);
  }

  override draft(work: AdmittedWork, { presentation }: WorkRequest<BatchPresentation>): WorkDraft<Batch> {
    const { id, account, data, attachments } = work;
    const prefix = batchItemsPrefix(account, id) ?? `${id}/`;
    const size = data.reduce((bytes, json) => bytes + json.byteLength, 0);
    const total = data.length;
    const labels = { [BATCH_ITEMS_LABEL]: String(total), ...weightLabels(work.spec.options) };
    const { objects, ref } = attachmentsObject(attachments.common, prefix.slice(0, -1));
    const attached = withItemAttachments(presentation.items, attachments, prefix);
    const { items } = attached;
    const spec = { ...work.spec, ...presentation, ...(items.length > 0 && { items }), ...ref };
    return {
      resource: {
        metadata: { name: id, namespace: account, labels },
        spec: { ...spec, itemsRef: { prefix, size }, total },
      },
      input: [
        ...data.map((json, index) => [dataKey(batchItemKey(prefix, index)), json] as const),
        ...objects,
        ...attached.objects,
      ],
    };
  }

  protected override async findArchived(
    account: string,
    id: string,
    key: string,
  ): Promise<StoredBatch | undefined> {
    const body = await this.store.read(recordKey(key));
    const record = body && decodeBatchRecord(body);
    return record?.id === id ? storedBatch(account, record) : undefined;
  }
}

/** Returns the attachments of individual items as objects, and the items with references to them. */
function withItemAttachments(
  specs: readonly BatchItemSpec[] = [],
  { items }: PackedRequestAttachments,
  prefix: string,
): { items: BatchItemSpec[]; objects: InputObject[] } {
  const byIndex = new Map(specs.map((spec) => [spec.index, spec]));
  const all: InputObject[] = [];
  for (const [index, attachments] of items.entries()) {
    const { objects, ref } = attachmentsObject(attachments, batchItemKey(prefix, index));
    if (objects.length > 0) byIndex.set(index, { index, ...byIndex.get(index), ...ref });
    all.push(...objects);
  }
  return { items: [...byIndex.values()].toSorted((a, b) => a.index - b.index), objects: all };
}

/** Converts a Batch resource. */
export function batchOf(batch: Batch): StoredBatch {
  const { metadata, status: { phase, completed = 0, failed = 0, items = [], error } = {} } = batch;
  const progress = { status: stateOf(phase), completed, failed, items, ...(error && { error }) };
  return storedBatch(metadata.namespace ?? 'default', { ...acceptedBatch(batch), ...progress });
}

type Progress = Omit<BatchRecord, 'status'> & { readonly status: WorkState };

function storedBatch(account: string, batch: Progress): StoredBatch {
  return { ...batch, items: allItems(batch), itemsPrefix: batchItemsPrefix(account, batch.id) };
}

/** Returns one entry per item. An item without a result is pending, or failed if the batch failed before it started. */
function allItems({ total, items, itemSpecs = [], status, error }: Progress): StoredItem[] {
  const known = new Map<number, BatchItemResult>(items.map((item) => [item.index, item]));
  const requested = new Map(itemSpecs.map((item) => [item.index, requestedOf(item)]));
  const unknown = status === 'failed' && error ? { phase: 'Failed' as const, error } : {};
  return Array.from({ length: total }, (_, index) => ({
    index,
    ...documentState(known.get(index) ?? unknown),
    ...requested.get(index),
  }));
}

function requestedOf(item: BatchItemSpec): Pick<StoredItem, 'filename' | 'metadata'> {
  return { ...(item.filename !== undefined && { filename: item.filename }), ...metadataMember(item) };
}

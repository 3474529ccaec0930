import {
  BATCH,
  batchItemsPrefix,
  DOCUMENT_LIFETIME_MS,
  hasTimedId,
  ID_TIME_TOLERANCE_MS,
  isId,
  metadataMember,
  timeOfId,
  type Batch,
  type BatchItemSpec,
  type ClientMetadata,
  type DocumentFormat,
  type GenerationJob,
  type KeyMode,
} from '@trifold/crds';
import { picked } from '../picked.ts';

/** Properties of a document or batch that are known when it is accepted. */
export interface AcceptedWork {
  /** Name of the resource: `gen-…` or `bat-…`, or any name set with kubectl. */
  readonly id: string;
  readonly uid: string;
  /** Name of its Template; undefined for an inline template in the request or resource. */
  readonly template?: string;
  readonly version?: number;
  readonly format: DocumentFormat;
  /** Mode of the key that created it; a document created with a test key has a watermark. */
  readonly mode: KeyMode;
  /** ApiKey that created it; undefined for work created with kubectl. */
  readonly keyId?: string;
  /** ID of the request that created it; undefined for work created with kubectl. */
  readonly requestId?: string;
  /** The client's metadata. Never part of a file's metadata, for which it can be too large. */
  readonly metadata?: ClientMetadata;
  /** ISO 8601 with milliseconds. */
  readonly createdAt: string;
  /** Expiry time of the files: at most 24 hours after `createdAt`. ISO 8601 with milliseconds. */
  readonly expiresAt: string;
}

/** An accepted document. In a batch item's file, `id` is its batchItemName and `uid` is the Batch's. */
export interface AcceptedDocument extends AcceptedWork {
  readonly filename?: string;
}

export interface AcceptedBatch extends AcceptedWork {
  readonly total: number;
  /** Items that have a file name or metadata. */
  readonly itemSpecs?: readonly BatchItemSpec[];
}

/** Returns the document's properties from the resource. */
export function acceptedDocument(job: GenerationJob): AcceptedDocument {
  const { filename } = job.spec;
  return { ...acceptedWork(job), ...(filename !== undefined && { filename }) };
}

/** Returns the batch's properties from the resource. */
export function acceptedBatch(batch: Batch): AcceptedBatch {
  const { total, items } = batch.spec;
  return { ...acceptedWork(batch), total, ...(items && { itemSpecs: items }) };
}

/** Returns the properties of an item that its file records, which exclude file name and metadata. */
export function acceptedItem(batch: Batch, index: number): AcceptedDocument {
  const { metadata: _metadata, ...item } = acceptedWork(batch);
  return { ...item, id: batchItemName(batch.metadata.name, index) };
}

/** Name of an item, used where a file names its GenerationJob: `bat-…/7`. No resource name contains a slash. */
export function batchItemName(batch: string, index: number): string {
  return `${batch}/${index}`;
}

function acceptedWork(work: GenerationJob | Batch): AcceptedWork {
  const { metadata, spec } = work;
  const version = spec.version ?? (work as GenerationJob).status?.version;
  return {
    id: metadata.name,
    uid: metadata.uid,
    format: spec.format ?? 'pdf',
    mode: spec.mode ?? 'live',
    createdAt: createdAtOf(work).toISOString(),
    expiresAt: expiresAtOf(work).toISOString(),
    ...(spec.templateRef && { template: spec.templateRef.name }),
    ...(version !== undefined && { version }),
    ...picked(spec, ['keyId', 'requestId']),
    ...metadataMember(spec),
  };
}

/**
 * Returns when the document or batch was accepted: the time in its ID if that is trusted, else the resource's creation
 * time. Otherwise a user could choose how long work is kept by putting a time in its name.
 */
export function createdAtOf(work: GenerationJob | Batch): Date {
  return trustedIdTime(work) ?? new Date(work.metadata.creationTimestamp);
}

/** Returns when its files expire: fixed at acceptance, 24 hours later unless the spec says earlier. */
export function expiresAtOf(work: GenerationJob | Batch): Date {
  const latest = createdAtOf(work).getTime() + DOCUMENT_LIFETIME_MS;
  const asked = Date.parse(work.spec.expiresAt ?? '');
  // API servers accept offsets such as +99:99 in times; an invalid time is ignored.
  return new Date(Number.isNaN(asked) ? latest : Math.min(latest, asked));
}

/** Whether requests can find the result by the ID alone, without the resource. */
export function isFoundById(work: GenerationJob | Batch): boolean {
  return trustedIdTime(work) !== undefined;
}

/**
 * Returns the key prefix of the batch's items. Undefined if its name is not a batch ID, or is an ID with a time in the
 * future: its files would not be collected in time. An ID from the past was generated for an earlier request with the
 * same Idempotency-Key; its files expire with the ID.
 */
export function ownItemsPrefix(batch: Batch): string | undefined {
  const { namespace = 'default', name } = batch.metadata;
  return isFoundById(batch) ? batchItemsPrefix(namespace, name) : undefined;
}

/** Returns the time in an ID whose object keys contain it; undefined for any other name. */
function trustedIdTime(work: GenerationJob | Batch): Date | undefined {
  const { name, creationTimestamp } = work.metadata;
  const time = timeOfId(name);
  if (work.kind !== BATCH.kind) return hasTimedId(work) ? time : undefined;
  const latest = Date.parse(creationTimestamp) + ID_TIME_TOLERANCE_MS;
  return time && isId('bat', name) && time.getTime() <= latest ? time : undefined;
}

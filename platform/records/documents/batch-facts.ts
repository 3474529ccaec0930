import {
  batchItemsPrefix,
  ID_TIME_TOLERANCE_MS,
  isId,
  metadataMember,
  timeOfId,
  type Batch,
  type BatchItemSpec,
  type ClientMetadata,
  type DocumentFormat,
  type KeyMode,
} from '@trifold/crds';
import type { DocumentFacts } from './document-facts.ts';
import { expiryOf } from './job-facts.ts';

/** Facts about a batch that are known when it is accepted. */
export interface BatchFacts {
  /** Name of the Batch. */
  readonly batch: string;
  readonly uid: string;
  readonly template: string;
  readonly version: number;
  readonly format: DocumentFormat;
  readonly mode: KeyMode;
  /** ApiKey that created it; undefined for a batch created with kubectl. */
  readonly keyId?: string;
  readonly total: number;
  /** Metadata of the client. */
  readonly metadata?: ClientMetadata;
  /** Items that have a file name or metadata. */
  readonly itemSpecs?: readonly BatchItemSpec[];
  /** ISO 8601 with milliseconds. */
  readonly createdAt: string;
  readonly expiresAt: string;
}

/**
 * Returns when the batch was accepted: the time of its id, which is also in the keys of its files. For a name that
 * gives no keys (ownItemsPrefix), which the controller rejects, the creation time of the resource. Otherwise a batch
 * would be kept until a time that a user wrote into its name.
 */
export function batchCreatedAtOf({ metadata }: Batch): Date {
  return ownTimeOf(metadata) ?? new Date(metadata.creationTimestamp);
}

/** Returns when its files expire: fixed at acceptance, 24 hours later unless the spec says earlier. */
export function batchExpiresAtOf(batch: Batch): Date {
  return expiryOf(batchCreatedAtOf(batch), batch.spec.expiresAt);
}

/** Returns the facts that the resource contains about a batch. */
export function batchFactsOf(batch: Batch): BatchFacts {
  const { spec, metadata } = batch;
  return {
    batch: metadata.name,
    uid: metadata.uid,
    template: spec.templateRef.name,
    version: spec.version,
    format: spec.format ?? 'pdf',
    mode: spec.mode ?? 'live',
    total: spec.total,
    createdAt: batchCreatedAtOf(batch).toISOString(),
    expiresAt: batchExpiresAtOf(batch).toISOString(),
    ...(spec.keyId !== undefined && { keyId: spec.keyId }),
    ...metadataMember(spec),
    ...(spec.items && { itemSpecs: spec.items }),
  };
}

/** Name of an item where a file names its GenerationJob: `bat-…/7`. No resource name contains a slash. */
export function batchItemName(batch: string, index: number): string {
  return `${batch}/${index}`;
}

/** Facts in the file of an item: `job` is its batchItemName, `uid` that of the Batch. */
export function batchItemFacts(batch: Batch, index: number): DocumentFacts {
  const {
    batch: name,
    uid,
    template,
    version,
    format,
    mode,
    keyId,
    createdAt,
    expiresAt,
  } = batchFactsOf(batch);
  const job = batchItemName(name, index);
  const facts = { job, uid, template, version, format, mode, createdAt, expiresAt };
  return { ...facts, ...(keyId !== undefined && { keyId }) };
}

/**
 * Returns the prefix of the keys of the batch's items. Undefined when its name is not a batch id, or an id with a time
 * in the future: its files would not be collected in time. An id from the past was generated for an earlier request
 * with the same Idempotency-Key; its files expire with the id.
 */
export function ownItemsPrefix({ metadata }: Batch): string | undefined {
  const { namespace = 'default', name } = metadata;
  return ownTimeOf(metadata) && batchItemsPrefix(namespace, name);
}

/** Returns the time of the batch's id; undefined when its name is not an id, or its time is in the future. */
function ownTimeOf({ name, creationTimestamp }: Batch['metadata']): Date | undefined {
  const time = isId('bat', name) ? timeOfId(name) : undefined;
  const latest = Date.parse(creationTimestamp) + ID_TIME_TOLERANCE_MS;
  return time && time.getTime() <= latest ? time : undefined;
}

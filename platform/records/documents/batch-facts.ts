import {
  batchItemsPrefix,
  DOCUMENT_LIFETIME_MS,
  ID_TIME_TOLERANCE_MS,
  isId,
  timeOfId,
  type Batch,
  type DocumentFormat,
  type KeyMode,
} from '@trifold/crds';
import type { DocumentFacts } from './document-facts.ts';

/** What is known of a batch from the moment it is accepted. */
export interface BatchFacts {
  /** Name of the Batch. */
  readonly batch: string;
  readonly uid: string;
  readonly template: string;
  readonly version: number;
  readonly format: DocumentFormat;
  readonly mode: KeyMode;
  /** ApiKey that made it; undefined for a batch made by kubectl. */
  readonly keyId?: string;
  readonly total: number;
  /** ISO 8601 with milliseconds. */
  readonly createdAt: string;
  readonly expiresAt: string;
}

/**
 * When the batch was accepted: the time of its id, which is in the keys of its files too. For a name that gives no keys
 * (ownItemsPrefix), which the controller refuses, the time of the resource: it would else be kept until the time that
 * somebody wrote into a name.
 */
export function batchCreatedAtOf({ metadata }: Batch): Date {
  return ownTimeOf(metadata) ?? new Date(metadata.creationTimestamp);
}

/** When its files stop being available: fixed at acceptance, 24 hours later unless the spec says sooner. */
export function batchExpiresAtOf(batch: Batch): Date {
  const latest = batchCreatedAtOf(batch).getTime() + DOCUMENT_LIFETIME_MS;
  const asked = Date.parse(batch.spec.expiresAt ?? '');
  // API servers take offsets such as +99:99 for times; what is none asks for nothing.
  return new Date(Number.isNaN(asked) ? latest : Math.min(latest, asked));
}

/** What the resource says of a batch. */
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
  };
}

/** What the file of an item is called where a file names its GenerationJob: `bat-…/7`. No resource has a slash. */
export function batchItemName(batch: string, index: number): string {
  return `${batch}/${index}`;
}

/** What the file of an item says of itself: `job` is its batchItemName, `uid` that of the Batch. */
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
 * What the keys of the batch's items begin with. Undefined when its name is no id of a batch, or an id whose time is
 * yet to come: its files would lie where they are not collected in time. An id from the past is one that was drawn for
 * a request with an Idempotency-Key, which came back later; its files expire with the id.
 */
export function ownItemsPrefix({ metadata }: Batch): string | undefined {
  const { namespace = 'default', name } = metadata;
  return ownTimeOf(metadata) && batchItemsPrefix(namespace, name);
}

/** The time of the batch's id; undefined when its name is none, or one of a time to come. */
function ownTimeOf({ name, creationTimestamp }: Batch['metadata']): Date | undefined {
  const time = isId('bat', name) ? timeOfId(name) : undefined;
  const latest = Date.parse(creationTimestamp) + ID_TIME_TOLERANCE_MS;
  return time && time.getTime() <= latest ? time : undefined;
}

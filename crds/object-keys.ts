import { timeOfId } from './ids.ts';
import type { GenerationJob } from './kinds/generation-job.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Documents are filed by five-minute buckets of creation, so that collection lists a few prefixes only. */
export const BUCKET_MS = 5 * 60 * 1000;

/** How far the time of an id may be off its resource's creationTimestamp for the id alone to give the key. */
export const ID_TIME_TOLERANCE_MS = 5 * 60 * 1000;

export const DOCUMENTS_PREFIX = 'documents/';
export const REVISIONS_PREFIX = 'revisions/';
export const SOURCES_PREFIX = 'sources/';

/** `documents/20261121T0305Z/`, the bucket that holds what was created at that time. */
export function bucketPrefix(created: Date): string {
  const start = new Date(Math.floor(created.getTime() / BUCKET_MS) * BUCKET_MS).toISOString();
  return `${DOCUMENTS_PREFIX}${start.slice(0, 16).replaceAll('-', '').replace(':', '')}Z/`;
}

/** The first moment of a bucket, from its prefix. Undefined when the prefix is no bucket. */
export function timeOfBucket(prefix: string): Date | undefined {
  const match = /^documents\/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)Z\/$/.exec(prefix);
  if (!match) return undefined;
  const [, year, month, day, hour, minute] = match;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
}

/** Key of the file of a document whose name is an id of ours. Undefined for any other name. */
export function documentKeyOfId(account: string, id: string): string | undefined {
  const created = timeOfId(id);
  return created && `${bucketPrefix(created)}${account}/${id}`;
}

/**
 * Key of a job's file. A job named by kubectl, or whose id does not tell its creation time, is filed under its uid,
 * so that a name used twice never meets the file of the first.
 */
export function documentKeyOf(job: GenerationJob): string {
  const account = job.metadata.namespace ?? 'default';
  if (hasTimedId(job)) return documentKeyOfId(account, job.metadata.name) as string;
  return `${bucketPrefix(new Date(job.metadata.creationTimestamp))}${account}/${job.metadata.uid}`;
}

/** Whether the id alone leads to the job's file, so that the resource need not outlive its TTL. */
export function hasTimedId(job: GenerationJob): boolean {
  const time = timeOfId(job.metadata.name);
  if (!time || !job.metadata.name.startsWith('gen-')) return false;
  return Math.abs(time.getTime() - Date.parse(job.metadata.creationTimestamp)) <= ID_TIME_TOLERANCE_MS;
}

/** What the keys of a batch's items begin with: its own key and a slash. Undefined for a name that is no id of ours. */
export function batchItemsPrefix(account: string, id: string): string | undefined {
  const key = documentKeyOfId(account, id);
  return key && `${key}/`;
}

/** Key of the file of one item of a batch; its data is beside it. */
export function batchItemKey(itemsPrefix: string, index: number): string {
  return `${itemsPrefix}${index}`;
}

/** Key of the data of a document, beside its file. */
export function dataKey(documentKey: string): string {
  return `${documentKey}.data`;
}

/** Key of the record that answers for a failed document after its resource is gone. */
export function recordKey(documentKey: string): string {
  return `${documentKey}.record`;
}

/**
 * The time by which the revision of a job or a batch is filed: that of its id, unless it is a day off the resource's.
 * Revisions are kept for two days longer, so the job ends before (it expires a day after its creation at the latest).
 */
export function revisionTimeOf({ metadata }: Pick<GenerationJob, 'metadata'>): Date {
  const created = new Date(metadata.creationTimestamp);
  const time = /^(gen|bat)-/.test(metadata.name) ? timeOfId(metadata.name) : undefined;
  return time && Math.abs(time.getTime() - created.getTime()) < DAY_MS ? time : created;
}

/**
 * Key of an immutable revision of a template, by the day on which a document was accepted that is made from it and by
 * its content. What was stored on another day is another object: so nobody begins to use one that is about to be
 * collected as too old (docs/adr/0009-objects-by-day.md).
 */
export function revisionKey(account: string, sha256: string, accepted: Date): string {
  return `${REVISIONS_PREFIX}${dayOf(accepted)}/${account}/${sha256}`;
}

/** Key of html and css that are too large for the resource, by the day on which a template was given them. */
export function templateSourceKey(account: string, sha256: string, given: Date): string {
  return `${SOURCES_PREFIX}${dayOf(given)}/${account}/${sha256}`;
}

/** What the key of a source says; undefined when it is none. */
export function readTemplateSourceKey(key: string): { account: string; sha256: string } | undefined {
  const [, account, sha256] = /^sources\/\d{8}\/([^/]+)\/([0-9a-f]{64})$/.exec(key) ?? [];
  return account !== undefined && sha256 !== undefined ? { account, sha256 } : undefined;
}

/** The moment after the day of such keys, from their prefix: `revisions/20261121/`. Undefined when it is none. */
export function endOfDay(prefix: string): Date | undefined {
  const [, year, month, day] = /^[a-z]+\/(\d{4})(\d\d)(\d\d)\/$/.exec(prefix) ?? [];
  const start = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  return Number.isNaN(start) ? undefined : new Date(start + DAY_MS);
}

/** `20261121`, in UTC. */
function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10).replaceAll('-', '');
}

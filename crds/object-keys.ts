import { DAY_MS } from './retention.ts';
import { timeOfId } from './ids.ts';
import type { GenerationJob } from './kinds/generation-job.ts';

/** Documents are stored in five-minute buckets by creation time, so that collection lists only a few prefixes. */
export const BUCKET_MS = 5 * 60 * 1000;

/**
 * Maximum difference between an ID's time and its resource's creationTimestamp up to which the key can be derived from
 * the ID alone.
 */
export const ID_TIME_TOLERANCE_MS = 5 * 60 * 1000;

export const DOCUMENTS_PREFIX = 'documents/';
export const REVISIONS_PREFIX = 'revisions/';
export const SOURCES_PREFIX = 'sources/';
export const HISTORY_PREFIX = 'history/';
export const INDEX_PREFIX = 'index/';
export const REQUESTS_PREFIX = 'requests/';

/** Returns the prefix of the bucket for the given time: `documents/20261121T0305Z/`. */
export function bucketPrefix(created: Date): string {
  const start = new Date(Math.floor(created.getTime() / BUCKET_MS) * BUCKET_MS);
  return `${DOCUMENTS_PREFIX}${minuteOf(start.toISOString())}/`;
}

/** Returns the start of a bucket from its prefix. Undefined if the prefix is not a bucket. */
export function timeOfBucket(prefix: string): Date | undefined {
  return /^documents\/[^/]*\/$/.test(prefix) ? timeOfMinute(prefix) : undefined;
}

/** Returns the key of a document's file from its ID. Undefined if the name is not one of our IDs. */
export function documentKeyOfId(account: string, id: string): string | undefined {
  const created = timeOfId(id);
  return created && `${bucketPrefix(created)}${account}/${id}`;
}

/**
 * Returns the key of a job's file. The file of a job that was named with kubectl, or whose ID does not match its
 * creation time, is stored under its uid, so that a reused name never finds the earlier job's file.
 */
export function documentKeyOf(job: GenerationJob): string {
  const account = job.metadata.namespace ?? 'default';
  if (hasTimedId(job)) return documentKeyOfId(account, job.metadata.name) as string;
  return `${bucketPrefix(new Date(job.metadata.creationTimestamp))}${account}/${job.metadata.uid}`;
}

/**
 * Whether the key of the job's file can be derived from the ID alone, so that the resource need not outlive its TTL.
 */
export function hasTimedId(job: GenerationJob): boolean {
  const time = timeOfId(job.metadata.name);
  if (!time || !job.metadata.name.startsWith('gen-')) return false;
  return Math.abs(time.getTime() - Date.parse(job.metadata.creationTimestamp)) <= ID_TIME_TOLERANCE_MS;
}

/**
 * Returns the key prefix of a batch's items: its own key and a slash. Undefined if the name is not one of our IDs.
 */
export function batchItemsPrefix(account: string, id: string): string | undefined {
  const key = documentKeyOfId(account, id);
  return key && `${key}/`;
}

/** Returns the key of a batch item's file; its data is next to it. */
export function batchItemKey(itemsPrefix: string, index: number): string {
  return `${itemsPrefix}${index}`;
}

/** Returns the key of a document's data, next to its file. */
export function dataKey(documentKey: string): string {
  return `${documentKey}.data`;
}

/** Returns the key of the files to attach to a document, or to every document of a batch. */
export function attachmentsKey(documentKey: string): string {
  return `${documentKey}.attachments`;
}

/** Returns the keys of everything that is stored only until the document is finished. */
export function inputKeys(documentKey: string): string[] {
  return [dataKey(documentKey), attachmentsKey(documentKey)];
}

/** Returns the key of the record that describes a failed document after its resource is deleted. */
export function recordKey(documentKey: string): string {
  return `${documentKey}.record`;
}

/**
 * Returns the time in the key of a job's or batch's revision: the ID's time, unless it differs by a day from the
 * resource's. Revisions are kept two days longer, so the job ends earlier (it expires at most a day after its
 * creation).
 */
export function revisionTimeOf({ metadata }: Pick<GenerationJob, 'metadata'>): Date {
  const created = new Date(metadata.creationTimestamp);
  const time = /^(gen|bat)-/.test(metadata.name) ? timeOfId(metadata.name) : undefined;
  return time && Math.abs(time.getTime() - created.getTime()) < DAY_MS ? time : created;
}

/**
 * Returns the key of an immutable template revision, by its content and by the day on which a document created
 * from it was accepted. The same content on another day is a separate object, so that no document starts using a
 * revision that is about to be collected (docs/adr/0009-objects-by-day.md).
 */
export function revisionKey(account: string, sha256: string, accepted: Date): string {
  return `${REVISIONS_PREFIX}${dayOf(accepted)}/${account}/${sha256}`;
}

/**
 * Returns the key of HTML and CSS that are too large for the resource, by the day on which the template received them.
 */
export function templateSourceKey(account: string, sha256: string, given: Date): string {
  return `${SOURCES_PREFIX}${dayOf(given)}/${account}/${sha256}`;
}

/** Parses the key of a source; returns undefined for any other key. */
export function readTemplateSourceKey(key: string): { account: string; sha256: string } | undefined {
  const [, account, sha256] = /^sources\/\d{8}\/([^/]+)\/([0-9a-f]{64})$/.exec(key) ?? [];
  return account !== undefined && sha256 !== undefined ? { account, sha256 } : undefined;
}

/** Returns the key prefix of a template's versions: `history/<account>/<uid>/`. */
export function templateHistoryPrefix(account: string, uid: string): string {
  return `${HISTORY_PREFIX}${account}/${uid}/`;
}

/** Returns the key of a template version's copy. The version is its `metadata.generation`. */
export function templateVersionKey(account: string, uid: string, version: number): string {
  return `${templateHistoryPrefix(account, uid)}${version}`;
}

/**
 * Returns the key of a template's sample data. `id` is new for each save, so that an object is never replaced while it
 * is being read, and is deleted only after the template refers to another one.
 */
export function templateSamplesKey(account: string, uid: string, id: string): string {
  return `${templateHistoryPrefix(account, uid)}samples-${id}`;
}

/** Whether the key belongs to this template's sample data. */
export function isTemplateSamplesKey(account: string, uid: string, key: string): boolean {
  const prefix = templateSamplesKey(account, uid, '');
  return key.startsWith(prefix) && /^[\da-f-]{36}$/.test(key.slice(prefix.length));
}

/** Returns the key of a template version's thumbnail, which shows the first page. */
export function templateThumbnailKey(account: string, uid: string, version: number): string {
  return `${templateVersionKey(account, uid, version)}-thumbnail`;
}

/**
 * Returns the prefix of an account's work index entries for a day: `index/20261121/acme/`. The day is the first part,
 * so that whole days can be collected (docs/adr/0029-index-of-work.md).
 */
export function indexPrefix(account: string, day: Date): string {
  return `${INDEX_PREFIX}${dayOf(day)}/${account}/`;
}

/**
 * Returns the prefix of an account's request log for a day: `requests/20261121/acme/<uid>/`. The uid hides the log from
 * a later account with the same name.
 */
export function requestsPrefix(account: string, uid: string, day: Date): string {
  return `${REQUESTS_PREFIX}${dayOf(day)}/${account}/${uid}/`;
}

/** Returns the end of the day in a key prefix such as `revisions/20261121/`. Undefined for any other string. */
export function endOfDay(prefix: string): Date | undefined {
  const [, year, month, day] = /^[a-z]+\/(\d{4})(\d\d)(\d\d)\/$/.exec(prefix) ?? [];
  const start = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  return Number.isNaN(start) ? undefined : new Date(start + DAY_MS);
}

/** Formats the minute of an RFC 3339 time in UTC as `20261121T0305Z`. */
export function minuteOf(time: string): string {
  return `${time.slice(0, 16).replaceAll(/[^0-9T]/g, '')}Z`;
}

/** Returns the start of the minute that ends a key prefix, as `minuteOf` formats it. Undefined for any other string. */
export function timeOfMinute(prefix: string): Date | undefined {
  const match = /\/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)Z\/$/.exec(prefix);
  if (!match) return undefined;
  const [, year, month, day, hour, minute] = match;
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
}

/** Formats the UTC day as `20261121`. */
function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10).replaceAll('-', '');
}

import { timeOfId } from './ids.ts';
import type { GenerationJob } from './generation-job.ts';

/** Documents are filed by five-minute buckets of creation, so that collection lists a few prefixes only. */
export const BUCKET_MS = 5 * 60 * 1000;

/** How far the time of an id may be off its resource's creationTimestamp for the id alone to give the key. */
export const ID_TIME_TOLERANCE_MS = 5 * 60 * 1000;

export const DOCUMENTS_PREFIX = 'documents/';

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

/** Key of the data of a document, beside its file. */
export function dataKey(documentKey: string): string {
  return `${documentKey}.data`;
}

/** Key of the record that answers for a failed document after its resource is gone. */
export function recordKey(documentKey: string): string {
  return `${documentKey}.record`;
}

/** Key of an immutable, content-addressed revision of a template. */
export function revisionKey(account: string, sha256: string): string {
  return `revisions/${account}/${sha256}`;
}

/** Key of html and css that are too large for the resource; content-addressed. */
export function templateSourceKey(account: string, sha256: string): string {
  return `sources/${account}/${sha256}`;
}

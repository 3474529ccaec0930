import { DOCUMENT_LIFETIME_MS, hasTimedId, type Batch, type GenerationJob } from '@trifold/crds';
import {
  batchCreatedAtOf,
  batchExpiresAtOf,
  ownItemsPrefix,
} from '@trifold/platform/records/documents/batch-facts.ts';
import { TOO_MANY_KEPT } from '../work/work-error.ts';
import { createdAtOf, expiresAtOf } from '@trifold/platform/records/documents/job-facts.ts';

/** Times of a job or a batch that decide how long its resource is kept. */
export interface RetentionTimes<R extends GenerationJob | Batch> {
  createdAt(resource: R): Date;
  /** When the files expire. */
  expiresAt(resource: R): Date;
  /** Whether requests find the result by the id alone, without the resource. */
  isFoundById(resource: R): boolean;
}

export const JOB_TIMES: RetentionTimes<GenerationJob> = {
  createdAt: createdAtOf,
  expiresAt: expiresAtOf,
  isFoundById: hasTimedId,
};

export const BATCH_TIMES: RetentionTimes<Batch> = {
  createdAt: batchCreatedAtOf,
  expiresAt: batchExpiresAtOf,
  isFoundById: (batch) => ownItemsPrefix(batch) !== undefined,
};

/**
 * Returns the time at which the resource of a finished job or batch is deleted, in milliseconds; `ttlSeconds` applies
 * when the spec sets none. A resource stays longer while the id alone does not lead to its files, or when they expire
 * before their bucket.
 */
export function retentionEnd<R extends GenerationJob | Batch>(
  times: RetentionTimes<R>,
  resource: R,
  now: Date,
  ttlSeconds: number,
): number {
  const seconds = resource.spec.ttlSecondsAfterFinished ?? ttlSeconds;
  const end = finishedAt(times, resource, now) + seconds * 1000;
  return needsResource(times, resource) ? Math.max(end, times.expiresAt(resource).getTime()) : end;
}

/**
 * Whether a finished job or batch may be deleted before its time to live is over: not if its spec sets that time, or if
 * its files need the resource. A job that failed because too many of these are kept has no file.
 */
export function mayLeaveEarly<R extends GenerationJob | Batch>(
  times: RetentionTimes<R>,
  resource: R,
): boolean {
  if (resource.status?.error?.code === TOO_MANY_KEPT) return true;
  const { ttlSecondsAfterFinished } = resource.spec;
  return ttlSecondsAfterFinished === undefined && !needsResource(times, resource);
}

/** Whether the id alone does not lead to its files, or they expire before their bucket. */
function needsResource<R extends GenerationJob | Batch>(times: RetentionTimes<R>, resource: R): boolean {
  const lifetime = times.expiresAt(resource).getTime() - times.createdAt(resource).getTime();
  return lifetime < DOCUMENT_LIFETIME_MS || !times.isFoundById(resource);
}

/** Whether the retention of a finished job or batch is over; `ttlSeconds` applies when the spec sets none. */
export function isPastRetention<R extends GenerationJob | Batch>(
  times: RetentionTimes<R>,
  resource: R,
  now: Date,
  ttlSeconds: number,
): boolean {
  return now.getTime() >= retentionEnd(times, resource, now, ttlSeconds);
}

/**
 * Returns the time at which the end became visible to others, in milliseconds. A result that was found after a pause of
 * the controller has the time of its rendering, but clients still get the whole time to live to read it. Ignores times
 * in the future: someone else or a machine with a wrong clock wrote them, and they would keep the resource for that
 * long.
 */
export function finishedAt<R extends GenerationJob | Batch>(
  times: RetentionTimes<R>,
  resource: R,
  now: Date,
): number {
  const { status } = resource;
  const last = status?.conditions?.find(({ type }) => type === 'Complete' || type === 'Failed');
  const ends = [status?.finishedAt, last?.lastTransitionTime].map((text) => Date.parse(text ?? ''));
  return Math.max(...ends.filter((time) => time <= now.getTime()), times.createdAt(resource).getTime());
}

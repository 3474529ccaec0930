import { DOCUMENT_LIFETIME_MS, hasTimedId, type Batch, type GenerationJob } from '@trifold/crds';
import {
  batchCreatedAtOf,
  batchExpiresAtOf,
  ownItemsPrefix,
} from '@trifold/platform/records/documents/batch-facts.ts';
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
  const created = times.createdAt(resource).getTime();
  const expires = times.expiresAt(resource).getTime();
  const seconds = resource.spec.ttlSecondsAfterFinished ?? ttlSeconds;
  const end = Math.max(finishedAt(resource, now), created) + seconds * 1000;
  const expiresEarly = expires < created + DOCUMENT_LIFETIME_MS;
  return expiresEarly || !times.isFoundById(resource) ? Math.max(end, expires) : end;
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
function finishedAt({ status }: GenerationJob | Batch, now: Date): number {
  const last = status?.conditions?.find(({ type }) => type === 'Complete' || type === 'Failed');
  const times = [status?.finishedAt, last?.lastTransitionTime].map((text) => Date.parse(text ?? ''));
  return Math.max(...times.filter((time) => time <= now.getTime()));
}

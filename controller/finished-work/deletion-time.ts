import type { Batch, GenerationJob } from '@trifold/crds';
import { createdAtOf, expiresAtOf, isFoundById } from '@trifold/platform/records/documents/accepted-work.ts';
import { TOO_MANY_KEPT } from '../work/work-error.ts';

type Work = GenerationJob | Batch;

/**
 * Returns the time at which the resource of a finished job or batch is deleted, in milliseconds; `ttlSeconds` applies
 * if the spec sets none. The resource is kept longer if its files cannot be found from the ID alone.
 */
export function retentionEnd(resource: Work, now: Date, ttlSeconds: number): number {
  const seconds = resource.spec.ttlSecondsAfterFinished ?? ttlSeconds;
  const end = finishedAt(resource, now) + seconds * 1000;
  return isFoundById(resource) ? end : Math.max(end, expiresAtOf(resource).getTime());
}

/**
 * Whether a finished job or batch may be deleted before its TTL expires: not if its spec sets a TTL or its files need
 * the resource. A job that failed because too many of these are kept has no file.
 */
export function mayLeaveEarly(resource: Work): boolean {
  if (resource.status?.error?.code === TOO_MANY_KEPT) return true;
  const { ttlSecondsAfterFinished } = resource.spec;
  return ttlSecondsAfterFinished === undefined && isFoundById(resource);
}

/** Whether the retention period of a finished job or batch has ended; `ttlSeconds` applies when the spec sets none. */
export function isPastRetention(resource: Work, now: Date, ttlSeconds: number): boolean {
  return now.getTime() >= retentionEnd(resource, now, ttlSeconds);
}

/**
 * Returns the time at which the result became visible to clients, in milliseconds. A result found after a controller
 * downtime carries the time it was rendered, but clients still get the whole TTL to read it. Ignores times in the
 * future, written by another client or a machine with a wrong clock: they would keep the resource for that long.
 */
export function finishedAt(resource: Work, now: Date): number {
  const { status } = resource;
  const last = status?.conditions?.find(({ type }) => type === 'Complete' || type === 'Failed');
  const ends = [status?.finishedAt, last?.lastTransitionTime].map((text) => Date.parse(text ?? ''));
  return Math.max(...ends.filter((time) => time <= now.getTime()), createdAtOf(resource).getTime());
}

import type { Batch, GenerationJob } from '@trifold/crds';
import { createdAtOf, expiresAtOf, isFoundById } from '@trifold/platform/records/documents/accepted-work.ts';
import { TOO_MANY_KEPT } from '../work/work-error.ts';

type Work = GenerationJob | Batch;

/**
 * Returns the time at which the resource of a finished job or batch is deleted, in milliseconds; `ttlSeconds` applies
 * when the spec sets none. The resource stays longer while the id alone does not lead to its files.
 */
export function retentionEnd(resource: Work, now: Date, ttlSeconds: number): number {
  const seconds = resource.spec.ttlSecondsAfterFinished ?? ttlSeconds;
  const end = finishedAt(resource, now) + seconds * 1000;
  return isFoundById(resource) ? end : Math.max(end, expiresAtOf(resource).getTime());
}

/**
 * Whether a finished job or batch may be deleted before its time to live is over: not if its spec sets that time, or if
 * its files need the resource. A job that failed because too many of these are kept has no file.
 */
export function mayLeaveEarly(resource: Work): boolean {
  if (resource.status?.error?.code === TOO_MANY_KEPT) return true;
  const { ttlSecondsAfterFinished } = resource.spec;
  return ttlSecondsAfterFinished === undefined && isFoundById(resource);
}

/** Whether the retention of a finished job or batch is over; `ttlSeconds` applies when the spec sets none. */
export function isPastRetention(resource: Work, now: Date, ttlSeconds: number): boolean {
  return now.getTime() >= retentionEnd(resource, now, ttlSeconds);
}

/**
 * Returns the time at which the end became visible to others, in milliseconds. A result that was found after a pause of
 * the controller has the time of its rendering, but clients still get the whole time to live to read it. Ignores times
 * in the future: someone else or a machine with a wrong clock wrote them, and they would keep the resource for that
 * long.
 */
export function finishedAt(resource: Work, now: Date): number {
  const { status } = resource;
  const last = status?.conditions?.find(({ type }) => type === 'Complete' || type === 'Failed');
  const ends = [status?.finishedAt, last?.lastTransitionTime].map((text) => Date.parse(text ?? ''));
  return Math.max(...ends.filter((time) => time <= now.getTime()), createdAtOf(resource).getTime());
}

import { BATCH, isFinished, type Batch, type GenerationJob } from '@trifold/crds';
import { batchCreatedAtOf } from '../documents/batch-facts.ts';
import { createdAtOf, modeOf } from '../documents/job-facts.ts';
import { addUsage, documentUsage, NO_USAGE, type UsageCounters } from './usage-counters.ts';

/** What a piece of finished work adds to the report of its day. */
export interface WorkUsage {
  /** Name of the report: the day, in UTC, on which the work was accepted. It never changes. */
  readonly day: string;
  readonly usage: UsageCounters;
}

/** Matches work that has reached its end, in the field selector of a list of jobs or batches. */
export const FINISHED_WORK = 'status.phase!=,status.phase!=Pending,status.phase!=Processing';

/**
 * How many resources of a kind a page of a list of finished work has, so that it is of a few megabytes at the most: a
 * batch tells of up to a hundred items, with a message each where they failed.
 */
export function workPageSize(kind: string): number {
  return kind === BATCH.kind ? 50 : 500;
}

/** The day of a time in UTC, as reports are named: `2026-11-21`. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/** Undefined while the job is not finished, and once it is being deleted: then it is counted, or not to be. */
export function usageOfJob(job: GenerationJob): WorkUsage | undefined {
  if (!isFinished(job) || job.metadata.deletionTimestamp !== undefined) return undefined;
  const { phase, pages = 0, size = 0 } = job.status ?? {};
  const made = { ...documentUsage(modeOf(job), job.spec.format ?? 'pdf', 1), pages, bytes: size };
  const usage = phase === 'Completed' ? made : { ...NO_USAGE, failed: 1 };
  return { day: dayOf(createdAtOf(job)), usage };
}

/** The batch and its items: each completed one a document, each failed one a failure. Undefined as for a job. */
export function usageOfBatch(batch: Batch): WorkUsage | undefined {
  if (!isFinished(batch) || batch.metadata.deletionTimestamp !== undefined) return undefined;
  const { format = 'pdf', mode = 'live' } = batch.spec;
  const { completed = 0, failed = 0, items = [] } = batch.status ?? {};
  const done = items.filter(({ phase }) => phase === 'Completed');
  const made = {
    ...documentUsage(mode, format, completed),
    pages: done.reduce((sum, { pages = 0 }) => sum + pages, 0),
    bytes: done.reduce((sum, { size = 0 }) => sum + size, 0),
  };
  return { day: dayOf(batchCreatedAtOf(batch)), usage: addUsage(made, { ...NO_USAGE, failed, batches: 1 }) };
}

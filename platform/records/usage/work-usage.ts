import { BATCH, isFinished, type Batch, type GenerationJob } from '@trifold/crds';
import { createdAtOf } from '../documents/accepted-work.ts';
import { addUsage, documentUsage, NO_USAGE, type UsageCounters } from './usage-counters.ts';

/** Usage that a finished job or batch adds to its day's report. */
export interface WorkUsage {
  /** Name of the report: the day, in UTC, on which the work was accepted. It never changes. */
  readonly day: string;
  readonly usage: UsageCounters;
}

/** A batch as a cache may store it: once finished, with totals instead of its completed items. */
export interface CachedBatch extends Batch {
  readonly totals?: BatchTotals;
}

/** Totals of a batch's completed items. */
export interface BatchTotals {
  readonly pages: number;
  readonly bytes: number;
}

/** Field selector that matches finished jobs or batches. */
export const FINISHED_WORK = 'status.phase!=,status.phase!=Pending,status.phase!=Processing';

/** Field selector that matches all other jobs or batches. An object leaves the selection with its final status. */
export const UNFINISHED_WORK = 'status.phase!=Completed,status.phase!=Failed';

/**
 * Page size for lists of finished work, so that a page has at most a few megabytes: a batch lists up to a hundred
 * items, with a message for each one that failed.
 */
export function workPageSize(kind: string): number {
  return kind === BATCH.kind ? 50 : 500;
}

/** Returns the UTC day of a time in the format of report names: `2026-11-21`. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/**
 * Returns undefined if the job is not finished, and once it is being deleted: by then it has been counted or must not
 * be.
 */
export function usageOfJob(job: GenerationJob): WorkUsage | undefined {
  if (!isFinished(job) || job.metadata.deletionTimestamp !== undefined) return undefined;
  const { format = 'pdf', mode = 'live' } = job.spec;
  const { phase, pages = 0, size = 0 } = job.status ?? {};
  const made = { ...documentUsage(mode, format, 1), pages, bytes: size };
  const usage = phase === 'Completed' ? made : { ...NO_USAGE, failed: 1 };
  return { day: dayOf(createdAtOf(job)), usage };
}

/**
 * Usage of the batch and its items: each completed item is a document, each failed item a failure. Undefined in the
 * same cases as for a job.
 */
export function usageOfBatch(batch: CachedBatch): WorkUsage | undefined {
  if (!isFinished(batch) || batch.metadata.deletionTimestamp !== undefined) return undefined;
  const { format = 'pdf', mode = 'live' } = batch.spec;
  const { completed = 0, failed = 0 } = batch.status ?? {};
  const made = { ...documentUsage(mode, format, completed), ...totalsOfBatch(batch) };
  return { day: dayOf(createdAtOf(batch)), usage: addUsage(made, { ...NO_USAGE, failed, batches: 1 }) };
}

/** Returns the pages and bytes of the completed items. */
export function totalsOfBatch({ totals, status }: CachedBatch): BatchTotals {
  if (totals) return totals;
  const completed = status?.items?.filter(({ phase }) => phase === 'Completed') ?? [];
  return {
    pages: completed.reduce((sum, { pages = 0 }) => sum + pages, 0),
    bytes: completed.reduce((sum, { size = 0 }) => sum + size, 0),
  };
}

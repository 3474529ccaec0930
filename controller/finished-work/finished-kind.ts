import type { Batch, GenerationJob } from '@trifold/crds';
import type { IndexList } from '@trifold/platform/records/documents/work-index.ts';
import type { WorkUsage } from '@trifold/platform/records/usage/work-usage.ts';

/** The differences between finished jobs and finished batches: what they leave behind, and what is counted. */
export interface FinishedKind<R extends GenerationJob | Batch> {
  /** Index list that shows the work after its deletion. */
  readonly indexList: IndexList;
  /** Returns the index row that lists show after the work's deletion; undefined if lists omit the work. */
  rowOf(resource: R): unknown;
  /**
   * Returns the usage that the work adds and the day it counts toward, or undefined if it is unfinished or already
   * being deleted.
   */
  usageOf(resource: R): WorkUsage | undefined;
  /** Whether a client deleted the document or batch. A resource is settled once before the deletion and once after. */
  isDeleted(resource: R): boolean;
  /**
   * Creates the deliveries, deletes what is no longer needed, and stores the record that later requests are served
   * from. Runs before the resource is deleted; idempotent, so a crash is harmless. Returns false if the resource
   * differs from the cache; the cache reports the change later.
   */
  settle(resource: R, signal: AbortSignal): Promise<boolean>;
}

import type { Batch, GenerationJob } from '@trifold/crds';
import type { IndexList } from '@trifold/platform/records/documents/work-index.ts';
import type { WorkUsage } from '@trifold/platform/records/usage/work-usage.ts';

/** What differs between finished jobs and finished batches: what they leave behind, and what counts. */
export interface FinishedKind<R extends GenerationJob | Batch> {
  /** List of the index that shows the work after its deletion. */
  readonly indexList: IndexList;
  /** Returns what lists show of the work after its deletion; undefined if they do not show it. */
  rowOf(resource: R): unknown;
  /** Returns what it adds to which day; undefined while it is unfinished, or when it is already being deleted. */
  usageOf(resource: R): WorkUsage | undefined;
  /** Whether a client deleted it. A resource is settled once before that and once after. */
  isDeleted(resource: R): boolean;
  /**
   * Creates the deliveries, deletes what is no longer needed, and stores the record that answers requests afterwards.
   * Runs before any delete of the resource; idempotent, so a crash does no harm. Returns false when the resource differs from the cache; the
   * cache reports the change later.
   */
  settle(resource: R, signal: AbortSignal): Promise<boolean>;
}

import { isDeepStrictEqual } from 'node:util';
import type { Batch, GenerationJob, PendingWork, UsageReport } from '@trifold/crds';
import { formatKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import {
  addUsage,
  NO_USAGE,
  uncountedOfReport,
  type UsageCounters,
} from '@trifold/platform/records/usage/usage-counters.ts';
import { usageOfBatch, usageOfJob, type WorkUsage } from '@trifold/platform/records/usage/work-usage.ts';
import type { Caches } from '../caches.ts';
import { REPORT_INDEX } from '../work/work-cache.ts';

/** Finished jobs and batches not yet counted in a report. */
export interface Uncounted {
  /** Number of these jobs and batches. */
  readonly work: number;
  readonly usage: UsageCounters;
}

/** Content of a report. */
interface Shown {
  readonly uncounted: Uncounted;
  /** Uids of its pending work, which its counters include. */
  readonly pending: ReadonlySet<string>;
}

const NOTHING: Shown = { uncounted: { work: 0, usage: NO_USAGE }, pending: new Set() };

/**
 * Compares the uncounted work in reports with the caches. A report's sum is recomputed from the caches each time, so it
 * cannot drift. Keys are report keys, in the format of formatKey.
 */
export class UncountedWork {
  readonly #caches: Pick<Caches, 'jobs' | 'batches'>;
  /** Reports with uncounted or pending work. They only avoid reads, so they can be lost without harm. */
  readonly #shown = new Map<string, Shown>();
  /**
   * Cached objects never change. Without this cache, reading the time in every ID would account for most of a sum's
   * cost.
   */
  readonly #usage = new WeakMap<GenerationJob | Batch, UsageCounters>();

  constructor(caches: Pick<Caches, 'jobs' | 'batches'>) {
    this.#caches = caches;
  }

  /** Returns the sum of a report's cached work, excluding its pending work. */
  sum(key: string, pending: ReadonlySet<string>): Uncounted {
    const { jobs, batches } = this.#caches;
    const work = [
      ...jobs.finished.byIndex(REPORT_INDEX, key).map((job) => this.#cached(job, usageOfJob)),
      ...batches.finished.byIndex(REPORT_INDEX, key).map((batch) => this.#cached(batch, usageOfBatch)),
    ].filter(({ uid }) => !pending.has(uid));
    return { work: work.length, usage: work.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE) };
  }

  /** Returns the reports that are known to differ from the caches. */
  outdated(): string[] {
    const { jobs, batches } = this.#caches;
    const cached = [jobs, batches].flatMap(({ finished }) => finished.indexValues(REPORT_INDEX));
    return [...new Set([...cached, ...this.#shown.keys()])].filter((key) => !this.isCurrent(key));
  }

  /** Whether the report matches the caches. Requires that the report was recorded since its last change. */
  isCurrent(key: string): boolean {
    const { uncounted, pending } = this.#shown.get(key) ?? NOTHING;
    return isDeepStrictEqual(this.sum(key, pending), uncounted);
  }

  /** Records a report's content according to the API server. */
  note(report: UsageReport): void {
    const { metadata, status } = report;
    const key = formatKey(metadata.namespace, metadata.name);
    const uncounted = { work: status?.uncounted?.work ?? 0, usage: uncountedOfReport(report) };
    const pending = uidsOf(status?.pending ?? []);
    if (uncounted.work === 0 && pending.size === 0) this.#shown.delete(key);
    else this.#shown.set(key, { uncounted, pending });
  }

  #cached<R extends GenerationJob | Batch>(
    resource: R,
    usageOf: (resource: R) => WorkUsage | undefined,
  ): { uid: string; usage: UsageCounters } {
    const usage = this.#usage.get(resource) ?? usageOf(resource)?.usage ?? NO_USAGE;
    this.#usage.set(resource, usage);
    return { uid: resource.metadata.uid, usage };
  }

  /** Records that the content of the reports is unknown. */
  forget(): void {
    this.#shown.clear();
  }
}

/** Returns the uids of pending work. */
export function uidsOf(pending: readonly PendingWork[]): Set<string> {
  return new Set(pending.map(({ uid }) => uid));
}

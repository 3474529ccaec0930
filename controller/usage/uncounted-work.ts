import { isDeepStrictEqual } from 'node:util';
import type { PendingWork, UsageReport } from '@trifold/crds';
import { formatKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import {
  addUsage,
  NO_USAGE,
  uncountedOfReport,
  type UsageCounters,
} from '@trifold/platform/records/usage/usage-counters.ts';
import type { CountedKind } from './finished-work.ts';

/** Finished jobs and batches that a report does not count yet. */
export interface Uncounted {
  /** Number of these jobs and batches. */
  readonly work: number;
  readonly usage: UsageCounters;
}

/** What a report shows. */
interface Shown {
  readonly uncounted: Uncounted;
  /** Uids of its pending work, which its counters contain. */
  readonly pending: ReadonlySet<string>;
}

const NOTHING: Shown = { uncounted: { work: 0, usage: NO_USAGE }, pending: new Set() };

/**
 * Compares what reports show of uncounted work with the caches. The sum of a report is made anew from the caches each
 * time, so it cannot drift. Keys are those of reports, in the format of formatKey.
 */
export class UncountedWork {
  readonly #kinds: readonly Pick<CountedKind, 'cachedReports' | 'cached'>[];
  /** Reports that show something. Only saves reads: all of it can be lost. */
  readonly #shown = new Map<string, Shown>();

  constructor(kinds: readonly Pick<CountedKind, 'cachedReports' | 'cached'>[]) {
    this.#kinds = kinds;
  }

  /** Returns the sum of the cached work of a report, without its pending work. */
  sum(key: string, pending: ReadonlySet<string>): Uncounted {
    const work = this.#kinds.flatMap((kind) => kind.cached(key)).filter(({ uid }) => !pending.has(uid));
    return { work: work.length, usage: work.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE) };
  }

  /** Returns the reports that do not show what the caches show, as far as is known. */
  outdated(): string[] {
    const keys = new Set([...this.#kinds.flatMap((kind) => kind.cachedReports()), ...this.#shown.keys()]);
    return [...keys].filter((key) => !this.isCurrent(key));
  }

  /** Whether the report shows what the caches show. Requires that it was noted since its last change. */
  isCurrent(key: string): boolean {
    const { uncounted, pending } = this.#shown.get(key) ?? NOTHING;
    return isDeepStrictEqual(this.sum(key, pending), uncounted);
  }

  /** Records what a report shows according to the API server. */
  note(report: UsageReport): void {
    const { metadata, status } = report;
    const key = formatKey(metadata.namespace, metadata.name);
    const uncounted = { work: status?.uncounted?.work ?? 0, usage: uncountedOfReport(report) };
    const pending = uidsOf(status?.pending ?? []);
    if (uncounted.work === 0 && pending.size === 0) this.#shown.delete(key);
    else this.#shown.set(key, { uncounted, pending });
  }

  /** Records that it is not known what the reports show. */
  forget(): void {
    this.#shown.clear();
  }
}

/** Returns the uids of pending work. */
export function uidsOf(pending: readonly PendingWork[]): Set<string> {
  return new Set(pending.map(({ uid }) => uid));
}

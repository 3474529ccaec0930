import {
  BUCKET_MS,
  bucketPrefix,
  DOCUMENTS_PREFIX,
  endOfDay,
  HISTORY_PREFIX,
  INDEX_PREFIX,
  REQUESTS_PREFIX,
  REVISIONS_PREFIX,
  SOURCES_PREFIX,
  timeOfBucket,
  timeOfId,
  type KubernetesObject,
  DAY_MS,
} from '@trifold/crds';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { WorkIndex } from '@trifold/platform/records/documents/work-index.ts';
import { SPOOL_PREFIX } from '../webhooks/spool/spooled-event.ts';

/**
 * The prefixes of account objects, and the key segment that contains the account. The index comes first: deletions that
 * it records have already happened.
 */
const ACCOUNT_SEGMENTS = {
  [INDEX_PREFIX]: 2,
  [DOCUMENTS_PREFIX]: 2,
  [REVISIONS_PREFIX]: 2,
  [SOURCES_PREFIX]: 2,
  [REQUESTS_PREFIX]: 2,
  [HISTORY_PREFIX]: 1,
  [SPOOL_PREFIX]: 1,
};

/**
 * Time after its period during which a prefix may still receive objects for work that is not on the API server yet:
 * clock skew plus a request in flight.
 */
const SETTLED_MS = 15 * 60 * 1000;

type Sums = ReadonlyMap<string, number>;

interface KeptSums {
  readonly sums: Sums;
  /** Number of deleted documents in the bucket at the time of the count. */
  readonly deleted: number;
}

/**
 * Counts the bytes of all objects by account, one page at a time. Keeps the sums of document buckets and revision days
 * that only a deletion can change: their period is over, and the API server has no work from it. A deletion leaves a
 * marker in the index, and its bucket is recounted. Everything else is recounted each time. If a bucket is closed while
 * its job moves between two caches, its sum may be too high until the bucket's files expire.
 */
export class StoredBytesCounter {
  readonly #store: Pick<ObjectStore, 'list' | 'pages'>;
  readonly #liveWork: () => Iterable<KubernetesObject>;
  #kept: ReadonlyMap<string, KeptSums> = new Map();

  /** `liveWork`: the jobs and batches on the API server. */
  constructor(store: Pick<ObjectStore, 'list' | 'pages'>, liveWork: () => Iterable<KubernetesObject>) {
    this.#store = store;
    this.#liveWork = liveWork;
  }

  /** Rejects with ObjectStoreError, or when the signal aborts. */
  async count(now: Date, signal: AbortSignal): Promise<Map<string, number>> {
    const live = new LiveTimes(this.#liveWork());
    const deleted = new Map<string, number>();
    const kept = new Map<string, KeptSums>();
    const total = new Map<string, number>();
    for (const [root, segment] of Object.entries(ACCOUNT_SEGMENTS)) {
      const { prefixes } = await this.#store.list(root, { delimiter: '/' });
      for (const prefix of prefixes) {
        signal.throwIfAborted();
        const deletions = deleted.get(prefix) ?? 0;
        const known = this.#kept.get(prefix);
        const isClosed = isOver(prefix, now) && !live.mayChange(prefix);
        const sums =
          isClosed && known?.deleted === deletions
            ? known.sums
            : await this.#sumsOf(prefix, segment, deleted);
        if (isClosed) kept.set(prefix, { sums, deleted: deletions });
        for (const [account, bytes] of sums) add(total, account, bytes);
      }
    }
    this.#kept = kept;
    return total;
  }

  /** Adds the deletions found to `deleted`, by bucket. */
  async #sumsOf(prefix: string, segment: number, deleted: Map<string, number>): Promise<Sums> {
    const sums = new Map<string, number>();
    for await (const objects of this.#store.pages(prefix)) {
      for (const { key, size } of objects) {
        const account = key.split('/')[segment] ?? '';
        add(sums, account, size);
        const created = prefix.startsWith(INDEX_PREFIX) && timeOfId(WorkIndex.deletedIdOf(key) ?? '');
        if (created) add(deleted, bucketPrefix(created), 1);
      }
    }
    return sums;
  }
}

function add(sums: Map<string, number>, name: string, number: number): void {
  sums.set(name, (sums.get(name) ?? 0) + number);
}

/** Returns the end of the period for a prefix that receives only objects for work from that period. */
function endOf(prefix: string): number | undefined {
  const start = timeOfBucket(prefix);
  if (start) return start.getTime() + BUCKET_MS;
  return prefix.startsWith(REVISIONS_PREFIX) ? endOfDay(prefix)?.getTime() : undefined;
}

function isOver(prefix: string, now: Date): boolean {
  return (endOf(prefix) ?? Infinity) + SETTLED_MS <= now.getTime();
}

/** The buckets and days that work on the API server may still change. */
class LiveTimes {
  readonly #ends = new Set<number>();

  constructor(work: Iterable<KubernetesObject>) {
    for (const { metadata } of work) {
      // The key is derived from the ID or from the resource's creation time.
      for (const time of [timeOfId(metadata.name)?.getTime(), Date.parse(metadata.creationTimestamp)]) {
        if (time === undefined) continue;
        for (const length of [BUCKET_MS, DAY_MS]) this.#ends.add((Math.floor(time / length) + 1) * length);
      }
    }
  }

  /** A bucket that ends at midnight also remains open as long as its day does. */
  mayChange(prefix: string): boolean {
    return this.#ends.has(endOf(prefix) ?? Number.NaN);
  }
}

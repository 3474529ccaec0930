import { DAY_MS, requestsPrefix, REQUESTS_KEPT_MS } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { inParallel } from '@trifold/platform/async/in-parallel.ts';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { unavailable } from '../server/errors/api-error.ts';
import { Slots } from '../server/quota/slots.ts';
import type { LogOwner } from './account-log.ts';
import { decodeRequests, latestRequests, MAX_REQUESTS, type LoggedRequest } from './logged-request.ts';

const MAX_READ = BOUNDS.requestLogReads.limit.value;
const CONCURRENT_READS = 4;
/** Maximum wait for other accounts' reads. */
const MAX_WAIT_MS = 10_000;

/**
 * The logs in the object store. Each gateway rewrites one object per account and day,
 * `requests/<day>/<account>/<uid>/<name>`, so that gateways never overwrite each other.
 */
export class RequestLogReader {
  readonly #store: Pick<ObjectStore, 'read' | 'list'>;
  readonly #clock: Clock;
  /** Reads in progress, by account uid. */
  readonly #reads = new Map<string, Promise<readonly LoggedRequest[]>>();
  /** All accounts take turns: each has at most one read. */
  readonly #slots: Slots;

  constructor(store: Pick<ObjectStore, 'read' | 'list'>, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    const busy = () => unavailable('The request log is busy. Try again in a moment.');
    const wait = { ms: MAX_WAIT_MS, error: busy };
    this.#slots = new Slots({ most: BOUNDS.requestLogReaders.limit.value, clock, wait });
  }

  /**
   * Returns an account's latest requests that gateways have written, newest first. Concurrent calls for an account
   * share one read. Rejects with ObjectStoreError, or with ApiError 503 if too many accounts read their logs.
   */
  async read({ account, uid }: LogOwner): Promise<readonly LoggedRequest[]> {
    const running = this.#reads.get(uid);
    if (running) return running;
    const read = this.#readInTurn({ account, uid }).finally(() => this.#reads.delete(uid));
    this.#reads.set(uid, read);
    return read;
  }

  async #readInTurn(owner: LogOwner): Promise<readonly LoggedRequest[]> {
    // Other requests may wait for the same read, so it continues when one of them ends.
    const free = await this.#slots.take('all accounts', new AbortController().signal);
    try {
      return await this.#readDays(owner);
    } finally {
      free();
    }
  }

  async #readDays({ account, uid }: LogOwner): Promise<readonly LoggedRequest[]> {
    const now = this.#clock.now().getTime();
    let latest: readonly LoggedRequest[] = [];
    for (let day = now; day >= now - REQUESTS_KEPT_MS; day -= DAY_MS) {
      const { objects } = await this.#store.list(requestsPrefix(account, uid, new Date(day)));
      const newest = objects.toSorted(
        (left, right) => Number(right.lastModified) - Number(left.lastModified),
      );
      await inParallel(newest.slice(0, MAX_READ), CONCURRENT_READS, async ({ key }) => {
        const body = await this.#store.read(key);
        // Merges each object as it arrives, so that few rows are in memory.
        if (body) latest = latestRequests([...latest, ...decodeRequests(body.toString())]);
      });
      // Earlier days contain only earlier requests.
      if (latest.length === 2 * MAX_REQUESTS) break;
    }
    return latest;
  }
}

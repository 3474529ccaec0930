import { DAY_MS, requestsPrefix, REQUESTS_KEPT_MS } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { inParallel } from '@trifold/platform/async/in-parallel.ts';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { AccountLog, LogOwner } from './account-log.ts';
import {
  decodeRequests,
  isFailed,
  latestRequests,
  MAX_REQUESTS,
  requestTime,
  type LoggedRequest,
} from './logged-request.ts';

/** A gateway that has not written to its object for this long is idle or gone. */
const IDLE_MS = 5 * 60 * 1000;
const MAX_IDLE_OBJECTS = BOUNDS.requestLogObjects.limit.value;
/** Objects of one day that are read: those of idle gateways, and of as many gateways as a large cluster has. */
const MAX_READ = 64;
const CONCURRENT_READS = 4;

/**
 * The logs in the object store. Each gateway rewrites one object per account and day,
 * `requests/<day>/<account>/<uid>/<name>`, so that gateways never overwrite each other. The same request may be in
 * several objects. Every method rejects with ObjectStoreError.
 */
export class StoredLogs {
  readonly #store: Pick<ObjectStore, 'put' | 'read' | 'list' | 'delete'>;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(store: Pick<ObjectStore, 'put' | 'read' | 'list' | 'delete'>, clock: Pick<Clock, 'now'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Writes the log. The first write also takes over the objects of idle gateways, if there are many. */
  async write(log: AccountLog): Promise<void> {
    const prefix = requestsPrefix(log.account, log.uid, this.#clock.now());
    const idle = log.isStored ? [] : await this.#idleObjects(prefix);
    if (idle.length > 0) {
      const requests = await this.#read(idle);
      log.replace(latestRequests([...requests, ...decodeRequests(log.lines.join('\n'))]));
    }
    const body = log.lines.join('\n');
    await this.#store.put(prefix + log.name, body, { contentType: 'application/x-ndjson' });
    log.isStored = true;
    // If one of these gateways was only idle, its next write restores its object.
    for (const key of idle) await this.#store.delete(key);
  }

  /** Returns the latest requests, newest first: those that gateways have stored, and those in `own`. */
  async read({ account, uid }: LogOwner, own: readonly LoggedRequest[]): Promise<LoggedRequest[]> {
    const now = this.#clock.now().getTime();
    let latest = latestRequests(own);
    for (let day = now; day >= now - REQUESTS_KEPT_MS; day -= DAY_MS) {
      const { objects } = await this.#store.list(requestsPrefix(account, uid, new Date(day)));
      const newest = objects.toSorted(
        (left, right) => Number(right.lastModified) - Number(left.lastModified),
      );
      const requests = await this.#read(newest.slice(0, MAX_READ).map(({ key }) => key));
      latest = latestRequests([...latest, ...requests]);
      if (isFullSince(latest, Math.floor(day / DAY_MS) * DAY_MS)) break;
    }
    return latest;
  }

  async #idleObjects(prefix: string): Promise<string[]> {
    const { objects } = await this.#store.list(prefix);
    const now = this.#clock.now().getTime();
    const idle = objects.filter(({ lastModified }) => now - lastModified.getTime() > IDLE_MS);
    return idle.length > MAX_IDLE_OBJECTS ? idle.map(({ key }) => key) : [];
  }

  async #read(keys: readonly string[]): Promise<LoggedRequest[]> {
    const found: LoggedRequest[] = [];
    await inParallel(keys, CONCURRENT_READS, async (key) => {
      const body = await this.#store.read(key);
      if (body) found.push(...decodeRequests(body.toString()));
    });
    return found;
  }
}

/** Whether earlier days can contain none of the latest requests. */
function isFullSince(latest: readonly LoggedRequest[], start: number): boolean {
  const recent = latest.filter((request) => requestTime(request) >= start);
  const failed = recent.filter(isFailed).length;
  return failed === MAX_REQUESTS && recent.length - failed === MAX_REQUESTS;
}

import { bucketPrefix, DOCUMENT_LIFETIME_MS, timeOfId } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';

/** Identity of a request: an Idempotency-Key belongs to the API key that sends it and to the route. */
export interface RequestIdentity {
  /** Namespace of the account. */
  readonly account: string;
  /** Name of the ApiKey. */
  readonly keyId: string;
  /** For example `POST /v1/generate`. */
  readonly route: string;
  /** The Idempotency-Key. */
  readonly key: string;
}

/** Stored record of a request. */
export interface RequestRecord {
  /** SHA-256 of the body with its members in order. */
  readonly bodySha256: string;
  /** Id of what the request creates; its time is the time of the request. */
  readonly id: string;
}

/** Records are stored by day, in the last five-minute bucket of the day. */
const DAY_MS = 24 * 60 * 60 * 1000;
/** Maximum clock skew between two gateways, and maximum pause of a gateway between two steps. */
const MARGIN_MS = 5 * 60 * 1000;

/**
 * Stores records of requests with an Idempotency-Key in the object store for 24 hours. The first record that is stored
 * for a request determines what the request creates.
 *
 * The object key contains the day of the request but no finer time, because a repeated request must find it. The
 * object is in the last bucket of its day, so it is deleted with the documents of that bucket, when every record of the
 * day is older than 24 hours. Around midnight two gateways may see different days; then a record is stored under the
 * earlier day first and under the later day second, and the record of the later day counts. Rejects with
 * ObjectStoreError.
 */
export class RequestRecords {
  readonly #store: ObjectStore;
  readonly #clock: Clock;

  constructor(store: ObjectStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Returns the record of the request, if there is one. */
  async find(request: RequestIdentity): Promise<RequestRecord | undefined> {
    const days = this.#days();
    const [today = 0] = days;
    const records = await Promise.all([today - 1, ...days].map(async (day) => this.#read(request, day)));
    const found = records.findLast((record) => record !== undefined);
    // The record may be missing under the later day, where another gateway could be about to store a different one.
    return found && timeOf(found) >= midnightOf(days) - MARGIN_MS ? this.claim(request, found) : found;
  }

  /** Stores the record of the request unless one exists. Returns the record that counts. */
  async claim(request: RequestIdentity, own: RequestRecord): Promise<RequestRecord> {
    let counting = own;
    for (const day of this.#days()) {
      const { created } = await this.#store.put(objectKey(request, day), JSON.stringify(counting), {
        contentType: 'application/json',
        ifAbsent: true,
      });
      if (!created) counting = (await this.#read(request, day)) ?? counting;
    }
    return counting;
  }

  /** Days that any gateway may see now: one, or two around midnight. */
  #days(): number[] {
    const now = this.#clock.now().getTime();
    return [...new Set([dayOf(now - MARGIN_MS), dayOf(now + MARGIN_MS)])];
  }

  /** Returns the record of a day, unless it is older than 24 hours. */
  async #read(request: RequestIdentity, day: number): Promise<RequestRecord | undefined> {
    const kept = await this.#store.read(objectKey(request, day));
    if (!kept) return undefined;
    const record = JSON.parse(kept.toString()) as RequestRecord;
    return timeOf(record) + DOCUMENT_LIFETIME_MS > this.#clock.now().getTime() ? record : undefined;
  }
}

function timeOf({ id }: RequestRecord): number {
  return timeOfId(id)?.getTime() ?? 0;
}

/** Returns the midnight between two days; Infinity for a single day. */
function midnightOf([, later = Infinity]: readonly number[]): number {
  return later * DAY_MS;
}

function dayOf(milliseconds: number): number {
  return Math.floor(milliseconds / DAY_MS);
}

function objectKey({ account, keyId, route, key }: RequestIdentity, day: number): string {
  const lastBucket = bucketPrefix(new Date((day + 1) * DAY_MS - 1));
  return `${lastBucket}${account}/idempotency-${sha256Hex(JSON.stringify([keyId, route, key]))}`;
}

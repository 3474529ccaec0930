import { bucketPrefix, DOCUMENT_LIFETIME_MS, timeOfId } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';

/** Which request is meant: a key belongs to the API key that sends it, and to the route it is sent to. */
export interface RequestIdentity {
  /** Namespace of the account. */
  readonly account: string;
  /** Name of the ApiKey. */
  readonly keyId: string;
  /** For instance `POST /v1/generate`. */
  readonly route: string;
  /** The Idempotency-Key. */
  readonly key: string;
}

/** What is remembered of a request. */
export interface RequestRecord {
  /** Of the body, its members in order. */
  readonly bodySha256: string;
  /** Id of what the request makes; its time is that of the request. */
  readonly id: string;
}

/** Records are filed by days, under the last five-minute bucket of the day. */
const DAY_MS = 24 * 60 * 60 * 1000;
/** So far the clocks of two gateways may be apart, and so long a gateway may stop to think between two steps. */
const MARGIN_MS = 5 * 60 * 1000;

/**
 * Remembers requests that carried an Idempotency-Key, in the object store, for 24 hours. Whoever puts the record of a
 * request there first decides what the request makes.
 *
 * The key of a record tells the day of the request and nothing else of its time: a repetition has to find it. The
 * object is in the last bucket of its day, so it is collected with the documents of that bucket, when every record of
 * the day is older than 24 hours. Around midnight two gateways may see two days; there a record is put into the day
 * before and then into the day after, and what the later day holds counts. Rejects with ObjectStoreError.
 */
export class RequestRecords {
  readonly #store: ObjectStore;
  readonly #clock: Clock;

  constructor(store: ObjectStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** What is remembered of the request, if anything. */
  async find(request: RequestIdentity): Promise<RequestRecord | undefined> {
    const days = this.#days();
    const [today = 0] = days;
    const records = await Promise.all([today - 1, ...days].map(async (day) => this.#read(request, day)));
    const found = records.findLast((record) => record !== undefined);
    // It may not have come to the later day yet, where another gateway could be about to decide otherwise.
    return found && timeOf(found) >= midnightOf(days) - MARGIN_MS ? this.claim(request, found) : found;
  }

  /** Remembers the request, unless it is already. Answers the record that counts. */
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

  /** The days that it may be anywhere: one, or two around midnight. */
  #days(): number[] {
    const now = this.#clock.now().getTime();
    return [...new Set([dayOf(now - MARGIN_MS), dayOf(now + MARGIN_MS)])];
  }

  /** The record of a day, unless it is older than 24 hours. */
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

/** The midnight between two days; of one day alone there is none. */
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

import { bucketPrefix, DOCUMENT_LIFETIME_MS, timeOfId, DAY_MS, DOCUMENT_LIFETIME } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { sha256Hex } from '@trifold/platform/templating/revisions/canonical-json.ts';
import { ApiError } from '../errors/api-error.ts';

/** A request with an Idempotency-Key, which is scoped to the API key and the route. */
export interface IdempotentRequest {
  /** Namespace of the account. */
  readonly account: string;
  /** Name of the ApiKey. */
  readonly keyId: string;
  /** For example `POST /v1/generate`. */
  readonly route: string;
  /** The Idempotency-Key. */
  readonly key: string;
  /** SHA-256 of the body, independent of the order of its fields. */
  readonly bodySha256: string;
}

/** Work that a request creates. */
export interface ClaimedWork {
  /** The time in the ID is the time of the request. */
  readonly id: string;
  /** SHA-256 of the template revision. */
  readonly revision: string;
  /** Version of a saved template. */
  readonly version?: number;
}

/** Stored record of a request. */
type RequestRecord = Pick<IdempotentRequest, 'bodySha256'> & ClaimedWork;

/** Maximum clock skew between two gateways, and maximum pause of a gateway between two steps. */
const MARGIN_MS = 5 * 60 * 1000;

/**
 * Stores records of requests with an Idempotency-Key in the object store for 24 hours. The first record stored for a
 * request determines what the request creates.
 *
 * The object key contains the day of the request but no more precise time, because a repeated request must find it. The
 * object is in its day's last bucket, so it is deleted with that bucket's documents, when every record of the day is
 * older than 24 hours. Around midnight, two gateways may see different days; a record is then stored first under the
 * earlier day and then under the later day, and the later day's record takes precedence. Rejects with
 * ObjectStoreError.
 */
export class RequestRecords {
  readonly #objects: ObjectStore;
  readonly #clock: Clock;

  constructor(store: ObjectStore, clock: Clock) {
    this.#objects = store;
    this.#clock = clock;
  }

  /**
   * Returns the work that the request creates, if there is a record. Throws ApiError `idempotency_key_reused` for a
   * different body.
   */
  async find(request: IdempotentRequest): Promise<ClaimedWork | undefined> {
    const days = this.#days();
    const [today = 0] = days;
    const records = await Promise.all([today - 1, ...days].map(async (day) => this.#read(request, day)));
    const found = records.findLast((record) => record !== undefined);
    if (!found) return undefined;
    // The record may be missing under the later day, while another gateway is about to store a different one there.
    const isLate = timeOf(found) >= midnightOf(days) - MARGIN_MS;
    return workFor(request, isLate ? await this.#store(request, found) : found);
  }

  /**
   * Stores `work` as what the request creates, unless there is a record. Returns the record that applies. Throws
   * ApiError `idempotency_key_reused` for a different body.
   */
  async claim(request: IdempotentRequest, work: ClaimedWork): Promise<ClaimedWork> {
    return workFor(request, await this.#store(request, { ...work, bodySha256: request.bodySha256 }));
  }

  async #store(request: IdempotentRequest, own: RequestRecord): Promise<RequestRecord> {
    let counting = own;
    for (const day of this.#days()) {
      const { created } = await this.#objects.put(objectKey(request, day), JSON.stringify(counting), {
        contentType: 'application/json',
        ifAbsent: true,
      });
      if (!created) counting = (await this.#read(request, day)) ?? counting;
    }
    return counting;
  }

  /** Days that a gateway may see now: one, or two around midnight. */
  #days(): number[] {
    const now = this.#clock.now().getTime();
    return [...new Set([dayOf(now - MARGIN_MS), dayOf(now + MARGIN_MS)])];
  }

  /** Returns the record of a day, unless it is older than 24 hours. */
  async #read(request: IdempotentRequest, day: number): Promise<RequestRecord | undefined> {
    const kept = await this.#objects.read(objectKey(request, day));
    if (!kept) return undefined;
    const record = JSON.parse(kept.toString()) as RequestRecord;
    return timeOf(record) + DOCUMENT_LIFETIME_MS > this.#clock.now().getTime() ? record : undefined;
  }
}

function workFor(request: IdempotentRequest, { bodySha256, ...work }: RequestRecord): ClaimedWork {
  if (bodySha256 === request.bodySha256) return work;
  const message = `The Idempotency-Key was sent before with a different body. Use a new key for each new request; keys are kept for ${DOCUMENT_LIFETIME}.`;
  throw new ApiError('idempotency_key_reused', message);
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

function objectKey({ account, keyId, route, key }: IdempotentRequest, day: number): string {
  const lastBucket = bucketPrefix(new Date((day + 1) * DAY_MS - 1));
  return `${lastBucket}${account}/idempotency-${sha256Hex(JSON.stringify([keyId, route, key]))}`;
}

import { ApiError, unavailable } from '../errors/api-error.ts';

/** Limits on the bytes of request bodies in flight. */
export interface BodyLimits {
  /** Limit for all requests together. */
  readonly total: number;
  /** Limit for the requests of one API key; at least the largest body that a route accepts. */
  readonly perKey: number;
}

/** Maximum size of a small body. Large bodies never use the bytes that are reserved for small ones. */
export const SMALL_BODY_BYTES = 64 * 1024;
/** Small bodies may exceed each limit by this share of it. */
const SHARE_FOR_SMALL = 0.25;
const RETRY_AFTER_MS = 1_000;

/**
 * Counts the bytes of bodies from the moment that the gateway accepts a body until its request is over. The parsed
 * body lives as long as the request, so a synchronous request counts while it waits for its document.
 */
export class BodyBudget {
  readonly #limits: BodyLimits;
  readonly #byKey = new Map<string, number>();
  #total = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /** Bytes in flight. */
  get total(): number {
    return this.#total;
  }

  /** Number of keys that have bytes in flight. */
  get keys(): number {
    return this.#byKey.size;
  }

  /** Opens a reservation of 0 bytes for one request of a key. */
  open(key: string): BodyReservation {
    let held = 0;
    let isOpen = true;
    return {
      extend: (bytes) => {
        if (!isOpen || bytes <= held) return;
        this.#check(key, bytes - held, bytes <= SMALL_BODY_BYTES);
        this.#add(key, bytes - held);
        held = bytes;
      },
      release: () => {
        isOpen = false;
        this.#add(key, -held);
        held = 0;
      },
    };
  }

  #check(key: string, more: number, isSmall: boolean): void {
    const factor = isSmall ? 1 + SHARE_FOR_SMALL : 1;
    const ofKey = this.#byKey.get(key) ?? 0;
    if (ofKey + more > this.#limits.perKey * factor) throw tooManyUploads(this.#limits.perKey);
    if (this.#total + more > this.#limits.total * factor) {
      throw unavailable('The service holds as many request bodies as it can. Try again.', RETRY_AFTER_MS);
    }
  }

  #add(key: string, bytes: number): void {
    const ofKey = (this.#byKey.get(key) ?? 0) + bytes;
    this.#total += bytes;
    if (ofKey === 0) this.#byKey.delete(key);
    else this.#byKey.set(key, ofKey);
  }
}

/** The bytes that one request holds. */
export interface BodyReservation {
  /**
   * Raises the reservation to this many bytes; does nothing when it has them or is released. Throws ApiError
   * `too_many_uploads` when the key would exceed its limit, `unavailable` when all requests together would.
   */
  extend(bytes: number): void;
  /** Gives the bytes back. A second call does nothing. */
  release(): void;
}

function tooManyUploads(limit: number): ApiError {
  const message = `The bodies of requests in flight of an API key may have ${limit} bytes together. Send the request again when others are answered.`;
  const headers = { 'retry-after': String(RETRY_AFTER_MS / 1000) };
  return new ApiError('too_many_uploads', message, { headers });
}

import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { Readable } from 'node:stream';
import type { ByteReservation } from '../budget/byte-budget.ts';
import { ApiError } from '../errors/api-error.ts';

export interface IncomingBodyOptions {
  readonly reservation: ByteReservation;
  readonly clock: Clock;
  /** Content-Length; undefined for a chunked body. */
  readonly expectedBytes: number | undefined;
}

/** Grace period for a slow start, such as TCP slow start. */
const GRACE_MS = 10_000;
const CHECK_INTERVAL_MS = 1_000;
const BLOCK_BYTES = 64 * 1024;
const SMALLEST_BLOCK_BYTES = 1024;
/** Minimum average rate of a body, in bytes per second after the grace period. */
const MIN_BYTES_PER_SECOND = BOUNDS.uploadRate.limit.value * 1024;
const MAX_CHUNKS = BOUNDS.bodyChunks.limit.value;
/** A body may have at most one chunk per this many bytes. */
const BYTES_PER_CHUNK = 64;

/**
 * A request body that did not arrive together with its headers. Copies chunks into blocks: a client can send its body
 * in one-byte chunks, each of which would hold a separate Buffer. Handles chunks without a separate stream, which would
 * cost several times as much per chunk. Fails with the ApiError of the reservation when a chunked body exceeds the
 * budget, with `request_timeout` when the body arrives too slowly, and with `invalid_request` when it has too many
 * chunks.
 */
class IncomingBody extends Readable {
  readonly #request: Readable;
  readonly #options: IncomingBodyOptions;
  readonly #startedAt: number;
  #received = 0;
  #chunks = 0;
  #block = Buffer.alloc(0);
  #filled = 0;
  #cancelCheck: (() => void) | undefined;

  constructor(request: Readable, options: IncomingBodyOptions) {
    super();
    this.#request = request;
    this.#options = options;
    this.#startedAt = options.clock.monotonicMs();
    this.#checkRateIn(GRACE_MS);
    request.on('data', this.#onChunk).once('end', this.#onEnd);
  }

  override _read(): void {
    this.#request.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#cancelCheck?.();
    this.#request.off('data', this.#onChunk).off('end', this.#onEnd).resume();
    done(error);
  }

  readonly #onChunk = (chunk: Buffer): void => {
    this.#received += chunk.length;
    this.#chunks += 1;
    try {
      if (this.#chunks > MAX_CHUNKS + this.#received / BYTES_PER_CHUNK) throw tooManyChunks();
      this.#options.reservation.extend(this.#received);
    } catch (error) {
      this.destroy(error as Error);
      return;
    }
    this.#append(chunk);
  };

  readonly #onEnd = (): void => {
    this.#cancelCheck?.();
    this.#pushBlock();
    this.push(null);
  };

  #append(chunk: Buffer): void {
    for (let from = 0; from < chunk.length;) {
      if (this.#filled === this.#block.length) this.#nextBlock();
      const copied = chunk.copy(this.#block, this.#filled, from);
      from += copied;
      this.#filled += copied;
    }
  }

  #nextBlock(): void {
    this.#pushBlock();
    const wanted = this.#options.expectedBytes ?? Math.max(SMALLEST_BLOCK_BYTES, this.#block.length * 2);
    this.#block = Buffer.allocUnsafeSlow(Math.min(BLOCK_BYTES, wanted));
  }

  #pushBlock(): void {
    const block = this.#block.subarray(0, this.#filled);
    this.#filled = 0;
    if (block.length > 0 && !this.push(block)) this.#request.pause();
  }

  #checkRateIn(delayMs: number): void {
    this.#cancelCheck = this.#options.clock.schedule(delayMs, () => this.#checkRate());
  }

  #checkRate(): void {
    const elapsedMs = this.#options.clock.monotonicMs() - this.#startedAt;
    const wanted = (MIN_BYTES_PER_SECOND * (elapsedMs - GRACE_MS)) / 1000;
    if (this.#received >= wanted) this.#checkRateIn(CHECK_INTERVAL_MS);
    else this.destroy(tooSlow());
  }
}

/** Reads a request body. After a failure, drops incoming data until the connection ends. */
export function incomingBody(request: Readable, options: IncomingBodyOptions): Readable {
  const body = new IncomingBody(request, options);
  request.once('error', (error) => body.destroy(error));
  // Nothing else handles errors once the request gets a response.
  return body.on('error', () => undefined);
}

function tooManyChunks(): ApiError {
  const message = `The body has too many chunks. The limit is ${MAX_CHUNKS}, plus one per ${BYTES_PER_CHUNK} bytes. Send larger chunks.`;
  return new ApiError('invalid_request', message);
}

function tooSlow(): ApiError {
  const message = `The body arrives too slowly: at least ${MIN_BYTES_PER_SECOND} bytes per second are required.`;
  return new ApiError('request_timeout', message);
}

import type { Clock } from '@trifold/platform/service/clock.ts';
import { Transform, type Readable, type TransformCallback } from 'node:stream';
import { ApiError } from '../errors/api-error.ts';
import type { BodyReservation } from './body-budget.ts';

export interface IncomingBodyOptions {
  readonly reservation: BodyReservation;
  readonly clock: Clock;
  /** Minimum average rate of the body in bytes a second, after the grace period; 0: any rate. */
  readonly minBytesPerSecond: number;
  /** Content-Length; undefined for a chunked body. */
  readonly expectedBytes: number | undefined;
}

/** Grace period for a slow start, such as that of TCP. */
const GRACE_MS = 10_000;
const CHECK_INTERVAL_MS = 1_000;
const BLOCK_BYTES = 64 * 1024;
const SMALLEST_BLOCK_BYTES = 1024;

/**
 * A request body that did not arrive with its headers. Copies pieces into blocks: a client can send its body in pieces
 * of one byte, and each piece would hold its own Buffer. Fails with the ApiError of the reservation when a chunked body
 * exceeds the budget, and with ApiError `request_timeout` when the body arrives too slowly.
 */
class IncomingBody extends Transform {
  readonly #options: IncomingBodyOptions;
  readonly #startedAt: number;
  #received = 0;
  #block = Buffer.alloc(0);
  #filled = 0;
  #cancelCheck: (() => void) | undefined;

  constructor(options: IncomingBodyOptions) {
    super();
    this.#options = options;
    this.#startedAt = options.clock.monotonicMs();
    if (options.minBytesPerSecond > 0) this.#checkRateIn(GRACE_MS);
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#received += piece.length;
    try {
      this.#options.reservation.extend(this.#received);
    } catch (error) {
      done(error as Error);
      return;
    }
    this.#append(piece);
    done();
  }

  override _flush(done: TransformCallback): void {
    this.#cancelCheck?.();
    this.#pushBlock();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#cancelCheck?.();
    done(error);
  }

  #append(piece: Buffer): void {
    for (let from = 0; from < piece.length;) {
      if (this.#filled === this.#block.length) this.#nextBlock();
      const copied = piece.copy(this.#block, this.#filled, from);
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
    if (this.#filled > 0) this.push(this.#block.subarray(0, this.#filled));
    this.#filled = 0;
  }

  #checkRateIn(delayMs: number): void {
    this.#cancelCheck = this.#options.clock.schedule(delayMs, () => this.#checkRate());
  }

  #checkRate(): void {
    const { clock, minBytesPerSecond } = this.#options;
    const elapsedMs = clock.monotonicMs() - this.#startedAt;
    const wanted = (minBytesPerSecond * (elapsedMs - GRACE_MS)) / 1000;
    if (this.#received >= wanted) this.#checkRateIn(CHECK_INTERVAL_MS);
    else this.destroy(tooSlow(minBytesPerSecond));
  }
}

/** Reads the body of a request. Drops what arrives after a failure until the connection ends. */
export function incomingBody(request: Readable, options: IncomingBodyOptions): Readable {
  const body = new IncomingBody(options);
  request.once('error', (error) => body.destroy(error));
  // Nothing else handles errors once the request is answered.
  body.on('error', () => undefined);
  body.once('close', () => {
    request.unpipe(body);
    request.resume();
  });
  return request.pipe(body);
}

function tooSlow(minBytesPerSecond: number): ApiError {
  const message = `The body arrives too slowly: at least ${minBytesPerSecond} bytes a second are needed.`;
  return new ApiError('request_timeout', message);
}

import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { ObjectStoreError } from '../port.ts';

/**
 * Streams the bytes of an object. Fails, instead of ending early, when the connection is cut, when the number of bytes
 * differs from the announced one, or when the total wait for the store exceeds `patienceMs`; time in which the reader
 * does not read does not count. Reports a failure only to a read, because there may be no listener before. Destroying
 * the stream frees the connection.
 */
export class S3Body extends Readable {
  readonly #response: IncomingMessage;
  readonly #what: string;
  #expected: number;
  #patienceMs: number;
  #waitingSince: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #asked = false;
  #failure: ObjectStoreError | undefined;

  constructor(response: IncomingMessage, options: { what: string; size: number; patienceMs: number }) {
    super();
    this.#response = response;
    this.#what = options.what;
    this.#expected = options.size;
    this.#patienceMs = options.patienceMs;
    response.on('data', (piece: Buffer) => this.#take(piece));
    response.on('end', () => this.#end());
    response.on('error', (error) => this.#fail('the connection was cut', error));
    response.on('close', () => this.#fail('the connection was cut'));
    response.pause();
  }

  override _read(): void {
    this.#asked = true;
    if (this.#failure) {
      this.destroy(this.#failure);
      return;
    }
    this.#wait();
    this.#response.resume();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#stopWaiting();
    // After the end this has no effect, and the connection serves the next request.
    this.#response.destroy();
    callback(error);
  }

  #take(piece: Buffer): void {
    this.#stopWaiting();
    this.#expected -= piece.length;
    if (this.#expected < 0) this.#fail('more came than was announced');
    else if (this.push(piece)) this.#wait();
    else this.#response.pause();
  }

  #end(): void {
    if (this.#expected > 0) return this.#fail(`${this.#expected} bytes are missing at the end`);
    this.#stopWaiting();
    this.push(null);
  }

  #fail(reason: string, cause?: unknown): void {
    if (this.readableEnded || this.#isWhole) return;
    this.#failure ??= new ObjectStoreError('unavailable', `object store: ${this.#what}: ${reason}`, cause);
    if (this.#asked) this.destroy(this.#failure);
  }

  get #isWhole(): boolean {
    return this.#expected === 0 && this.#response.complete;
  }

  #wait(): void {
    if (this.#waitingSince !== undefined) return;
    this.#waitingSince = performance.now();
    const tooLate = () => this.#fail('the store stopped sending');
    this.#timer = setTimeout(tooLate, Math.max(0, this.#patienceMs));
  }

  #stopWaiting(): void {
    clearTimeout(this.#timer);
    if (this.#waitingSince === undefined) return;
    this.#patienceMs -= performance.now() - this.#waitingSince;
    this.#waitingSince = undefined;
  }
}

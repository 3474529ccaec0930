import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { TrifoldError } from '@trifold/platform/errors/trifold-error.ts';

const { limit, total } = BOUNDS.unreadResponses;

/** Number of bytes of an unread response that a connection holds. */
export const CHUNK_BYTES: number = limit.value;

/**
 * Responses that are larger than a chunk and have not been completely read. If they exceed the total, the one that has
 * waited longest for its reader is dropped.
 */
export class UnreadBytes {
  readonly #most: number;
  /** Longest-waiting first. */
  readonly #pieces = new Map<UnreadPiece, number>();
  #total = 0;

  constructor(most: number = total.value) {
    this.#most = most;
  }

  hold(piece: UnreadPiece, bytes: number): void {
    this.#pieces.set(piece, bytes);
    this.#total += bytes;
    for (const oldest of this.#pieces.keys()) {
      if (this.#total <= this.#most || oldest === piece) break;
      oldest.drop();
    }
  }

  /** Records that the piece's reader has made progress. */
  touch(piece: UnreadPiece): void {
    const bytes = this.#pieces.get(piece);
    if (bytes === undefined || !this.#pieces.delete(piece)) return;
    this.#pieces.set(piece, bytes);
  }

  release(piece: UnreadPiece): void {
    this.#total -= this.#pieces.get(piece) ?? 0;
    this.#pieces.delete(piece);
  }
}

/** Part of a response, read in chunks. Call `release` if it is not read to the end. */
export class UnreadPiece {
  readonly #unread: UnreadBytes;
  readonly length: number;
  readonly #again: () => Uint8Array | undefined;
  #bytes: Uint8Array | undefined;
  #offset = 0;

  /** @param again returns the same bytes again after they were dropped, or undefined if they no longer exist */
  constructor(unread: UnreadBytes, bytes: Uint8Array, again: () => Uint8Array | undefined = () => undefined) {
    this.#unread = unread;
    this.#bytes = bytes;
    this.length = bytes.length;
    this.#again = again;
    unread.hold(this, bytes.length);
  }

  /** Whether the bytes were dropped because the reader was too slow. */
  get isDropped(): boolean {
    return this.#bytes === undefined;
  }

  /** Returns the next chunk; undefined at the end. Throws if the bytes were dropped and no longer exist. */
  next(): Uint8Array | undefined {
    this.#unread.touch(this);
    if (this.#offset >= this.length) {
      this.release();
      return undefined;
    }
    const bytes = this.#bytes ?? this.#again();
    if (bytes?.length !== this.length)
      throw new TrifoldError('reader_too_slow', 'the client did not read the response in time');
    // A copy, because a socket that holds the chunk would otherwise retain all bytes.
    const chunk = Uint8Array.prototype.slice.call(bytes, this.#offset, this.#offset + CHUNK_BYTES);
    this.#offset += chunk.length;
    return chunk;
  }

  drop(): void {
    this.release();
    this.#bytes = undefined;
  }

  release(): void {
    this.#unread.release(this);
  }
}

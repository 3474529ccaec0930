import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { TrifoldError } from '@trifold/platform/errors/trifold-error.ts';

const { limit, total } = BOUNDS.unreadResponses;

/** Bytes that a connection holds of a response that its client does not read. */
export const CHUNK_BYTES: number = limit.value;

/**
 * Responses that are larger than a chunk and not completely read. If they exceed the total, the one that waits longest
 * for its reader is dropped.
 */
export class UnreadBytes {
  readonly #most: number;
  /** The one that waits longest first. */
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

  /** Records that the reader of the piece has made progress. */
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

/** Part of a response, read in chunks. Call `release` if it is not read to its end. */
export class UnreadPiece {
  readonly #unread: UnreadBytes;
  readonly #length: number;
  #bytes: Uint8Array | undefined;
  #offset = 0;

  constructor(unread: UnreadBytes, bytes: Uint8Array) {
    this.#unread = unread;
    this.#bytes = bytes;
    this.#length = bytes.length;
    unread.hold(this, bytes.length);
  }

  /** Returns the next chunk; undefined at the end. Throws if the bytes were dropped. */
  next(): Uint8Array | undefined {
    this.#unread.touch(this);
    if (this.#offset >= this.#length) {
      this.release();
      return undefined;
    }
    if (!this.#bytes)
      throw new TrifoldError('reader_too_slow', 'the client did not read the response in time');
    // A copy: a socket that holds the chunk would keep all bytes.
    const chunk = Uint8Array.prototype.slice.call(this.#bytes, this.#offset, this.#offset + CHUNK_BYTES);
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

import { createHmac, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../errors/api-error.ts';

/** End of a page of a list: the sort key of its last entry, so that it stays valid while entries come and go. */
export interface Position {
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  readonly id: string;
}

const MAC_BYTES = 16;

/**
 * Creates and reads cursors: opaque, and authenticated with a key, so that a forged cursor is rejected and does not
 * show some page. A cursor belongs to one list (account and filter); the page size may change between pages.
 */
export class CursorSealer {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Returns the cursor for the entries after `position` in the list called `list`. */
  seal(list: string, position: Position): string {
    const payload = Buffer.from(`${position.createdAt} ${position.id}`);
    return Buffer.concat([this.#mac(list, payload), payload]).toString('base64url');
  }

  /**
   * Returns the position of a cursor. Throws ApiError `invalid_cursor` for a text that `seal` did not create for this
   * list.
   */
  open(list: string, cursor: string): Position {
    const sealed = Buffer.from(cursor, 'base64url');
    const payload = sealed.subarray(MAC_BYTES);
    const isOurs =
      sealed.length > MAC_BYTES &&
      sealed.toString('base64url') === cursor &&
      timingSafeEqual(sealed.subarray(0, MAC_BYTES), this.#mac(list, payload));
    if (!isOurs) {
      const message =
        'The cursor is not one that this list gave out. Pass next_cursor of the page before, with the same filters, or leave cursor out to start at the beginning.';
      throw new ApiError('invalid_cursor', message);
    }
    const [createdAt = '', id = ''] = payload.toString().split(' ');
    return { createdAt: Number(createdAt), id };
  }

  #mac(list: string, payload: Buffer): Buffer {
    return createHmac('sha256', this.#key)
      .update(list)
      .update('\0')
      .update(payload)
      .digest()
      .subarray(0, MAC_BYTES);
  }
}

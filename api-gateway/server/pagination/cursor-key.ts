import { randomBytes } from 'node:crypto';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { CursorSealer } from './cursor.ts';

const CURSOR_KEY = 'gateway/cursor-key';
const KEY_BYTES = 32;

/**
 * Cursor sealer that all gateways share. Its key is generated once and kept in the object store, so that a cursor of
 * one gateway is valid at another and after a restart.
 */
export class SharedCursorSealer {
  readonly #store: ObjectStore;
  #sealer: Promise<CursorSealer> | undefined;

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  /** Rejects with ObjectStoreError when the store is unavailable; the next call tries again. */
  async get(): Promise<CursorSealer> {
    this.#sealer ??= this.#load();
    try {
      return await this.#sealer;
    } catch (error) {
      this.#sealer = undefined;
      throw error;
    }
  }

  async #load(): Promise<CursorSealer> {
    const kept = await this.#store.read(CURSOR_KEY);
    if (kept) return new CursorSealer(kept);
    const generated = randomBytes(KEY_BYTES);
    const { created } = await this.#store.put(CURSOR_KEY, generated, { ifAbsent: true });
    return new CursorSealer(created ? generated : ((await this.#store.read(CURSOR_KEY)) ?? generated));
  }
}

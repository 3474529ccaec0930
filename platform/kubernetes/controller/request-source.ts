import type { ObjectKey } from '../client/object-key.ts';
import type { ChangeSource } from './controller.ts';

/** Source of requests not caused by a change in a cache: a controller that watches it reconciles what is enqueued. */
export class RequestSource implements ChangeSource {
  readonly #listeners = new Set<(key: ObjectKey) => void>();

  /** Does nothing before the controller has started; on start, the controller lists the contents of its informers. */
  enqueue(key: ObjectKey): void {
    for (const listener of this.#listeners) listener(key);
  }

  onChange(listener: (key: ObjectKey) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async synced(): Promise<void> {
    // There is no cache to fill.
  }

  keys(): ObjectKey[] {
    return [];
  }
}

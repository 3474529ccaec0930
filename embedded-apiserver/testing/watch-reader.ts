import type { ApiResponse } from '@trifold/platform/kubernetes/client/transport.ts';
import type { StoredObject } from '../objects/stored-object.ts';

export interface WatchEvent {
  readonly type: string;
  readonly object: StoredObject;
}

/** Reads a watch's events one at a time. */
export class WatchReader {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #text = '';

  constructor(response: ApiResponse) {
    this.#pieces = response.body[Symbol.asyncIterator]();
  }

  /** Returns the next event; undefined at the end of the stream. */
  async next(): Promise<WatchEvent | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n');
      if (end >= 0) {
        const line = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 1);
        return JSON.parse(line) as WatchEvent;
      }
      const piece = await this.#pieces.next();
      if (piece.done) return undefined;
      this.#text += Buffer.from(piece.value).toString();
    }
  }

  async take(count: number): Promise<WatchEvent[]> {
    const events: WatchEvent[] = [];
    while (events.length < count) {
      const event = await this.next();
      if (!event) throw new Error(`the watch ended after ${events.length} of ${count} events`);
      events.push(event);
    }
    return events;
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }
}

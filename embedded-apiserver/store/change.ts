import type { StoredObject } from '../objects/stored-object.ts';

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One write, shared by all its watchers. Each event line is encoded once, on first use. */
export class Change {
  readonly revision: number;
  readonly key: string;
  readonly object: StoredObject;
  /** The object before the write; undefined for a creation. */
  readonly before: StoredObject | undefined;
  readonly deleted: boolean;
  readonly #json: string;
  readonly #lines = new Map<EventType, Uint8Array>();

  constructor(
    row: { revision: number; key: string; json: string; deleted: boolean },
    object: StoredObject,
    before: StoredObject | undefined,
  ) {
    this.revision = row.revision;
    this.key = row.key;
    this.#json = row.json;
    this.deleted = row.deleted;
    this.object = object;
    this.before = before;
  }

  /** The event as a line of a watch stream. */
  line(type: EventType): Uint8Array {
    let line = this.#lines.get(type);
    if (!line) {
      line = Buffer.from(`{"type":"${type}","object":${this.#objectJson(type)}}\n`);
      this.#lines.set(type, line);
    }
    return line;
  }

  /**
   * Returns the object that an event of this type shows. For an object that no longer matches a selector, this is its
   * last matching state with the resourceVersion of the current write (as in the API server's watch cache).
   */
  shown(type: EventType): StoredObject {
    if (type !== 'DELETED' || this.deleted || !this.before) return this.object;
    const metadata = { ...this.before.metadata, resourceVersion: String(this.revision) };
    return { ...this.before, metadata };
  }

  #objectJson(type: EventType): string {
    return this.shown(type) === this.object ? this.#json : JSON.stringify(this.shown(type));
  }
}

/** Returns the event that a watcher with a selector sees, if any: a change can start or end a match. */
export function eventTypeFor(
  change: Change,
  matches: (object: StoredObject) => boolean,
): EventType | undefined {
  const matchedBefore = change.before !== undefined && matches(change.before);
  const matchesNow = !change.deleted && matches(change.object);
  if (matchesNow) return matchedBefore ? 'MODIFIED' : 'ADDED';
  return matchedBefore ? 'DELETED' : undefined;
}

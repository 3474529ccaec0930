import type { StoredObject } from '../objects/stored-object.ts';

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One write, shared by all its watchers. Its wire forms are made once, on first use. */
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
   * What an event of that type shows. An object that stops matching a selector is shown as it was while it matched,
   * with the resourceVersion of the write that took it away (as the API server's watch cache does).
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

/** Which event a watcher with a selector sees, if any: objects come into and go out of sight as they change. */
export function eventTypeFor(
  change: Change,
  matches: (object: StoredObject) => boolean,
): EventType | undefined {
  const matchedBefore = change.before !== undefined && matches(change.before);
  const matchesNow = !change.deleted && matches(change.object);
  if (matchesNow) return matchedBefore ? 'MODIFIED' : 'ADDED';
  return matchedBefore ? 'DELETED' : undefined;
}

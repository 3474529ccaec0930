import type { StoredObject } from '../objects/stored-object.ts';

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** A write as seen by its listeners while it is in progress. */
export interface Write {
  readonly revision: number;
  readonly key: string;
  readonly object: StoredObject;
  /** The object before the write; undefined for a create. */
  readonly before: StoredObject | undefined;
  readonly deleted: boolean;
  /** Length of the object's JSON. */
  readonly bytes: number;
}

/** One write, shared by its watchers. Each event line is encoded once, on first use. */
export class Change {
  readonly revision: number;
  readonly json: string;
  readonly #deleted: boolean;
  readonly #before: () => string | undefined;
  readonly #lines = new Map<EventType, Uint8Array>();

  /** @param before returns the JSON before the write, with the revision of the write; few events show it */
  constructor(
    row: { readonly revision: number; readonly json: string; readonly deleted: boolean },
    before: () => string | undefined,
  ) {
    this.revision = row.revision;
    this.json = row.json;
    this.#deleted = row.deleted;
    this.#before = before;
  }

  /** The event as a line in a watch stream. */
  line(type: EventType): Uint8Array {
    let line = this.#lines.get(type);
    if (!line) {
      line = Buffer.from(`{"type":"${type}","object":${this.shownJson(type)}}\n`);
      this.#lines.set(type, line);
    }
    return line;
  }

  /**
   * Returns the JSON of the object that an event of this type shows. For an object that no longer matches a selector,
   * this is its last matching state with the current write's resourceVersion (as in the API server's watch cache).
   */
  shownJson(type: EventType): string {
    return (type === 'DELETED' && !this.#deleted ? this.#before() : undefined) ?? this.json;
  }
}

/**
 * Returns the event that a watcher with a selector sees, if any: a change can make an object start or stop matching.
 */
export function eventTypeFor(
  write: Pick<Write, 'object' | 'before' | 'deleted'>,
  matches: (object: StoredObject) => boolean,
): EventType | undefined {
  const matchedBefore = write.before !== undefined && matches(write.before);
  const matchesNow = !write.deleted && matches(write.object);
  if (matchesNow) return matchedBefore ? 'MODIFIED' : 'ADDED';
  return matchedBefore ? 'DELETED' : undefined;
}

/** Returns the event that a watcher without a selector sees. */
export function plainEventType(write: {
  readonly isCreation: boolean;
  readonly deleted: boolean;
}): EventType {
  if (write.deleted) return 'DELETED';
  return write.isCreation ? 'ADDED' : 'MODIFIED';
}

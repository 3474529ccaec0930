import type { Clock } from '@trifold/platform/service/clock.ts';
import type { StoredObject } from '../objects/stored-object.ts';
import { Change, eventTypeFor, type EventType } from './change.ts';
import type { KeyRange } from './revision-table.ts';
import type { Registry } from './registry.ts';

/** Scope of a watch and encoding of its events. */
export interface WatchOptions {
  /** `<group>/<plural>/`. */
  readonly kindPrefix: string;
  readonly range: KeyRange;
  /** Undefined matches everything in the range. */
  readonly matches: ((object: StoredObject) => boolean) | undefined;
  /** Starts after this revision; undefined starts with the current objects as ADDED events. */
  readonly after: number | undefined;
  readonly bookmarks: boolean;
  /** The stream ends after this time. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly encode: WatchEncoder;
}

/** Encodes the lines of a watch stream. */
export interface WatchEncoder {
  event(change: Change, type: EventType): Uint8Array;
  initial(object: StoredObject, json: string): Uint8Array;
  bookmark(revision: number): Uint8Array;
  expired(asked: number, oldest: number): Uint8Array;
}

/** Interval of bookmarks for an idle client, so that its position is not compacted. */
const BOOKMARK_INTERVAL_MS = 25_000;

/** Events queued in memory for a slow reader; above this limit it reads from the table again. */
const QUEUE_LIMIT = 1000;

/** Rows per read from the table, so that a long catch-up does not block the event loop. */
const PAGE = 200;

/**
 * The events of one watch, in order and without gaps. A reader first catches up from the table and then receives each
 * write immediately. Both are synchronous with the writes, so that no event is lost in between. An event leaves the
 * server when its write is durable.
 */
export class WatchStream implements AsyncIterableIterator<Uint8Array> {
  readonly #registry: Registry;
  readonly #options: WatchOptions;
  readonly #cleanups: (() => void)[] = [];
  readonly #clock: Clock;
  #queue: Change[] = [];
  /** All events up to this revision are delivered or did not match. */
  #cursor: number;
  /** Last key of the initial list so far; undefined when the list is done. */
  #initialAfter: string | undefined;
  #live = false;
  #bookmarkDue = false;
  #ending = false;
  #ended = false;
  #wake: (() => void) | undefined;

  constructor(registry: Registry, clock: Clock, options: WatchOptions) {
    this.#registry = registry;
    this.#clock = clock;
    this.#options = options;
    this.#cursor = options.after ?? registry.revision;
    this.#initialAfter = options.after === undefined ? options.range.after : undefined;
    this.#cleanups.push(
      registry.subscribe(options.kindPrefix, (change) => this.#observe(change)),
      clock.schedule(options.timeoutMs, () => this.stop()),
    );
    if (options.bookmarks) this.#scheduleBookmark();
    const abort = () => void this.return();
    options.signal?.addEventListener('abort', abort, { once: true });
    this.#cleanups.push(() => options.signal?.removeEventListener('abort', abort));
    if (options.signal?.aborted) abort();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    for (;;) {
      if (this.#ended) return { done: true, value: undefined };
      const piece = this.#nextPiece();
      if (piece) {
        await this.#registry.durable();
        return { done: false, value: piece };
      }
      if (this.#live && this.#queue.length === 0 && !this.#bookmarkDue && !this.#ending) await this.#woken();
      else await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Ends immediately. Safe to call at any time; idempotent. */
  return(): Promise<IteratorResult<Uint8Array>> {
    this.#ended = true;
    this.#queue = [];
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
    this.#wake?.();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Ends after the pending events, with a last bookmark. */
  stop(): void {
    this.#ending = true;
    this.#wake?.();
  }

  #nextPiece(): Uint8Array | undefined {
    if (this.#cursor < this.#registry.table.compactedRevision && !this.#live) return this.#expire();
    if (this.#initialAfter !== undefined) return this.#initialPage(this.#initialAfter);
    if (!this.#live) return this.#catchUpPage();
    if (this.#queue.length > 0) return this.#takeQueue();
    if (this.#ending) return this.#finish();
    if (this.#bookmarkDue) return this.#bookmark();
    return undefined;
  }

  #expire(): Uint8Array {
    const line = this.#options.encode.expired(this.#cursor, this.#registry.table.compactedRevision);
    void this.return();
    return line;
  }

  #initialPage(after: string): Uint8Array | undefined {
    const { range, matches, encode } = this.#options;
    const rows = this.#registry.table.list({ after, end: range.end }, PAGE, this.#cursor);
    this.#initialAfter = rows.length < PAGE ? undefined : rows.at(-1)?.key;
    const lines: Uint8Array[] = [];
    for (const row of rows) {
      const object = JSON.parse(row.value) as StoredObject;
      if (!matches || matches(object)) lines.push(encode.initial(object, row.value));
    }
    return joined(lines);
  }

  #catchUpPage(): Uint8Array | undefined {
    const rows = this.#registry.table.changesAfter(this.#cursor, this.#options.range, PAGE);
    if (rows.length < PAGE) {
      this.#live = true;
      this.#queue = [];
    }
    const lines = rows.map((row) =>
      this.#lineOf(
        new Change(
          { revision: row.id, key: row.key, json: row.value, deleted: row.deleted },
          JSON.parse(row.value) as StoredObject,
          row.before === undefined ? undefined : (JSON.parse(row.before) as StoredObject),
        ),
      ),
    );
    this.#cursor = this.#live ? this.#registry.revision : (rows.at(-1)?.id ?? this.#cursor);
    return joined(lines.filter((line) => line !== undefined));
  }

  #takeQueue(): Uint8Array | undefined {
    const changes = this.#queue;
    this.#queue = [];
    this.#cursor = changes.at(-1)?.revision ?? this.#cursor;
    return joined(changes.map((change) => this.#lineOf(change)).filter((line) => line !== undefined));
  }

  #bookmark(): Uint8Array {
    this.#bookmarkDue = false;
    this.#cursor = this.#registry.revision;
    return this.#options.encode.bookmark(this.#cursor);
  }

  #finish(): Uint8Array | undefined {
    void this.return();
    return this.#options.bookmarks ? this.#bookmark() : undefined;
  }

  #lineOf(change: Change): Uint8Array | undefined {
    const { matches, encode } = this.#options;
    const type = eventTypeFor(change, matches ?? everything);
    return type && encode.event(change, type);
  }

  #observe(change: Change): void {
    if (!this.#live || change.key <= this.#options.range.after || change.key >= this.#options.range.end)
      return;
    if (this.#queue.length >= QUEUE_LIMIT) {
      this.#live = false;
      this.#cursor = (this.#queue[0] as Change).revision - 1;
      this.#queue = [];
    } else {
      this.#queue.push(change);
    }
    this.#wake?.();
  }

  #scheduleBookmark(): void {
    const cancel = this.#clock.schedule(BOOKMARK_INTERVAL_MS, () => {
      this.#bookmarkDue = true;
      this.#wake?.();
      this.#cleanups.splice(this.#cleanups.indexOf(cancel), 1);
      this.#scheduleBookmark();
    });
    this.#cleanups.push(cancel);
  }

  async #woken(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#wake = undefined;
  }
}

function everything(): boolean {
  return true;
}

function joined(lines: readonly Uint8Array[]): Uint8Array | undefined {
  if (lines.length === 0) return undefined;
  return lines.length === 1 ? lines[0] : Buffer.concat(lines);
}

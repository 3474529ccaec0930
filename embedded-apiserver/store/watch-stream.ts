import type { Clock } from '@trifold/platform/service/clock.ts';
import type { StoredObject } from '../objects/stored-object.ts';
import { Change, eventTypeFor, type EventType } from './change.ts';
import type { KeyRange } from './revision-table.ts';
import type { Registry } from './registry.ts';

/** What a watch covers and how its events are written. */
export interface WatchOptions {
  /** `<group>/<plural>/`. */
  readonly kindPrefix: string;
  readonly range: KeyRange;
  /** Undefined: everything in the range. */
  readonly matches: ((object: StoredObject) => boolean) | undefined;
  /** Start after this revision; undefined: first what is there now, as ADDED events. */
  readonly after: number | undefined;
  readonly bookmarks: boolean;
  /** The stream ends after this time. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly encode: WatchEncoder;
}

/** The lines of a watch stream. */
export interface WatchEncoder {
  event(change: Change, type: EventType): Uint8Array;
  initial(object: StoredObject, json: string): Uint8Array;
  bookmark(revision: number): Uint8Array;
  expired(asked: number, oldest: number): Uint8Array;
}

/** An idle client hears a bookmark at least this often, so that its position does not fall behind the history. */
const BOOKMARK_INTERVAL_MS = 25_000;

/** Events kept in memory for a reader that is slow; beyond it the reader goes back to reading from the table. */
const QUEUE_LIMIT = 1000;

/** Rows read from the table at a time, so that a long catch-up leaves the event loop to others in between. */
const PAGE = 200;

/**
 * The events of one watch, in order and without gaps. A reader first catches up from the table and then hears of
 * writes at once; both are synchronous with the writes, so that nothing can come between.
 */
export class WatchStream implements AsyncIterableIterator<Uint8Array> {
  readonly #registry: Registry;
  readonly #options: WatchOptions;
  readonly #cleanups: (() => void)[] = [];
  readonly #clock: Clock;
  #queue: Change[] = [];
  /** Everything up to this revision has been delivered or did not match. */
  #cursor: number;
  /** Key that the initial list has come to; undefined when it is done. */
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
      if (piece) return { done: false, value: piece };
      if (this.#live && this.#queue.length === 0 && !this.#bookmarkDue && !this.#ending) await this.#woken();
      else await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Ends at once; safe to call at any time and more than once. */
  return(): Promise<IteratorResult<Uint8Array>> {
    this.#ended = true;
    this.#queue = [];
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
    this.#wake?.();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Ends after what is due has been delivered, with a last bookmark. */
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

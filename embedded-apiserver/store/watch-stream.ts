import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { StoredObject } from '../objects/stored-object.ts';
import { eventTypeFor, plainEventType, type Change, type EventType, type Write } from './change.ts';
import type { ChangeHead, KeyRange, RowHead } from './revision-table.ts';
import type { Registry } from './registry.ts';
import { CHUNK_BYTES, UnreadPiece, type UnreadBytes } from './unread-bytes.ts';

/** A watch's scope and the encoding of its events. */
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
  readonly unread: UnreadBytes;
}

/** Encodes one line of a watch stream; returns the same line each time. */
export interface LineEncoder {
  event(change: Change, type: EventType): Uint8Array;
  initial(json: string): Uint8Array;
}

/** Encodes the lines of a watch stream. */
export interface WatchEncoder {
  line(): LineEncoder;
  bookmark(revision: number): Uint8Array;
  expired(message: string): Uint8Array;
}

/** Interval between bookmarks for an idle client, so that its position is not compacted. */
const BOOKMARK_INTERVAL_MS = 25_000;

/** Maximum queued events for a slow reader, without their objects; above this limit, it reads from the table again. */
const QUEUE_LIMIT = BOUNDS.queuedEvents.limit.value;

/** Number of table rows examined per step. */
const PAGE = 100;

/** A queued event, whose object remains in the table. */
interface QueuedEvent {
  readonly revision: number;
  readonly type: EventType;
  /** Length of the object's JSON. */
  readonly bytes: number;
}

/** Lines to send and the rows they cover. */
interface Chunk<Row> {
  readonly chunk: Uint8Array | undefined;
  readonly taken: number;
  readonly last: Row | undefined;
  /** Whether more rows may follow. */
  readonly isPage: boolean;
}

/** A line before it is encoded. */
interface Line {
  /** Length of the object's JSON. */
  readonly bytes: number;
  /** Returns the same line each time; undefined if there is no event or the revision has been compacted. */
  encode(): Uint8Array | undefined;
}

/**
 * The events of one watch, in order and without gaps. A reader first catches up from the table and then receives each
 * write immediately. Both are synchronous with the writes, so that no event is lost in between. An event is sent once
 * its write is durable. A stream holds at most one chunk, plus one object that is larger than a chunk. If all streams
 * together hold too much of these large objects, the slowest reader's watch ends with 410 Expired.
 */
export class WatchStream implements AsyncIterableIterator<Uint8Array> {
  readonly #registry: Registry;
  readonly #options: WatchOptions;
  readonly #cleanups: (() => void)[] = [];
  readonly #clock: Clock;
  #queue: QueuedEvent[] = [];
  /** The unread part of a line that is larger than a chunk. */
  #large: UnreadPiece | undefined;
  /** All events up to this revision have been delivered or did not match. */
  #cursor: number;
  /** Last key of the initial list so far; undefined once the list is complete. */
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
      const chunk = await this.#registry.turns.run(() => this.#nextChunk());
      if (chunk) {
        await this.#registry.durable();
        return { done: false, value: chunk };
      }
      if (this.#isIdle) await this.#woken();
      else await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Ends immediately. Safe to call at any time; idempotent. */
  return(): Promise<IteratorResult<Uint8Array>> {
    this.#ended = true;
    this.#queue = [];
    this.#large?.release();
    this.#large = undefined;
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
    this.#wake?.();
    return Promise.resolve({ done: true, value: undefined });
  }

  /** Ends after the pending events, with a final bookmark. */
  stop(): void {
    this.#ending = true;
    this.#wake?.();
  }

  get #isIdle(): boolean {
    return this.#live && this.#queue.length === 0 && !this.#bookmarkDue && !this.#ending;
  }

  #nextChunk(): Uint8Array | undefined {
    if (this.#ended) return undefined;
    if (this.#large) return this.#largeChunk(this.#large);
    if (this.#isTooOld) return this.#expireVersion();
    if (this.#initialAfter !== undefined) return this.#initialChunk(this.#initialAfter);
    if (!this.#live) return this.#catchUpChunk();
    if (this.#queue.length > 0) return this.#queueChunk();
    if (this.#ending) return this.#finish();
    if (this.#bookmarkDue) return this.#bookmark();
    return undefined;
  }

  /** Whether the table no longer has the next event. */
  get #isTooOld(): boolean {
    const compacted = this.#registry.table.compactedRevision;
    const [next] = this.#queue;
    return this.#live ? next !== undefined && next.revision <= compacted : this.#cursor < compacted;
  }

  #largeChunk(large: UnreadPiece): Uint8Array | undefined {
    const chunk = large.next();
    this.#registry.turns.spend(chunk && large.isDropped ? large.length : 0);
    if (chunk) return chunk;
    this.#large = undefined;
    return large.isDropped ? this.#expire('the client reads the watch too slowly') : undefined;
  }

  #expireVersion(): Uint8Array {
    return this.#expire(
      `too old resource version: ${this.#cursor} (${this.#registry.table.compactedRevision})`,
    );
  }

  #expire(message: string): Uint8Array {
    const line = this.#options.encode.expired(message);
    void this.return();
    return line;
  }

  #initialChunk(after: string): Uint8Array | undefined {
    const rows = this.#registry.table.list({ after, end: this.#options.range.end }, PAGE, this.#cursor);
    const { chunk, last, isPage } = this.#chunkOf(rows, (row) => this.#initialLine(row));
    this.#initialAfter = isPage ? last?.key : undefined;
    return chunk;
  }

  #initialLine({ id, bytes }: RowHead): Line {
    const { matches, encode } = this.#options;
    const line = encode.line();
    return {
      bytes,
      encode: () => {
        const json = this.#registry.table.value(id);
        if (json === undefined || (matches && !matches(JSON.parse(json) as StoredObject))) return undefined;
        return line.initial(json);
      },
    };
  }

  #catchUpChunk(): Uint8Array | undefined {
    const rows = this.#registry.table.changesAfter(this.#cursor, PAGE);
    const { chunk, last, isPage } = this.#chunkOf(rows, (row) =>
      this.#covers(row.key) ? this.#pastLine(row) : undefined,
    );
    if (!isPage) {
      this.#live = true;
      this.#queue = [];
    }
    this.#cursor = this.#live ? this.#registry.revision : (last?.id ?? this.#cursor);
    return chunk;
  }

  #pastLine(row: ChangeHead): Line {
    return this.#eventLine(row.bytes, row.id, () => this.#pastType(row));
  }

  #pastType({ id, previous, deleted }: ChangeHead): EventType | undefined {
    const { matches } = this.#options;
    if (!matches) return plainEventType({ isCreation: previous === 0, deleted });
    const object = this.#objectAt(id);
    return object && eventTypeFor({ object, before: this.#objectAt(previous), deleted }, matches);
  }

  #objectAt(revision: number): StoredObject | undefined {
    const json = revision > 0 ? this.#registry.table.value(revision) : undefined;
    if (json === undefined) return undefined;
    this.#registry.turns.spend(json.length);
    return JSON.parse(json) as StoredObject;
  }

  #queueChunk(): Uint8Array | undefined {
    const events = this.#queue.slice(0, PAGE);
    const { chunk, taken, last } = this.#chunkOf(events, ({ revision, type, bytes }) =>
      this.#eventLine(bytes, revision, () => type),
    );
    this.#queue.splice(0, taken);
    this.#cursor = last?.revision ?? this.#cursor;
    return chunk;
  }

  #eventLine(bytes: number, revision: number, typeOf: () => EventType | undefined): Line {
    const line = this.#options.encode.line();
    return {
      bytes,
      encode: () => {
        const type = typeOf();
        const change = type && this.#registry.change(revision);
        return change && line.event(change, type);
      },
    };
  }

  /** Encodes the lines of rows until they fill a chunk; a line larger than a chunk is its last one. */
  #chunkOf<Row>(rows: Iterable<Row>, lineOf: (row: Row) => Line | undefined): Chunk<Row> {
    const lines: Line[] = [];
    let [bytes, taken] = [0, 0];
    let last: Row | undefined;
    for (const row of rows) {
      const line = lineOf(row);
      if (line && bytes > 0 && bytes + line.bytes > CHUNK_BYTES)
        return { chunk: this.#send(lines), taken, last, isPage: true };
      taken += 1;
      last = row;
      if (!line) continue;
      bytes += line.bytes;
      lines.push(line);
    }
    return { chunk: this.#send(lines), taken, last, isPage: taken >= PAGE };
  }

  /** Returns the lines, or their first chunk. */
  #send(lines: readonly Line[]): Uint8Array | undefined {
    for (const { bytes } of lines) this.#registry.turns.spend(bytes);
    const bytes = joined(lines);
    if (bytes === undefined || bytes.length <= CHUNK_BYTES) return bytes;
    this.#large = new UnreadPiece(this.#options.unread, bytes, () => joined(lines));
    return this.#large.next();
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

  #covers(key: string): boolean {
    return key > this.#options.range.after && key < this.#options.range.end;
  }

  #observe(write: Write): void {
    if (!this.#live || !this.#covers(write.key)) return;
    const { matches } = this.#options;
    const type = matches
      ? eventTypeFor(write, matches)
      : plainEventType({ isCreation: write.before === undefined, deleted: write.deleted });
    if (!type) return;
    if (this.#queue.length >= QUEUE_LIMIT) {
      this.#live = false;
      this.#cursor = (this.#queue[0] as QueuedEvent).revision - 1;
      this.#queue = [];
    } else {
      this.#queue.push({ revision: write.revision, type, bytes: write.bytes });
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

function joined(lines: readonly Line[]): Uint8Array | undefined {
  const encoded = lines.map((line) => line.encode()).filter((line) => line !== undefined);
  return encoded.length > 1 ? Buffer.concat(encoded) : encoded[0];
}

import type { KubernetesObject } from '@trifold/crds';
import type { ApiStatus } from '../client/api-error.ts';

/** One event of a watch (Kubernetes API concepts, "Efficient detection of changes"). */
export type WatchEvent<R> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: R }
  | {
      readonly type: 'BOOKMARK';
      readonly object: { readonly metadata: { readonly resourceVersion: string } };
    }
  | { readonly type: 'ERROR'; readonly object: Partial<ApiStatus> };

/** The stream does not carry watch events: a proxy's page, or a line past the limit. */
export class WatchDecodeError extends Error {
  override readonly name = 'WatchDecodeError';
}

/** etcd takes 1.5 MiB an object; an event wraps one object. */
const LONGEST_LINE = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Takes a watch's body apart into events: one JSON object a line. Lines are cut as bytes and decoded whole, so a
 * piece may end anywhere, also inside a character. A line that its newline has not reached is not an event.
 */
export class WatchDecoder<R extends KubernetesObject> {
  readonly #longestLine: number;
  #pieces: Uint8Array[] = [];
  #length = 0;

  /** @param longestLine bytes; default 8 MiB */
  constructor(longestLine = LONGEST_LINE) {
    this.#longestLine = longestLine;
  }

  /** The events that this piece completes. Throws WatchDecodeError; the decoder is of no use after that. */
  *push(piece: Uint8Array): Generator<WatchEvent<R>> {
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, start)) {
      this.#keep(piece.subarray(start, end));
      start = end + 1;
      const line = this.#takeLine();
      if (line.trim() !== '') yield parseEvent<R>(line);
    }
    if (start < piece.length) this.#keep(piece.subarray(start));
  }

  #keep(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.#length > this.#longestLine) {
      throw new WatchDecodeError(`a watch event is longer than ${this.#longestLine} bytes`);
    }
    this.#pieces.push(bytes);
  }

  #takeLine(): string {
    const [first] = this.#pieces;
    const line = this.#pieces.length === 1 && first ? first : Buffer.concat(this.#pieces, this.#length);
    this.#pieces = [];
    this.#length = 0;
    return Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString();
  }
}

function parseEvent<R extends KubernetesObject>(line: string): WatchEvent<R> {
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch (cause) {
    throw new WatchDecodeError('a watch event is not JSON', { cause: parsePosition(cause) });
  }
  if (!isWatchEvent<R>(event)) throw new WatchDecodeError('a line of the watch is not a watch event');
  return event;
}

/** JSON.parse quotes the text in its message; objects may hold document data, which must not reach a log. */
function parsePosition(cause: unknown): Error {
  const position = /at position \d+/.exec((cause as Error).message)?.[0];
  return new Error(`invalid JSON ${position ?? ''}`.trimEnd());
}

/** Members of the object's metadata without which an event of that type is none. */
const REQUIRED_METADATA: ReadonlyMap<unknown, readonly ('name' | 'resourceVersion')[]> = new Map([
  ['ADDED', ['name', 'resourceVersion']],
  ['MODIFIED', ['name', 'resourceVersion']],
  ['DELETED', ['name', 'resourceVersion']],
  ['BOOKMARK', ['resourceVersion']],
  ['ERROR', []],
]);

function isWatchEvent<R>(event: unknown): event is WatchEvent<R> {
  const { type, object } = (event ?? {}) as { type?: unknown; object?: Partial<KubernetesObject> | null };
  const required = REQUIRED_METADATA.get(type);
  if (!required || typeof object !== 'object' || object === null) return false;
  return required.every((member) => isText(object.metadata?.[member]));
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

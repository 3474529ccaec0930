import type { KubernetesObject } from '@trifold/crds';
import { yieldForLarge } from '../../request-body/yield-for-large.ts';
import { TrifoldError } from '../../errors/trifold-error.ts';
import type { ApiStatus } from '../client/api-error.ts';

/** One event of a watch (Kubernetes API concepts, "Efficient detection of changes"). */
export type WatchEvent<R> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: R }
  | {
      readonly type: 'BOOKMARK';
      readonly object: { readonly metadata: { readonly resourceVersion: string } };
    }
  | { readonly type: 'ERROR'; readonly object: Partial<ApiStatus> };

/** The stream does not contain watch events: for example a proxy's page, or a line over the limit. */
export class WatchDecodeError extends TrifoldError<'watch_invalid'> {
  constructor(message: string, cause?: unknown) {
    super('watch_invalid', message, { retryable: true, cause });
  }
}

/** etcd accepts 1.5 MiB per object; an event contains one object. */
const MAX_LINE_LENGTH = 8 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Splits a watch body into events, one JSON object per line. Lines are split as bytes and decoded whole, so a chunk may
 * end anywhere, even inside a character. A line without its newline is not an event.
 */
export class WatchDecoder<R extends KubernetesObject> {
  readonly #longestLine: number;
  #pieces: Uint8Array[] = [];
  #length = 0;

  /** @param longestLine bytes; default 8 MiB */
  constructor(longestLine = MAX_LINE_LENGTH) {
    this.#longestLine = longestLine;
  }

  /** Yields the events that this piece completes. Throws WatchDecodeError; the decoder is unusable afterwards. */
  async *push(piece: Uint8Array): AsyncGenerator<WatchEvent<R>> {
    let start = 0;
    for (let end = piece.indexOf(NEWLINE); end >= 0; end = piece.indexOf(NEWLINE, start)) {
      this.#keep(piece.subarray(start, end));
      start = end + 1;
      const line = this.#takeLine();
      if (line.trim() === '') continue;
      await yieldForLarge(line);
      const event = parseEvent<R>(line);
      await yieldForLarge(line);
      yield event;
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
    throw new WatchDecodeError('a watch event is not JSON', parsePosition(cause));
  }
  if (!isWatchEvent<R>(event)) throw new WatchDecodeError('a line of the watch is not a watch event');
  return event;
}

/** JSON.parse quotes its input in the message, and objects may contain document data, which must not be logged. */
function parsePosition(cause: unknown): Error {
  const position = /at position \d+/.exec((cause as Error).message)?.[0];
  return new Error(`invalid JSON ${position ?? ''}`.trimEnd());
}

/** Metadata fields that an event of each type must have. */
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

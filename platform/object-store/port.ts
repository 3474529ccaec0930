import type { Readable } from 'node:stream';

/** What is known of a stored object besides its bytes. */
export interface ObjectInfo {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly contentType: string;
  /**
   * Names are lowercase ASCII letters, digits and hyphens; values any string. 2 KiB in all, as S3 counts them: 11 bytes
   * more for each name, and a third more for values that are not plain ASCII.
   */
  readonly metadata: Readonly<Record<string, string>>;
  readonly lastModified: Date;
}

export interface PutOptions {
  /** @default application/octet-stream */
  contentType?: string;
  metadata?: Readonly<Record<string, string>>;
  /** Refuse to replace: an object that is there already stays, and the put answers `created: false`. */
  ifAbsent?: boolean;
}

export interface StoredObject {
  readonly info: ObjectInfo;
  /** The bytes. The caller reads it to its end or destroys it. */
  readonly body: Readable;
}

export interface ListPage {
  readonly objects: readonly { key: string; size: number; lastModified: Date }[];
  /** Key prefixes up to and including the delimiter, when one was given. */
  readonly prefixes: readonly string[];
}

/**
 * Where templates' revisions, inputs and finished documents are kept: a directory in standalone, any S3 in a cluster.
 * Keys are `/`-separated segments of letters, digits, `.`, `_` and `-`; no segment is empty, `.` or `..`, or
 * longer than 200 bytes; a key has 512 bytes at most. A put is atomic and durable against the death of the process: readers see all of an object or none.
 * Every method rejects with ObjectStoreError; `retryable` says whether the store was away or the request was wrong.
 */
export interface ObjectStore {
  /** Stores `body`. With `ifAbsent` the first writer wins, also when two race. */
  put(key: string, body: Uint8Array | string, options?: PutOptions): Promise<{ created: boolean }>;
  /** The object's facts, or undefined when there is none. */
  head(key: string): Promise<ObjectInfo | undefined>;
  /** The object as a stream, or undefined when there is none. */
  get(key: string): Promise<StoredObject | undefined>;
  /** The object in memory, or undefined when there is none. For inputs and small records, not for documents. */
  read(key: string): Promise<Buffer | undefined>;
  /** Everything below a prefix, ordered by key; with a delimiter only one level, the rest as prefixes. */
  list(prefix: string, options?: { delimiter?: '/' }): Promise<ListPage>;
  /** Deletes; what is not there counts as deleted. */
  delete(key: string): Promise<void>;
  /** Deletes everything below a prefix that ends with `/`; answers how many objects that were. */
  deletePrefix(prefix: string): Promise<number>;
  /**
   * Resolves when the store answers, rejects with the reason when it does not. For readiness. A store in a directory
   * also rejects when hardly any space is left; a server does not say how much it has.
   */
  check(): Promise<void>;
}

export type ObjectStoreErrorCode =
  | 'invalid_key'
  | 'invalid_metadata'
  | 'unavailable'
  | 'no_space'
  | 'corrupt';

/** A failure of the store itself. A missing object is not an error. */
export class ObjectStoreError extends Error {
  override readonly name = 'ObjectStoreError';
  readonly code: ObjectStoreErrorCode;
  readonly retryable: boolean;

  constructor(code: ObjectStoreErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.retryable = code === 'unavailable' || code === 'no_space';
  }
}

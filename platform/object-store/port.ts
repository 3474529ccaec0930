import type { Readable } from 'node:stream';
import { isRetryable } from '../errors/error-codes.ts';
import { TrifoldError } from '../errors/trifold-error.ts';

/** Properties of a stored object, without its content. */
export interface ObjectInfo {
  readonly key: string;
  /** Size in bytes. */
  readonly size: number;
  readonly contentType: string;
  /**
   * Names consist of lowercase ASCII letters, digits and hyphens; values are arbitrary strings. At most 2 KiB in total
   * as S3 counts: 11 bytes more for each name, and a third more for values that are not plain ASCII.
   */
  readonly metadata: Readonly<Record<string, string>>;
  readonly lastModified: Date;
}

export interface PutOptions {
  /** @default application/octet-stream */
  contentType?: string;
  metadata?: Readonly<Record<string, string>>;
  /** Keeps an existing object: the put then returns `created: false`. */
  ifAbsent?: boolean;
}

export interface StoredObject {
  readonly info: ObjectInfo;
  /** The content. The caller must read it to the end or destroy it. */
  readonly body: Readable;
}

/** A request that its holder may send without credentials until it expires. JSON. It is a secret: never log it. */
export interface PresignedRequest {
  readonly method: 'GET' | 'HEAD' | 'PUT';
  readonly key: string;
  readonly url: string;
  /** Headers that belong to the request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The requests to presign. */
export interface PresignedAccess {
  /** Keys of objects whose content may be read. */
  readonly read: readonly string[];
  /** Keys of objects whose properties may be read. */
  readonly head: readonly string[];
  /** The one object to put, if absent. Metadata entries that begin with `result-` can be added with the put. */
  readonly put: { readonly key: string; readonly metadata: Readonly<Record<string, string>> };
}

/** The methods that presigned requests allow, each for the keys presigned for it. */
export type PresignedStore = Pick<ObjectStore, 'read' | 'head' | 'put'>;

export type ListedObject = Pick<ObjectInfo, 'key' | 'size' | 'lastModified'>;

/** Maximum number of objects per page. */
export const PAGE_SIZE = 1_000;

export interface ListPage {
  readonly objects: readonly ListedObject[];
  /** Key prefixes up to and including the delimiter, if one was given. */
  readonly prefixes: readonly string[];
}

/**
 * Stores template revisions, inputs and finished documents: in a directory in standalone mode, in any S3 store in a
 * cluster. Keys are `/`-separated segments of letters, digits, `.`, `_` and `-`; no segment is empty, `.`, `..` or
 * longer than 200 bytes; a key has at most 512 bytes. A put is atomic and survives a crash of the process: readers see
 * a whole object or none. Every method rejects with ObjectStoreError; `retryable` distinguishes an unavailable store
 * from an invalid request.
 */
export interface ObjectStore {
  /** Stores `body`. With `ifAbsent` the first writer wins, even in a race. */
  put(key: string, body: Uint8Array | string, options?: PutOptions): Promise<{ created: boolean }>;
  /** Returns the properties of the object, or undefined when it does not exist. */
  head(key: string): Promise<ObjectInfo | undefined>;
  /** Returns the object as a stream, or undefined when it does not exist. */
  get(key: string): Promise<StoredObject | undefined>;
  /**
   * Reads the object into memory; returns undefined when it does not exist. Use it for inputs and small records, not
   * for documents.
   */
  read(key: string): Promise<Buffer | undefined>;
  /**
   * Lists everything below a prefix, ordered by key; with a delimiter, only one level, with deeper levels as prefixes.
   */
  list(prefix: string, options?: { delimiter?: '/' }): Promise<ListPage>;
  /**
   * Lists everything below a prefix that ends with `/`, at most 1,000 objects at a time, in any order. Works for
   * prefixes of any size: only one page is in memory.
   */
  pages(prefix: string): AsyncIterable<readonly ListedObject[]>;
  /** Deletes the object. A missing object is not an error. */
  delete(key: string): Promise<void>;
  /** Deletes everything below a prefix that ends with `/`. Returns the number of objects. */
  deletePrefix(prefix: string): Promise<number>;
  /**
   * Presigns requests that are valid for `validForMs`, or less if this process's credentials expire earlier. Returns
   * undefined if other processes use the store directly, as with a directory.
   */
  presign(
    access: PresignedAccess,
    validForMs: number,
  ): Promise<{ readonly requests: readonly PresignedRequest[]; readonly expiresAt: Date } | undefined>;
  /**
   * Readiness check: resolves if the store responds, otherwise rejects with the reason. A directory store also rejects
   * when it is almost out of space; an S3 server does not report its free space.
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
export class ObjectStoreError extends TrifoldError<ObjectStoreErrorCode> {
  constructor(code: ObjectStoreErrorCode, message: string, cause?: unknown) {
    super(code, message, { retryable: isRetryable(`store_${code}`), cause });
  }
}

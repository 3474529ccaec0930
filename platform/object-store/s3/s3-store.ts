import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import type { Client } from 'minio';
import { systemClock, type Clock } from '../../service/clock.ts';
import type { Logger } from '../../service/logging.ts';
import { assertLevel, assertObjectKey, assertPrefix } from '../object-key.ts';
import { assertMetadata, DEFAULT_CONTENT_TYPE } from '../object-metadata.ts';
import {
  ObjectStoreError,
  type ListPage,
  type ObjectInfo,
  type ObjectStore,
  type PutOptions,
  type StoredObject,
} from '../port.ts';
import { S3Body } from './s3-body.ts';
import { BucketKeeper } from './s3-bucket-keeper.ts';
import { refusalOf, S3Bucket } from './s3-bucket.ts';
import type { S3Config } from './s3-config.ts';
import { S3Connection, type S3CallOptions } from './s3-connection.ts';
import { assertDeleted, deleteRequest } from './s3-delete.ts';
import { listQuery, readListPage, type S3Page } from './s3-list.ts';
import { decodeMetadata, encodeMetadata } from './s3-metadata.ts';
import { nameOf } from './s3-names.ts';

export interface S3StoreOptions {
  readonly logger: Logger;
  /**
   * Timeout of one call until its response begins, in milliseconds; the transfer of an object may take one second more
   * per MiB. @default 10_000
   */
  readonly deadlineMs?: number;
  /** Timeout of check(), in milliseconds. @default 2_000 */
  readonly checkDeadlineMs?: number;
  /** Maximum number of connections, and as many again for streamed objects. @default 64 */
  readonly maxSockets?: number;
  /** Clock for the pause between two attempts to recreate a missing bucket. @default systemClock */
  readonly clock?: Clock;
}

/** Minimum transfer rate that the timeouts allow. */
const LEAST_BYTES_A_MS = 2 ** 20 / 1000;

/**
 * An object store in a bucket of any S3 store that supports conditional writes, such as MinIO or Amazon S3. The name of
 * an object is its key with `@` at the end; other objects in the bucket are ignored. The bucket should not be
 * versioned: versions keep deleted objects.
 */
export class S3Store implements ObjectStore {
  readonly #bucket: string;
  readonly #connection: S3Connection;
  readonly #own: S3Bucket;
  readonly #keeper: BucketKeeper;
  readonly #deadlineMs: number;
  readonly #checkDeadlineMs: number;

  /** Does not connect yet. */
  constructor(config: S3Config, options: S3StoreOptions) {
    const { logger, clock = systemClock } = options;
    const { deadlineMs = 10_000, checkDeadlineMs = 2000, maxSockets = 64 } = options;
    this.#bucket = config.bucket;
    this.#connection = new S3Connection(config, maxSockets);
    this.#own = new S3Bucket({ connection: this.#connection, config, deadlineMs, logger });
    const prepare = async () => this.prepare();
    this.#keeper = new BucketKeeper({ bucket: config.bucket, prepare, clock, logger });
    this.#deadlineMs = deadlineMs;
    this.#checkDeadlineMs = checkDeadlineMs;
  }

  /**
   * Creates the bucket and the rule that expires leftover documents if they are missing, and verifies that the store
   * keeps the first of two conditional puts. Several processes may do this at the same time. Afterwards check() repeats
   * this when it finds that the bucket is gone.
   */
  async prepare(): Promise<void> {
    await this.#own.ensure();
    await this.#own.proveConditionalPuts();
    await this.#own.ensureBackstop();
    this.#keeper.prepared();
  }

  /** Closes every connection; streams that are still being read fail. */
  close(): void {
    this.#connection.close();
  }

  async put(key: string, body: Uint8Array | string, options: PutOptions = {}): Promise<{ created: boolean }> {
    assertObjectKey(key);
    assertMetadata(options);
    const { contentType = DEFAULT_CONTENT_TYPE, metadata = {}, ifAbsent = false } = options;
    const content = bytesOf(body);
    const headers = {
      ...encodeMetadata(metadata),
      'content-type': contentType,
      ...(ifAbsent && { 'if-none-match': '*' }),
    };
    const call = {
      what: `put ${key}`,
      deadlineMs: this.#deadlineMs + transferMs(content.length),
      // A retry would lose to its own first attempt if that one succeeded unnoticed.
      idempotent: !ifAbsent,
    };
    try {
      await this.#connection.call(call, (client) =>
        client.putObject(this.#bucket, nameOf(key), content, content.length, headers),
      );
      return { created: true };
    } catch (error) {
      if (ifAbsent && refusalOf(error)?.status === 412) return { created: false };
      throw error;
    }
  }

  async head(key: string): Promise<ObjectInfo | undefined> {
    assertObjectKey(key);
    return orMissing(
      this.#call(`head ${key}`, async (client) => {
        // Not statObject, which does not separate metadata from other headers.
        const request = { method: 'HEAD', bucketName: this.#bucket, objectName: nameOf(key) };
        const { headers } = await client.makeRequestAsyncOmit(request);
        return infoOf(key, headers);
      }),
    );
  }

  async get(key: string): Promise<StoredObject | undefined> {
    assertObjectKey(key);
    return orMissing(this.#call(`get ${key}`, (client) => this.#open(client, key), { streamed: true }));
  }

  async read(key: string): Promise<Buffer | undefined> {
    assertObjectKey(key);
    const object = await orMissing(this.#call(`read ${key}`, (client) => this.#open(client, key)));
    return object && buffer(object.body);
  }

  async list(prefix: string, options: { delimiter?: '/' } = {}): Promise<ListPage> {
    assertPrefix(prefix);
    const objects: ListPage['objects'][number][] = [];
    const prefixes: string[] = [];
    for await (const page of this.#pages(prefix, options.delimiter)) {
      objects.push(...page.objects);
      prefixes.push(...page.prefixes);
    }
    // Names sort differently from keys.
    return { objects: objects.sort((a, b) => (a.key < b.key ? -1 : 1)), prefixes };
  }

  async delete(key: string): Promise<void> {
    assertObjectKey(key);
    await orMissing(this.#call(`delete ${key}`, (client) => client.removeObject(this.#bucket, nameOf(key))));
  }

  async deletePrefix(prefix: string): Promise<number> {
    assertLevel(prefix);
    let deleted = 0;
    for await (const { objects } of this.#pages(prefix)) {
      if (objects.length === 0) continue;
      await this.#deleteAll(
        prefix,
        objects.map(({ key }) => key),
      );
      deleted += objects.length;
    }
    return deleted;
  }

  async check(): Promise<void> {
    if (await this.#own.exists(this.#checkDeadlineMs, false)) return;
    this.#keeper.missed();
    throw new ObjectStoreError('unavailable', `object store: there is no bucket ${this.#bucket}`);
  }

  async #open(client: Client, key: string): Promise<StoredObject> {
    // The client's type is a stream, but the value is the response itself.
    const response = (await client.getObject(this.#bucket, nameOf(key))) as IncomingMessage;
    try {
      const info = infoOf(key, response.headers);
      const patienceMs = this.#deadlineMs + transferMs(info.size);
      return { info, body: new S3Body(response, { what: `get ${key}`, size: info.size, patienceMs }) };
    } catch (error) {
      response.destroy();
      throw error;
    }
  }

  async *#pages(prefix: string, delimiter?: string): AsyncGenerator<S3Page> {
    let next: string | undefined;
    do {
      const request = { method: 'GET', bucketName: this.#bucket, query: listQuery(prefix, delimiter, next) };
      // Not the client's own list, which parses a key such as 007 as a number.
      const page = await this.#call(`list ${prefix}`, async (client) =>
        readListPage(await text(await client.makeRequestAsync(request))),
      );
      yield page;
      next = page.next;
    } while (next !== undefined);
  }

  /** Deletes at most 1000 keys, as many as a page has. */
  async #deleteAll(prefix: string, keys: readonly string[]): Promise<void> {
    // Not the client's own removal, which treats any response as success.
    const content = Buffer.from(deleteRequest(keys));
    const headers = { 'content-md5': createHash('md5').update(content).digest('base64') };
    const request = { method: 'POST', bucketName: this.#bucket, query: 'delete', headers };
    await this.#call(`delete ${prefix}`, async (client) =>
      assertDeleted(await text(await client.makeRequestAsync(request, content))),
    );
  }

  #call<T>(what: string, work: (client: Client) => Promise<T>, more?: { streamed: boolean }): Promise<T> {
    const options: S3CallOptions = { what, deadlineMs: this.#deadlineMs, idempotent: true, ...more };
    return this.#connection.call(options, work);
  }
}

function bytesOf(body: Uint8Array | string): Buffer {
  if (typeof body === 'string') return Buffer.from(body);
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}

/** Resolves like `outcome`, or with undefined when the store reports that the object does not exist. */
async function orMissing<T>(outcome: Promise<T>): Promise<T | undefined> {
  try {
    return await outcome;
  } catch (error) {
    if (refusalOf(error)?.isMissingObject) return undefined;
    throw error;
  }
}

function infoOf(key: string, headers: IncomingHttpHeaders): ObjectInfo {
  const size = Number(headers['content-length']);
  const lastModified = new Date(headers['last-modified'] ?? '');
  if (!Number.isSafeInteger(size) || Number.isNaN(lastModified.getTime())) {
    throw new Error('the answer has neither size nor time of an object');
  }
  const contentType = headers['content-type'] ?? DEFAULT_CONTENT_TYPE;
  return { key, size, contentType, metadata: decodeMetadata(headers), lastModified };
}

function transferMs(bytes: number): number {
  return Math.ceil(bytes / LEAST_BYTES_A_MS);
}

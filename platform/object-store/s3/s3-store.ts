import { buffer } from 'node:stream/consumers';
import type { Logger } from '../../process/logging.ts';
import { assertLevel, assertObjectKey, assertPrefix } from '../object-key.ts';
import { assertMetadata, DEFAULT_CONTENT_TYPE } from '../object-metadata.ts';
import {
  ObjectStoreError,
  type ListedObject,
  type ListPage,
  type ObjectInfo,
  type ObjectStore,
  type PresignedAccess,
  type PresignedRequest,
  type PutOptions,
  type StoredObject,
} from '../port.ts';
import { S3Bucket } from './s3-bucket.ts';
import { S3Client } from './s3-client.ts';
import type { S3Config } from './s3-config.ts';
import { encodeMetadata } from './s3-metadata.ts';
import { infoOf, nameOf, orMissing, putOutcome, putRequest } from './s3-object.ts';
import { assertDeleted, deleteRequest, listQuery, readListPage, type S3Page } from './s3-pages.ts';

export interface S3StoreOptions {
  readonly logger: Logger;
  /**
   * Timeout from a call to the start of its response, in milliseconds; sending an object may take one second more per
   * MiB. Also the timeout for each wait for more data. @default 10_000
   */
  readonly deadlineMs?: number;
  /** Timeout for check(), in milliseconds. @default 2_000 */
  readonly checkDeadlineMs?: number;
  /** Maximum number of connections, and as many again for streamed objects. @default 64 */
  readonly maxSockets?: number;
}

/**
 * An object store in a bucket of any S3 service that supports conditional writes, such as MinIO or Amazon S3. The name
 * of an object is its key with `@` at the end; other objects in the bucket are ignored. The bucket should not be
 * versioned: versions keep deleted objects.
 */
export class S3Store implements ObjectStore {
  readonly #client: S3Client;
  readonly #bucket: S3Bucket;
  readonly #logger: Logger;
  readonly #deadlineMs: number;
  readonly #checkDeadlineMs: number;
  #isPrepared = false;
  #isRecreating = false;

  /** Does not connect yet. */
  constructor(config: S3Config, options: S3StoreOptions) {
    const { logger, deadlineMs = 10_000, checkDeadlineMs = 2000, maxSockets = 64 } = options;
    this.#client = new S3Client(config, { timeoutMs: deadlineMs, maxSockets });
    this.#bucket = new S3Bucket(this.#client, logger);
    this.#logger = logger;
    this.#deadlineMs = deadlineMs;
    this.#checkDeadlineMs = checkDeadlineMs;
  }

  /**
   * Creates the bucket and the expiry rule for leftover documents if they are missing, and verifies that the store
   * keeps the first of two conditional puts. Several processes may do this at the same time. Afterwards check() repeats
   * this when it finds that the bucket is gone.
   */
  async prepare(): Promise<void> {
    await this.#bucket.prepare();
    this.#isPrepared = true;
  }

  /** Closes every connection; streams that are still being read fail. */
  close(): void {
    this.#client.close();
  }

  async put(key: string, body: Uint8Array | string, options: PutOptions = {}): Promise<{ created: boolean }> {
    assertObjectKey(key);
    assertMetadata(options);
    const { contentType = DEFAULT_CONTENT_TYPE, metadata = {}, ifAbsent = false } = options;
    const sent = this.#client.send({
      what: `put ${key}`,
      ...putRequest(body, this.#deadlineMs),
      object: nameOf(key),
      headers: {
        ...encodeMetadata(metadata),
        'content-type': contentType,
        ...(ifAbsent && { 'if-none-match': '*' }),
      },
      // A retry would lose to its own first attempt if the response to that attempt was lost.
      idempotent: !ifAbsent,
    });
    return putOutcome(sent, ifAbsent);
  }

  async head(key: string): Promise<ObjectInfo | undefined> {
    assertObjectKey(key);
    const found = this.#client.send({ what: `head ${key}`, method: 'HEAD', object: nameOf(key) });
    return orMissing(found.then((response) => infoOf(key, response)));
  }

  async get(key: string): Promise<StoredObject | undefined> {
    return this.#open(`get ${key}`, key, true);
  }

  async read(key: string): Promise<Buffer | undefined> {
    const object = await this.#open(`read ${key}`, key, false);
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
    // Object names sort differently from keys.
    return { objects: objects.sort((a, b) => (a.key < b.key ? -1 : 1)), prefixes };
  }

  async *pages(prefix: string): AsyncGenerator<readonly ListedObject[]> {
    assertLevel(prefix);
    for await (const { objects } of this.#pages(prefix)) if (objects.length > 0) yield objects;
  }

  async delete(key: string): Promise<void> {
    assertObjectKey(key);
    await orMissing(this.#client.text({ what: `delete ${key}`, method: 'DELETE', object: nameOf(key) }));
  }

  async deletePrefix(prefix: string): Promise<number> {
    assertLevel(prefix);
    const request = { what: `delete ${prefix}`, method: 'POST', query: { delete: '' } } as const;
    let deleted = 0;
    for await (const page of this.#pages(prefix)) {
      if (page.objects.length === 0) continue;
      assertDeleted(request.what, await this.#client.text({ ...request, body: deleteRequest(page) }));
      deleted += page.objects.length;
    }
    return deleted;
  }

  async presign({ read, head, put }: PresignedAccess, validForMs: number) {
    const credentials = await this.#client.credentials();
    const now = Date.now();
    const seconds = Math.floor(Math.min(validForMs, (credentials.expiresAt ?? Infinity) - now) / 1000);
    const request = (method: PresignedRequest['method'], key: string, headers = {}): PresignedRequest => {
      assertObjectKey(key);
      const url = this.#client.presign({ method, object: nameOf(key), headers }, credentials, seconds);
      return { method, key, url, headers };
    };
    assertMetadata(put);
    const requests = [
      ...read.map((key) => request('GET', key)),
      ...head.map((key) => request('HEAD', key)),
      request('PUT', put.key, { ...encodeMetadata(put.metadata), 'if-none-match': '*' }),
    ];
    return { requests, expiresAt: new Date(now + seconds * 1000) };
  }

  async check(): Promise<void> {
    if (await this.#bucket.exists({ timeoutMs: this.#checkDeadlineMs })) return;
    // A process that prepared the bucket would otherwise stay unready until its restart.
    if (this.#isPrepared && !this.#isRecreating) void this.#recreate();
    throw new ObjectStoreError('unavailable', `object store: there is no bucket ${this.#client.bucket}`);
  }

  /** Never rejects: the next check shows whether the bucket is back. */
  async #recreate(): Promise<void> {
    this.#isRecreating = true;
    const { bucket } = this.#client;
    this.#logger.warn({ bucket }, 'the bucket was deleted with all its objects, recreating it');
    try {
      await this.#bucket.prepare();
    } catch (err) {
      this.#logger.error({ err, bucket }, 'failed to recreate the bucket');
    } finally {
      this.#isRecreating = false;
    }
  }

  async #open(what: string, key: string, streamed: boolean): Promise<StoredObject | undefined> {
    assertObjectKey(key);
    const request = { what, method: 'GET', object: nameOf(key), streamed } as const;
    const response = await orMissing(this.#client.send(request));
    return response && { info: infoOf(key, response), body: response.body };
  }

  async *#pages(prefix: string, delimiter?: string): AsyncGenerator<S3Page> {
    const what = `list ${prefix}`;
    let next: string | undefined;
    do {
      const query = listQuery(prefix, delimiter, next);
      const page = readListPage(what, await this.#client.text({ what, method: 'GET', query }));
      yield page;
      next = page.next;
    } while (next !== undefined);
  }
}

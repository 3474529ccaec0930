import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { Client } from 'minio';
import type { Logger } from '../../service/logging.ts';
import { ObjectStoreError } from '../port.ts';
import type { S3Config } from './s3-config.ts';
import type { S3CallOptions, S3Connection } from './s3-connection.ts';
import { withBackstop } from './s3-lifecycle.ts';
import { S3Error } from './s3-error.ts';

/** Unlike the name of a stored object, so that no list includes it. */
const PROBE = '@trifold/if-none-match';

export interface S3BucketOptions {
  readonly connection: S3Connection;
  readonly config: S3Config;
  readonly deadlineMs: number;
  readonly logger: Logger;
}

/** Operations on the bucket itself, before objects are stored in it. */
export class S3Bucket {
  readonly #name: string;
  readonly #region: string;
  readonly #connection: S3Connection;
  readonly #deadlineMs: number;
  readonly #logger: Logger;

  constructor({ connection, config, deadlineMs, logger }: S3BucketOptions) {
    this.#name = config.bucket;
    this.#region = config.region;
    this.#connection = connection;
    this.#deadlineMs = deadlineMs;
    this.#logger = logger;
  }

  /** Whether the bucket exists and this access key may list it. */
  async exists(deadlineMs = this.#deadlineMs, idempotent = true): Promise<boolean> {
    const options = { what: `bucket ${this.#name}`, deadlineMs, idempotent };
    return this.#connection.call(options, (client) => client.bucketExists(this.#name));
  }

  /** Creates the bucket unless it exists, even when another process does so at the same time. */
  async ensure(): Promise<void> {
    if (await this.exists()) return;
    try {
      await this.#call('make bucket', (client) => client.makeBucket(this.#name, this.#region));
      this.#logger.info({ bucket: this.#name }, 'created the bucket');
    } catch (error) {
      const taken = ['BucketAlreadyOwnedByYou', 'BucketAlreadyExists'].includes(refusalOf(error)?.code ?? '');
      if (!taken || !(await this.exists())) throw error;
    }
  }

  /** Adds the lifecycle rule that expires documents. For a store without support, only logs a warning. */
  async ensureBackstop(): Promise<void> {
    try {
      const current = await this.#readLifecycle();
      const wanted = withBackstop(current);
      if (wanted !== undefined) await this.#writeLifecycle(wanted);
    } catch (err) {
      const status = refusalOf(err)?.status;
      const unsupported = !(err instanceof ObjectStoreError) || isFinal(status);
      if (!unsupported) throw err;
      this.#logger.warn(
        { err, bucket: this.#name },
        'the bucket has no lifecycle rule that expires documents/ after two days, so files that collection misses stay',
      );
    }
  }

  /** Rejects when the store replaces an object despite If-None-Match: results and idempotency depend on it. */
  async proveConditionalPuts(): Promise<void> {
    const put = async () => {
      try {
        await this.#call('conditional put', (client) =>
          client.putObject(this.#name, PROBE, Buffer.alloc(0), 0, { 'if-none-match': '*' }),
        );
        return true;
      } catch (error) {
        if (refusalOf(error)?.status === 412) return false;
        throw error;
      }
    };
    if ((await put()) && (await put())) {
      throw new ObjectStoreError(
        'unavailable',
        'object store: it ignores If-None-Match, and would let two writers replace each other: use one that knows conditional writes',
      );
    }
  }

  async #readLifecycle(): Promise<string | undefined> {
    try {
      return await this.#call('read lifecycle', async (client) => {
        const request = { method: 'GET', bucketName: this.#name, query: 'lifecycle' };
        return text(await client.makeRequestAsync(request));
      });
    } catch (error) {
      if (refusalOf(error)?.code === 'NoSuchLifecycleConfiguration') return undefined;
      throw error;
    }
  }

  /** Sends text, because the client would parse numbers and times in other rules and write them differently. */
  async #writeLifecycle(configuration: string): Promise<void> {
    const headers = { 'content-md5': createHash('md5').update(configuration).digest('base64') };
    const request = { method: 'PUT', bucketName: this.#name, query: 'lifecycle', headers };
    await this.#call('write lifecycle', (client) =>
      client.makeRequestAsyncOmit(request, Buffer.from(configuration)),
    );
  }

  #call<T>(what: string, work: (client: Client) => Promise<T>): Promise<T> {
    const options: S3CallOptions = {
      what: `${what} of ${this.#name}`,
      deadlineMs: this.#deadlineMs,
      idempotent: true,
    };
    return this.#connection.call(options, work);
  }
}

/** Returns the S3Error that caused an ObjectStoreError. */
export function refusalOf(error: unknown): S3Error | undefined {
  const cause = error instanceof ObjectStoreError ? error.cause : undefined;
  return cause instanceof S3Error ? cause : undefined;
}

/** Whether a retry cannot succeed. */
function isFinal(status: number | undefined): boolean {
  return status !== undefined && (status === 501 || (status >= 300 && status < 500 && status !== 429));
}

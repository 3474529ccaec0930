import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { Logger } from '../../service/logging.ts';
import { ObjectStoreError } from '../port.ts';
import type { S3Client, S3Request } from './s3-client.ts';
import type { S3Config } from './s3-config.ts';
import { S3Error, unless } from './s3-error.ts';
import { withBackstop } from './s3-lifecycle.ts';

/** Unlike the name of a stored object, so that no list includes it. */
const PROBE = '@trifold/if-none-match';

export interface S3BucketOptions {
  readonly client: S3Client;
  readonly config: S3Config;
  readonly timeoutMs: number;
  readonly logger: Logger;
}

/** Operations on the bucket itself, before objects are stored in it. */
export class S3Bucket {
  readonly #name: string;
  readonly #region: string;
  readonly #client: S3Client;
  readonly #timeoutMs: number;
  readonly #logger: Logger;

  constructor({ client, config, timeoutMs, logger }: S3BucketOptions) {
    this.#name = config.bucket;
    this.#region = config.region;
    this.#client = client;
    this.#timeoutMs = timeoutMs;
    this.#logger = logger;
  }

  /** Whether the bucket exists and the credentials may list it. */
  async exists(timeoutMs = this.#timeoutMs): Promise<boolean> {
    const found = this.#send('find', { method: 'HEAD', timeoutMs }).then(() => true);
    const isMissing = ({ status, s3Code }: S3Error) =>
      status === 404 && ['NotFound', 'NoSuchBucket'].includes(s3Code);
    return unless(found, isMissing, false);
  }

  /**
   * Creates the bucket unless it exists, even when another process does so at the same time. Verifies that the store
   * keeps the first of two conditional puts. Adds the lifecycle rule that expires documents.
   */
  async prepare(): Promise<void> {
    if (!(await this.exists())) await this.#create();
    if ((await this.#putProbe()) && (await this.#putProbe())) {
      throw new ObjectStoreError(
        'unavailable',
        'object store: it ignores If-None-Match, and would let two writers replace each other: use one that knows conditional writes',
      );
    }
    await this.#ensureBackstop();
  }

  async #create(): Promise<void> {
    const location = `<CreateBucketConfiguration><LocationConstraint>${this.#region}</LocationConstraint></CreateBucketConfiguration>`;
    // Amazon rejects its default region here.
    const body = Buffer.from(this.#region === 'us-east-1' ? '' : location);
    try {
      await this.#send('create', { method: 'PUT', body });
      this.#logger.info({ bucket: this.#name }, 'created the bucket');
    } catch (error) {
      const code = error instanceof S3Error ? error.s3Code : '';
      const isTaken = ['BucketAlreadyOwnedByYou', 'BucketAlreadyExists'].includes(code);
      if (!isTaken || !(await this.exists())) throw error;
    }
  }

  /** Whether the store created the probe; false if it existed. */
  async #putProbe(): Promise<boolean> {
    const headers = { 'if-none-match': '*' };
    const put = this.#send('conditional put', { method: 'PUT', object: PROBE, headers }).then(() => true);
    return unless(put, ({ status }) => status === 412, false);
  }

  /** For a store without support, only logs a warning. */
  async #ensureBackstop(): Promise<void> {
    try {
      const query = { lifecycle: '' };
      const current = unless(
        this.#send('read lifecycle', { method: 'GET', query }),
        ({ s3Code }) => s3Code === 'NoSuchLifecycleConfiguration',
        undefined,
      );
      const wanted = withBackstop(await current);
      if (wanted === undefined) return;
      const headers = { 'content-md5': createHash('md5').update(wanted).digest('base64') };
      await this.#send('write lifecycle', { method: 'PUT', query, headers, body: Buffer.from(wanted) });
    } catch (err) {
      if (err instanceof ObjectStoreError && !(err instanceof S3Error && isFinal(err))) throw err;
      this.#logger.warn(
        { err, bucket: this.#name },
        'the bucket has no lifecycle rule that expires documents/ after two days, so files that collection misses stay',
      );
    }
  }

  async #send(what: string, request: Omit<S3Request, 'what' | 'timeoutMs'> & { timeoutMs?: number }) {
    const described = { what: `${what} bucket ${this.#name}`, timeoutMs: this.#timeoutMs, ...request };
    return text((await this.#client.send(described)).body);
  }
}

/** Whether a retry cannot succeed. */
function isFinal({ status }: S3Error): boolean {
  return status === 501 || (status < 500 && status !== 429);
}

import type { Logger } from '../../process/logging.ts';
import { ObjectStoreError } from '../port.ts';
import type { S3Client, S3Request } from './s3-client.ts';
import { IGNORES_CONDITIONS, NOT_S3_ADVICE } from './s3-advice.ts';
import { badResponse, S3Error, unless } from './s3-error.ts';
import { elements, firstText, parseWhole } from './s3-xml.ts';

/** No stored object can have this name, so no list includes it. */
const PROBE = '@trifold/if-none-match';

const RULE_ID = 'trifold-expired-documents';
/**
 * Backstop for documents that the controller failed to collect: documents expire 24 hours after they were accepted, and
 * the store deletes them in its daily run after two days at the latest. The rule must never cover anything but
 * `documents/`.
 */
const RULE =
  `<Rule><ID>${RULE_ID}</ID><Status>Enabled</Status><Filter><Prefix>documents/</Prefix></Filter>` +
  '<Expiration><Days>2</Days></Expiration></Rule>';

const LIFECYCLE = 'LifecycleConfiguration';

/** Operations on the bucket itself, before objects are stored in it. */
export class S3Bucket {
  readonly #client: S3Client;
  readonly #logger: Logger;

  constructor(client: S3Client, logger: Logger) {
    this.#client = client;
    this.#logger = logger;
  }

  /** Whether the bucket exists and the credentials may list it. */
  async exists(options: { timeoutMs?: number } = {}): Promise<boolean> {
    const found = this.#find(options).then(() => true);
    const isMissing = ({ status, s3Code }: S3Error) =>
      status === 404 && ['NotFound', 'NoSuchBucket'].includes(s3Code);
    return unless(found, isMissing, false);
  }

  /**
   * Creates the bucket unless it exists, even if another process does so concurrently. Verifies that the store keeps
   * the first of two conditional puts. Adds the lifecycle rule that expires documents.
   */
  async prepare(): Promise<void> {
    if (!(await this.exists())) await this.#create();
    if ((await this.#putProbe()) && (await this.#putProbe())) {
      throw new ObjectStoreError('unavailable', `object store: ${IGNORES_CONDITIONS}`);
    }
    await this.#ensureBackstop();
  }

  /** HEAD is cheap, but its errors have no body that names the cause; an empty list request has one. */
  async #find(options: { timeoutMs?: number }): Promise<void> {
    try {
      const { headers, body } = await this.#client.send({
        what: this.#what('find'),
        method: 'HEAD',
        ...options,
      });
      body.destroy();
      if (headers['content-type']?.toString().startsWith('text/html')) {
        throw badResponse(this.#what('find'), NOT_S3_ADVICE);
      }
    } catch (error) {
      if (!(error instanceof S3Error) || error.status === 404 || !isFinal(error)) throw error;
      await this.#send('find', { method: 'GET', query: { 'list-type': '2', 'max-keys': '0' }, ...options });
      throw error;
    }
  }

  async #create(): Promise<void> {
    const { bucket, region } = this.#client;
    const location = `<CreateBucketConfiguration><LocationConstraint>${region}</LocationConstraint></CreateBucketConfiguration>`;
    // Amazon rejects its default region in this request.
    const body = Buffer.from(region === 'us-east-1' ? '' : location);
    try {
      await this.#send('create', { method: 'PUT', body });
      this.#logger.info({ bucket }, 'created the bucket');
    } catch (error) {
      const code = error instanceof S3Error ? error.s3Code : '';
      const isTaken = ['BucketAlreadyOwnedByYou', 'BucketAlreadyExists'].includes(code);
      if (!isTaken || !(await this.exists())) throw error;
    }
  }

  /** Whether the store created the probe; false if it already existed. */
  async #putProbe(): Promise<boolean> {
    const headers = { 'if-none-match': '*' };
    const put = this.#send('conditional put', { method: 'PUT', object: PROBE, headers }).then(() => true);
    return unless(put, ({ status }) => status === 412, false);
  }

  /** If the store does not support or permit lifecycle rules, only logs a warning. */
  async #ensureBackstop(): Promise<void> {
    const query = { lifecycle: '' };
    try {
      const current = unless(
        this.#send('read lifecycle', { method: 'GET', query }),
        ({ s3Code }) => s3Code === 'NoSuchLifecycleConfiguration',
        undefined,
      );
      const wanted = withBackstop(await current);
      if (wanted === undefined) return;
      await this.#send('write lifecycle', { method: 'PUT', query, body: Buffer.from(wanted) });
    } catch (err) {
      if (err instanceof ObjectStoreError && !(err instanceof S3Error && isFinal(err))) throw err;
      this.#logger.warn(
        { err, bucket: this.#client.bucket },
        'the bucket has no lifecycle rule that expires documents/ after two days, so files that garbage collection misses are never deleted',
      );
    }
  }

  #send(what: string, request: Omit<S3Request, 'what'>): Promise<string> {
    return this.#client.text({ what: this.#what(what), ...request });
  }

  #what(what: string): string {
    return `${what} bucket ${this.#client.bucket}`;
  }
}

/** Whether a retry cannot succeed. */
function isFinal({ status }: S3Error): boolean {
  return status === 501 || (status < 500 && status !== 429);
}

/**
 * Returns the bucket's lifecycle configuration with the backstop added as its last rule and every other character
 * unchanged, or the rule alone when there is no configuration yet. Returns undefined when a rule with this ID exists:
 * an administrator may have changed it. Throws if the text is not a lifecycle configuration.
 */
export function withBackstop(current: string | undefined): string | undefined {
  if (current === undefined) return `<${LIFECYCLE}>${RULE}</${LIFECYCLE}>`;
  const configuration = parseWhole(current, LIFECYCLE);
  if (!configuration) throw new Error('the response is not a lifecycle configuration');
  if (elements(configuration, 'Rule').some((rule) => firstText(rule, 'ID') === RULE_ID)) return undefined;
  const end = current.lastIndexOf(`</${LIFECYCLE}>`);
  if (end < 0) return `<${LIFECYCLE}>${RULE}</${LIFECYCLE}>`;
  return current.slice(0, end) + RULE + current.slice(end);
}

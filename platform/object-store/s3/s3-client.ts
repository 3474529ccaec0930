import { createHash } from 'node:crypto';
import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { signV4 } from 'minio/dist/esm/signing.mjs';
import { Pool, type Dispatcher } from 'undici';
import { ObjectStoreError } from '../port.ts';
import type { S3Config } from './s3-config.ts';
import { isWorthRepeating, networkError, readS3Error } from './s3-error.ts';

/** Delay before the only retry, in milliseconds; jitter makes it up to twice as long. */
const REPEAT_AFTER_MS = 50;

export interface S3Request {
  /** Description of the operation, for error messages. */
  readonly what: string;
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Name of the object: letters, digits, `.`, `_`, `-`, `/` and `@`. Without it the request is for the bucket. */
  readonly object?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Lowercase names; values without repeated spaces. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /**
   * Timeout until the response begins, including a retry, and then of each wait for more of it; milliseconds. Time in
   * which the reader of a stream does not read does not count.
   */
  readonly timeoutMs: number;
  /** Whether the request may be retried once after a failure with an unknown outcome. @default true */
  readonly idempotent?: boolean;
  /** Whether the response is passed to a reader that may be slow: it uses other connections. @default false */
  readonly streamed?: boolean;
}

export interface S3Response {
  readonly headers: Dispatcher.ResponseData['headers'];
  /** The caller must read it to the end or destroy it. Fails with ObjectStoreError, also when it is cut off. */
  readonly body: Readable;
}

/** Signs requests for one bucket and sends them, with timeouts, one retry and a bounded number of connections. */
export class S3Client {
  readonly #config: S3Config;
  readonly #host: string;
  readonly #whole: Pool;
  readonly #streamed: Pool;

  constructor(config: S3Config, maxSockets: number) {
    this.#config = config;
    // Amazon's endpoint without a region does not serve buckets of other regions.
    const endpoint = config.endpoint.replace('//s3.amazonaws.com', `//s3.${config.region}.amazonaws.com`);
    this.#host = new URL(endpoint).host;
    // The request's own timer replaces headersTimeout: it includes the wait for a connection.
    const options: Pool.Options = { connections: maxSockets, headersTimeout: 0, allowH2: false };
    this.#whole = new Pool(endpoint, options);
    this.#streamed = new Pool(endpoint, options);
  }

  /** Sends a request. Rejects with S3Error for any status but 2xx, otherwise with ObjectStoreError. */
  async send(request: S3Request): Promise<S3Response> {
    const { what, timeoutMs } = request;
    const stop = new AbortController();
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      late.reject(
        new ObjectStoreError('unavailable', `object store: ${what}: no answer within ${timeoutMs} ms`),
      );
      stop.abort();
    }, timeoutMs);
    try {
      // undici does not notice the signal while a request waits for a connection.
      return await Promise.race([late.promise, this.#sendTwice(request, stop.signal)]);
    } catch (error) {
      throw networkError(what, error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes every connection; streams that are still being read fail. */
  close(): void {
    for (const pool of [this.#whole, this.#streamed]) void pool.destroy();
  }

  async #sendTwice(request: S3Request, signal: AbortSignal): Promise<S3Response> {
    try {
      return await this.#sendOnce(request, signal);
    } catch (error) {
      if (signal.aborted || !isWorthRepeating(error, request.idempotent ?? true)) throw error;
      await pause(REPEAT_AFTER_MS * (1 + Math.random()));
      return this.#sendOnce(request, signal);
    }
  }

  async #sendOnce(request: S3Request, signal: AbortSignal): Promise<S3Response> {
    const { what, method, body = null, timeoutMs, streamed = false } = request;
    const path = this.#path(request);
    const headers = await this.#signedHeaders(request, path);
    const pool = streamed ? this.#streamed : this.#whole;
    // `reset: false` keeps the connection after HEAD, too.
    const options = { method, path, headers, body, signal, bodyTimeout: timeoutMs, reset: false };
    const response = await pool.request(options);
    if (response.statusCode >= 300) throw await readS3Error(what, method, response);
    return { headers: response.headers, body: responseBody(what, response.body) };
  }

  #path({ object, query = {} }: S3Request): string {
    const { bucket } = this.#config;
    const name = object === undefined ? '' : `/${object.replaceAll('@', '%40')}`;
    const parameters = Object.entries(query).map(([key, value]) => `${key}=${escaped(value)}`);
    return `/${bucket}${name}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`;
  }

  async #signedHeaders({ method, headers, body }: S3Request, path: string): Promise<Record<string, string>> {
    const { accessKey, secretKey, sessionToken } = await this.#config.credentials();
    const date = new Date();
    const hash = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    const signed = {
      ...headers,
      host: this.#host,
      'x-amz-content-sha256': hash,
      'x-amz-date': date.toISOString().replace(/[-:]|\.\d+/g, ''),
      ...(sessionToken && { 'x-amz-security-token': sessionToken }),
    };
    const request = { protocol: '', method, path, headers: signed };
    const authorization = signV4(request, accessKey, secretKey, this.#config.region, date, hash);
    return { ...signed, authorization };
  }
}

/** Encodes a query value as signatures require it: encodeURIComponent leaves !'()* as they are. */
function escaped(value: string): string {
  return encodeURIComponent(value).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** undici fails the body when the connection is cut or the length differs from the announced one. */
function responseBody(what: string, body: Readable): Readable {
  const content = new PassThrough();
  // The reader may attach later; it then gets the error, too.
  content.on('error', () => {});
  body.on('error', (error) => content.destroy(networkError(what, error)));
  content.on('close', () => body.destroy());
  return body.pipe(content);
}

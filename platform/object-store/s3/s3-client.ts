import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import aws4 from 'aws4';
import type { S3Config } from './s3-config.ts';
import { S3Connections, type HttpRequest, type S3Response } from './s3-connections.ts';
import { proxyFor } from '../../outbound/proxies.ts';
import { operationOf } from './s3-operation.ts';
import type { S3Credentials } from './s3-credentials.ts';

export interface S3Request extends Omit<HttpRequest, 'signed' | 'timeoutMs' | 'operation'> {
  /** Name of the object: letters, digits, `.`, `_`, `-`, `/` and `@`. Without it, the request is for the bucket. */
  readonly object?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Lowercase names; values without repeated spaces. */
  readonly headers?: Readonly<Record<string, string>>;
  /** @default the client's timeout */
  readonly timeoutMs?: number;
}

export interface S3ClientOptions {
  /** The same as HttpRequest's `timeoutMs`. */
  readonly timeoutMs: number;
  readonly maxSockets: number;
}

type UnsignedRequest = Pick<S3Request, 'method' | 'object' | 'query' | 'headers' | 'body'>;

/** Signs requests for one bucket, and sends them. */
export class S3Client {
  readonly bucket: string;
  readonly region: string;
  readonly #config: S3Config;
  readonly #endpoint: URL;
  readonly #connections: S3Connections;
  readonly #timeoutMs: number;

  constructor(config: S3Config, { timeoutMs, maxSockets }: S3ClientOptions) {
    this.bucket = config.bucket;
    this.region = config.region;
    this.#config = config;
    // Amazon's region-less endpoint does not serve buckets in other regions.
    const endpoint = config.endpoint.replace('//s3.amazonaws.com', `//s3.${config.region}.amazonaws.com`);
    this.#endpoint = new URL(endpoint);
    this.#connections = new S3Connections(endpoint, maxSockets, proxyFor(this.#endpoint, config.proxies));
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Sends a request. Rejects with S3Error for any status other than 2xx, and with ObjectStoreError for other failures.
   */
  async send(request: S3Request): Promise<S3Response> {
    const signed = async () => this.#sign(request, await this.credentials());
    const operation = operationOf(request, this.region);
    return this.#connections.send({ timeoutMs: this.#timeoutMs, ...request, operation, signed });
  }

  /** Sends a request and returns the text of its response. Rejects with the same errors as `send`. */
  async text(request: S3Request): Promise<string> {
    return text((await this.send(request)).body);
  }

  /** The credentials that currently sign requests. Rejects with an error that contains no secret. */
  credentials(): Promise<S3Credentials> {
    return this.#config.credentials();
  }

  /** Returns a URL that needs no credentials for `seconds`. The sender must send the same headers. */
  presign(
    request: Pick<S3Request, 'method' | 'object' | 'headers'>,
    credentials: S3Credentials,
    seconds: number,
  ): string {
    const query = { 'X-Amz-Expires': String(seconds) };
    return this.#endpoint.origin + this.#sign({ ...request, query }, credentials, true).path;
  }

  /** Closes every connection; streams that are still being read fail. */
  close(): void {
    this.#connections.close();
  }

  #sign(
    { method, object, query, headers, body }: UnsignedRequest,
    credentials: S3Credentials,
    signQuery = false,
  ) {
    const name = object === undefined ? '' : `/${object.replaceAll('@', '%40')}`;
    const parameters = query ? `?${new URLSearchParams(query).toString()}` : '';
    const { path = '', headers: signed = {} } = aws4.sign(
      {
        service: 's3',
        region: this.region,
        signQuery,
        host: this.#endpoint.host,
        method,
        path: `/${this.bucket}${name}${parameters}`,
        headers: { ...(body && !headers?.['content-type'] && xmlHeaders(body)), ...headers },
        ...(body && { body }),
      },
      credentials,
    );
    return { path, headers: signed };
  }
}

/** Amazon requires a checksum for some XML documents. */
function xmlHeaders(body: Buffer): Record<string, string> {
  const digest = createHash('md5').update(body).digest('base64');
  return { 'content-type': 'application/xml', 'content-md5': digest };
}

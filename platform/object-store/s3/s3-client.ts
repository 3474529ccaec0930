import { createHash } from 'node:crypto';
import { presignSignatureV4, signV4 } from 'minio/dist/esm/signing.mjs';
import type { S3Config } from './s3-config.ts';
import { S3Connections, type HttpRequest, type S3Response } from './s3-connections.ts';
import type { S3Credentials } from './s3-credentials.ts';

export interface S3Request extends Omit<HttpRequest, 'path' | 'headers'> {
  /** Name of the object: letters, digits, `.`, `_`, `-`, `/` and `@`. Without it the request is for the bucket. */
  readonly object?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Lowercase names; values without repeated spaces. */
  readonly headers?: Readonly<Record<string, string>>;
}

type UnsignedRequest = Pick<HttpRequest, 'method' | 'path' | 'body'> & Required<Pick<S3Request, 'headers'>>;

/** Signs requests for one bucket, and sends them. */
export class S3Client {
  readonly #config: S3Config;
  readonly #endpoint: URL;
  readonly #connections: S3Connections;

  constructor(config: S3Config, maxSockets: number) {
    this.#config = config;
    // Amazon's endpoint without a region does not serve buckets of other regions.
    const endpoint = config.endpoint.replace('//s3.amazonaws.com', `//s3.${config.region}.amazonaws.com`);
    this.#endpoint = new URL(endpoint);
    this.#connections = new S3Connections(endpoint, maxSockets);
  }

  /** Sends a request. Rejects with S3Error for any status but 2xx, otherwise with ObjectStoreError. */
  async send({ object, query, headers = {}, ...request }: S3Request): Promise<S3Response> {
    const path = this.#path(object, query);
    const signed = () => this.#signedHeaders({ ...request, path, headers });
    return this.#connections.send({ ...request, path, headers: signed });
  }

  /** The credentials that sign requests now. Rejects with an error that contains no secret. */
  credentials(): Promise<S3Credentials> {
    return this.#config.credentials();
  }

  /** Returns the URL of a request that needs no credentials for `seconds`. The sender sends the same headers. */
  presign(
    { method, object, headers = {} }: Pick<S3Request, 'method' | 'object' | 'headers'>,
    { accessKey, secretKey, sessionToken }: S3Credentials,
    seconds: number,
  ): string {
    const { protocol, host } = this.#endpoint;
    const request = { protocol, method, path: this.#path(object), headers: { ...headers, host } };
    const { region } = this.#config;
    return presignSignatureV4(request, accessKey, secretKey, sessionToken, region, new Date(), seconds);
  }

  /** Closes every connection; streams that are still being read fail. */
  close(): void {
    this.#connections.close();
  }

  #path(object?: string, query: Readonly<Record<string, string>> = {}): string {
    const { bucket } = this.#config;
    const name = object === undefined ? '' : `/${object.replaceAll('@', '%40')}`;
    const parameters = Object.entries(query).map(([key, value]) => `${key}=${escaped(value)}`);
    return `/${bucket}${name}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`;
  }

  async #signedHeaders({ method, path, headers, body }: UnsignedRequest): Promise<Record<string, string>> {
    const { accessKey, secretKey, sessionToken } = await this.credentials();
    const date = new Date();
    const hash = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    const signed = {
      ...headers,
      host: this.#endpoint.host,
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

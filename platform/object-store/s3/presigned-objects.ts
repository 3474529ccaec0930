import { buffer } from 'node:stream/consumers';
import { proxyFor, type Proxies } from '../../outbound/proxies.ts';
import { ObjectStoreError, type PresignedRequest, type PresignedStore, type PutOptions } from '../port.ts';
import { S3Connections, type HttpRequest, type S3Response } from './s3-connections.ts';
import { encodeAddedMetadata } from './s3-metadata.ts';
import { operationOf } from './s3-operation.ts';
import { infoOf, orMissing, putOutcome, putRequest } from './s3-object.ts';

/** Timeout from a request to the start of its response, in milliseconds. */
const TIMEOUT_MS = 10_000;
const MAX_SOCKETS = 64;

/** Sends presigned requests. Holds no credentials. */
export class PresignedObjects {
  readonly #connections = new Map<string, S3Connections>();
  readonly #proxies: Proxies | undefined;

  /** @param proxies @default direct connections */
  constructor(proxies?: Proxies) {
    this.#proxies = proxies;
  }

  /**
   * Returns a store for the objects that these requests reach. Every method rejects with ObjectStoreError for any other
   * object.
   */
  open(requests: readonly PresignedRequest[]): PresignedStore {
    const requestFor = (method: PresignedRequest['method'], key: string) => {
      const found = requests.find((request) => request.method === method && request.key === key);
      if (found) return found;
      throw new ObjectStoreError('invalid_key', `object store: no permission to ${method} ${key}`);
    };
    return {
      read: async (key) => {
        const response = await orMissing(this.#send(requestFor('GET', key)));
        return response && buffer(response.body);
      },
      head: async (key) => {
        const response = await orMissing(this.#send(requestFor('HEAD', key)));
        return response && infoOf(key, response);
      },
      put: async (key, body, options = {}) => this.#put(requestFor('PUT', key), body, options),
    };
  }

  /** Closes every connection. */
  close(): void {
    for (const connections of this.#connections.values()) connections.close();
  }

  /**
   * Always behaves as if `ifAbsent` were set. Uses only the metadata that may be added; the request contains the rest.
   */
  async #put(
    request: PresignedRequest,
    body: Uint8Array | string,
    { contentType, metadata = {} }: PutOptions,
  ): Promise<{ created: boolean }> {
    const headers = {
      ...encodeAddedMetadata(metadata),
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...request.headers,
    };
    // A retry would lose to its own first attempt if the response to that attempt was lost.
    const options = { ...putRequest(body, TIMEOUT_MS), idempotent: false };
    return putOutcome(this.#send({ ...request, headers }, options), true);
  }

  #connect(origin: string): S3Connections {
    const proxy = this.#proxies && proxyFor(new URL(origin), this.#proxies);
    const connections = new S3Connections(origin, MAX_SOCKETS, proxy);
    this.#connections.set(origin, connections);
    return connections;
  }

  async #send(
    { method, key, url, headers }: PresignedRequest,
    options: Partial<HttpRequest> = {},
  ): Promise<S3Response> {
    const { origin, pathname, search } = new URL(url);
    const connections = this.#connections.get(origin) ?? this.#connect(origin);
    return connections.send({
      what: `${method} ${key}`,
      method,
      operation: operationOf({ method, object: key, headers }),
      signed: async () => ({ path: pathname + search, headers }),
      timeoutMs: TIMEOUT_MS,
      ...options,
    });
  }
}

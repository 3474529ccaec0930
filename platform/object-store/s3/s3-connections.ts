import type { OutgoingHttpHeaders } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool, ProxyAgent, type Dispatcher } from 'undici';
import type { S3Operation } from './s3-operation.ts';
import { isWorthRepeating, networkError, readS3Error } from './s3-error.ts';

/** Delay before the only retry, in milliseconds; jitter makes it up to twice as long. */
const REPEAT_AFTER_MS = 50;
/** Time that a proxy may take to connect. */
const CONNECT_TIMEOUT_MS = 10_000;

/** A request to an S3 store, as it is sent. */
export interface HttpRequest {
  /** Description of the operation, for error messages. */
  readonly what: string;
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Operation of the request, for advice in errors. */
  readonly operation: S3Operation;
  /** Returns the path, query and headers; called for each attempt. */
  readonly signed: () => Promise<{ readonly path: string; readonly headers: OutgoingHttpHeaders }>;
  readonly body?: Buffer;
  /**
   * Timeout for the start of the response, including the retry, and then for each further chunk, in milliseconds. Time
   * during which a stream's reader is paused does not count.
   */
  readonly timeoutMs: number;
  /** Whether the request may be retried once after a failure with an unknown outcome. @default true */
  readonly idempotent?: boolean;
  /** Whether the response goes to a reader that may be slow; it then uses separate connections. @default false */
  readonly streamed?: boolean;
}

export interface S3Response {
  readonly headers: Dispatcher.ResponseData['headers'];
  /** The caller must read it to the end or destroy it. Fails with ObjectStoreError, including when it is cut off. */
  readonly body: Readable;
}

/** Sends requests to one server, with timeouts, one retry and a bounded number of connections. */
export class S3Connections {
  readonly #origin: string;
  readonly #proxy: URL | undefined;
  readonly #whole: Dispatcher;
  readonly #streamed: Dispatcher;

  constructor(origin: string, maxSockets: number, proxy?: URL) {
    this.#origin = origin;
    this.#proxy = proxy;
    this.#whole = dispatcherOf(origin, maxSockets, proxy);
    this.#streamed = dispatcherOf(origin, maxSockets, proxy);
  }

  /**
   * Sends a request. Rejects with S3Error for any status other than 2xx, and with ObjectStoreError for other failures.
   */
  async send(request: HttpRequest): Promise<S3Response> {
    const { what, timeoutMs } = request;
    const stop = new AbortController();
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      late.reject(networkError(what, timeoutError(timeoutMs), this.#proxy));
      stop.abort();
    }, timeoutMs);
    try {
      // undici does not notice the signal while a request is waiting for a connection.
      return await Promise.race([late.promise, this.#sendTwice(request, stop.signal)]);
    } catch (error) {
      throw networkError(what, error, this.#proxy);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes every connection; streams that are still being read fail. */
  close(): void {
    for (const pool of [this.#whole, this.#streamed]) void pool.destroy();
  }

  async #sendTwice(request: HttpRequest, signal: AbortSignal): Promise<S3Response> {
    try {
      return await this.#sendOnce(request, signal);
    } catch (error) {
      if (signal.aborted || !isWorthRepeating(error, request.idempotent ?? true)) throw error;
      await pause(REPEAT_AFTER_MS * (1 + Math.random()));
      return this.#sendOnce(request, signal);
    }
  }

  async #sendOnce(request: HttpRequest, signal: AbortSignal): Promise<S3Response> {
    const { what, method, body = null, timeoutMs, streamed = false } = request;
    const { path, headers } = await request.signed();
    const pool = streamed ? this.#streamed : this.#whole;
    // `reset: false` keeps the connection open after HEAD, too.
    const options = {
      origin: this.#origin,
      method,
      path,
      headers,
      body,
      signal,
      bodyTimeout: timeoutMs,
      reset: false,
    };
    const response = await pool.request(options);
    // With TLS, a proxy only forwards bytes.
    const relay = this.#origin.startsWith('http:') ? this.#proxy : undefined;
    if (response.statusCode >= 300) throw await readS3Error(request, response, relay);
    return { headers: response.headers, body: responseBody(what, response.body) };
  }
}

function timeoutError(timeoutMs: number): Error {
  return Object.assign(new Error(`no response within ${timeoutMs} ms`), { code: 'ETIMEDOUT' });
}

function dispatcherOf(origin: string, connections: number, proxy: URL | undefined): Dispatcher {
  // The request's own timer replaces headersTimeout: it includes the wait for a connection.
  const options: Pool.Options = { connections, headersTimeout: 0, allowH2: false };
  if (!proxy) return new Pool(origin, options);
  const factory = (to: string | URL, own: object) => new Pool(to, { ...options, ...own });
  // CONNECT does not get the request's signal.
  const clientFactory = (to: URL, own: object) =>
    new Pool(to, { ...own, headersTimeout: CONNECT_TIMEOUT_MS });
  return new ProxyAgent({ ...options, uri: proxy.href, factory, clientFactory });
}

/** undici fails the body when the connection is cut or the length differs from Content-Length. */
function responseBody(what: string, body: Readable): Readable {
  const content = new PassThrough();
  // The reader may attach later; it still gets the error.
  content.on('error', () => {});
  body.on('error', (error) => content.destroy(networkError(what, error)));
  content.on('close', () => body.destroy());
  return body.pipe(content);
}

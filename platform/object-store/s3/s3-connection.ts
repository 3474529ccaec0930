import type http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'minio';
import { ObjectStoreError } from '../port.ts';
import type { S3Config } from './s3-config.ts';
import { isWorthRepeating, s3StoreError } from './s3-store-error.ts';
import { S3Transport } from './s3-transport.ts';

/**
 * Delay before the only retry, in milliseconds; jitter makes it up to twice as long, so that callers do not retry at
 * the same time.
 */
const REPEAT_AFTER_MS = 50;
/** S3's limit for one request. With this part size the client never splits an object, so a put is atomic. */
const LARGEST_PUT = 5 * 2 ** 30;

export interface S3CallOptions {
  /** Description of the operation, for error messages. */
  readonly what: string;
  /** For the whole call, including a retry; milliseconds. */
  readonly deadlineMs: number;
  /** Whether the call may be retried once after a failure with an unknown outcome. */
  readonly idempotent: boolean;
  /** Whether the response is read by another party, perhaps slowly. @default false */
  readonly streamed?: boolean;
}

/** The minio client with deadlines, a bounded number of keep-alive connections, and one quick retry. */
export class S3Connection {
  readonly #client: Client;
  readonly #transport: S3Transport;

  constructor({ endpoint, region, accessKey, secretKey }: S3Config, maxSockets: number) {
    this.#transport = new S3Transport(endpoint.secure, maxSockets);
    this.#client = new Client({
      endPoint: endpoint.host,
      port: endpoint.port,
      useSSL: endpoint.secure,
      // Set, so that the client never requests it.
      region,
      accessKey,
      secretKey,
      partSize: LARGEST_PUT,
      transport: { request: this.#transport.request as typeof http.request },
      // The client's own retries lose the error code and write to the console.
      retryOptions: { disableRetry: true },
    });
  }

  /** Runs `work` with the client. Rejects with ObjectStoreError, at the latest at the deadline. */
  async call<T>(options: S3CallOptions, work: (client: Client) => Promise<T>): Promise<T> {
    const { what, deadlineMs, idempotent, streamed = false } = options;
    const stop = new AbortController();
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      const reason = `object store: ${what}: no answer within ${deadlineMs} ms`;
      late.reject(new ObjectStoreError('unavailable', reason));
      stop.abort();
    }, deadlineMs);
    const attempt = () => this.#transport.run({ signal: stop.signal, streamed }, () => work(this.#client));
    const attempts = async () => {
      try {
        return await attempt();
      } catch (error) {
        if (stop.signal.aborted || !isWorthRepeating(error, idempotent)) throw error;
        await pause(REPEAT_AFTER_MS * (1 + Math.random()));
        return attempt();
      }
    };
    try {
      // The deadline also applies when the client does not notice that its request was aborted.
      return await Promise.race([late.promise, attempts()]);
    } catch (error) {
      throw s3StoreError(what, error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Closes every connection. */
  close(): void {
    this.#transport.close();
  }
}

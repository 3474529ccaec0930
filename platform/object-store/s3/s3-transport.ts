import { AsyncLocalStorage } from 'node:async_hooks';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import { readS3Error } from './s3-error.ts';

/**
 * Idle timeout of a connection, in milliseconds: shorter than that of servers and load balancers, so that a request
 * rarely uses a connection that is being closed.
 */
const IDLE_MS = 4000;

/** Settings for the requests of one store call. */
export interface S3Call {
  readonly signal: AbortSignal;
  /**
   * Whether the response is passed to a reader that may be slow. Such responses cannot use up the other connections.
   */
  readonly streamed: boolean;
}

/**
 * HTTP layer below the minio client. Gives each request the signal of its call, which the client cannot pass, and
 * converts every error response to an S3Error after reading its body: the client leaves some of them unread, which
 * would keep their connections forever.
 */
export class S3Transport {
  readonly #calls = new AsyncLocalStorage<S3Call>();
  readonly #send: typeof http.request;
  readonly #agents: { readonly whole: http.Agent; readonly streamed: http.Agent };

  constructor(secure: boolean, maxSockets: number) {
    const options: http.AgentOptions = { keepAlive: true, maxSockets, timeout: IDLE_MS };
    const agent = () => (secure ? new https.Agent(options) : new http.Agent(options));
    this.#send = secure ? https.request : http.request;
    this.#agents = { whole: agent(), streamed: agent() };
  }

  /** Runs `work`; its requests through the client belong to `call`. */
  run<T>(call: S3Call, work: () => Promise<T>): Promise<T> {
    return this.#calls.run(call, work);
  }

  /** Replaces http.request in the client. */
  readonly request = (
    options: RequestOptions,
    receive: (response: IncomingMessage) => void,
  ): ClientRequest => {
    const call = this.#calls.getStore();
    const agent = this.#agents[call?.streamed ? 'streamed' : 'whole'];
    const request = this.#send({ ...options, agent, ...(call && { signal: call.signal }) });
    request.on('response', (response) => {
      if ((response.statusCode ?? 0) < 300) return receive(response);
      // Never rejects; the client sees a failed request.
      void readS3Error(options.method ?? '', response).then((refusal) => request.emit('error', refusal));
    });
    return request;
  };

  /** Closes every connection. */
  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

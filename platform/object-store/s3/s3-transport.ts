import { AsyncLocalStorage } from 'node:async_hooks';
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https, { type RequestOptions } from 'node:https';
import { readS3Error } from './s3-error.ts';

/**
 * How long an unused connection is kept, in milliseconds: less than servers and load balancers keep theirs, so that a
 * request seldom meets one that is being closed.
 */
const IDLE_MS = 4000;

/** What the requests of one call of the store obey. */
export interface S3Call {
  readonly signal: AbortSignal;
  /** Whether the answer is handed to somebody who may read it slowly. Such answers cannot use up the other connections. */
  readonly streamed: boolean;
}

/**
 * The HTTP below the minio client. It gives each request the signal of the call it is made for, which the client has no
 * way to pass, and turns every answer other than success into an S3Error, body read: the client drops some of them
 * unread, which would keep their connections forever.
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

  /** Runs what makes requests through the client, on behalf of a call. */
  run<T>(call: S3Call, work: () => Promise<T>): Promise<T> {
    return this.#calls.run(call, work);
  }

  /** As http.request, for the client. */
  readonly request = (
    options: RequestOptions,
    receive: (response: IncomingMessage) => void,
  ): ClientRequest => {
    const call = this.#calls.getStore();
    const agent = this.#agents[call?.streamed ? 'streamed' : 'whole'];
    const request = this.#send({ ...options, agent, ...(call && { signal: call.signal }) });
    request.on('response', (response) => {
      if ((response.statusCode ?? 0) < 300) return receive(response);
      // Never rejects; the client hears of it as of any failed request.
      void readS3Error(options.method ?? '', response).then((refusal) => request.emit('error', refusal));
    });
    return request;
  };

  /** Closes every connection. */
  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }
}

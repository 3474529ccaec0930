import { Agent, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** A plain request: only the token is added. */
export interface HttpRequest {
  readonly method: string;
  /** Path with its query, already encoded. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface HttpsClientOptions {
  /** `https://host:port` */
  readonly url: string;
  readonly caCertificate: string;
  /** Bearer token; absent if none is sent. */
  readonly token?: string;
}

/** HTTP over TLS with a custom CA; does not use product code. */
export class HttpsClient {
  readonly #options: HttpsClientOptions;
  readonly #agent: Agent;

  constructor(options: HttpsClientOptions) {
    this.#options = options;
    this.#agent = new Agent({ keepAlive: true, ca: options.caCertificate });
  }

  async open(outgoing: HttpRequest): Promise<HttpResponse> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const { token } = this.#options;
    const sent = request(
      new URL(outgoing.path, this.#options.url),
      {
        method: outgoing.method,
        agent: this.#agent,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(outgoing.body !== undefined && { 'content-length': String(Buffer.byteLength(outgoing.body)) }),
          ...outgoing.headers,
        },
        ...(outgoing.signal && { signal: outgoing.signal }),
      },
      resolve,
    );
    sent.on('error', reject);
    sent.end(outgoing.body);
    const incoming = await promise;
    const headers = incoming.headers as Record<string, string | undefined>;
    return { status: incoming.statusCode ?? 0, headers, body: incoming };
  }

  /** Returns the whole response as text. */
  async text(
    outgoing: HttpRequest,
  ): Promise<{ status: number; headers: HttpResponse['headers']; text: string }> {
    const { status, headers, body } = await this.open(outgoing);
    return { status, headers, text: await text(body) };
  }

  /** Returns the whole response as JSON. Throws for any status >= 400. */
  async json(outgoing: HttpRequest): Promise<unknown> {
    const { status, text } = await this.text(outgoing);
    if (status >= 400) throw new Error(`${outgoing.method} ${outgoing.path}: ${status} ${text}`);
    return JSON.parse(text);
  }

  close(): void {
    this.#agent.destroy();
  }
}

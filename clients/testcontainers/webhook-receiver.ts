import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook, WebhookVerificationError, type WebhookEvent } from '@trifold/client';

const DEFAULT_TIMEOUT_MS = 10_000;
/** Number of events kept for later calls to `waitFor`, and of IDs remembered. */
const KEPT_EVENTS = 1000;
/** Number of events in an error message. */
const SHOWN_EVENTS = 20;
/** The service's events are much smaller. */
const MAX_BODY_BYTES = 2 ** 20;

/** Options for `waitFor`. */
export interface WaitForOptions {
  /** @default 10_000 */
  readonly timeoutMs?: number | undefined;
}

/** Receives the account webhook's events on 127.0.0.1, and verifies their signatures. */
export interface Webhooks {
  /** URL of the receiver, which is the URL of the account's webhook. */
  readonly url: string;
  /**
   * Resolves with the oldest event of this type, or the oldest one that the predicate accepts, that has arrived or
   * arrives in time. Each event is returned only once, even if it is delivered more than once. Rejects on timeout, with
   * the types of the events that have arrived, and when the service ends.
   */
  waitFor<T extends WebhookEvent['type']>(
    type: T,
    options?: WaitForOptions,
  ): Promise<Extract<WebhookEvent, { readonly type: T }>>;
  waitFor(predicate: (event: WebhookEvent) => boolean, options?: WaitForOptions): Promise<WebhookEvent>;
}

interface Waiter {
  readonly accepts: (event: WebhookEvent) => boolean;
  readonly resolve: (event: WebhookEvent) => void;
  readonly reject: (error: unknown) => void;
}

/** HTTP server for the account's webhook. It does not keep this process running. */
export class WebhookReceiver implements Webhooks {
  readonly url: string;
  /** Secret of the webhook. */
  secret = '';
  readonly #server: Server;
  /** Events that `waitFor` has not returned, oldest first. */
  readonly #events: WebhookEvent[] = [];
  readonly #seen = new Set<string>();
  readonly #waiters = new Set<Waiter>();
  /** Number of rejected requests by reason. */
  readonly #rejected = new Map<string, number>();
  #failure: Error | undefined;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    server.on('request', (request, response) => void this.#receive(request, response));
  }

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    server.unref().on('connection', (socket) => socket.unref());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
    await promise;
    return new WebhookReceiver(server);
  }

  waitFor<T extends WebhookEvent['type']>(
    type: T,
    options?: WaitForOptions,
  ): Promise<Extract<WebhookEvent, { readonly type: T }>>;
  waitFor(predicate: (event: WebhookEvent) => boolean, options?: WaitForOptions): Promise<WebhookEvent>;
  async waitFor(
    wanted: string | ((event: WebhookEvent) => boolean),
    { timeoutMs = DEFAULT_TIMEOUT_MS }: WaitForOptions = {},
  ): Promise<WebhookEvent> {
    const accepts = typeof wanted === 'string' ? (event: WebhookEvent) => event.type === wanted : wanted;
    const index = this.#events.findIndex((event) => accepts(event));
    const [event] = index < 0 ? [] : this.#events.splice(index, 1);
    if (event) return event;
    if (this.#failure) throw this.#failure;
    const { promise, resolve, reject } = Promise.withResolvers<WebhookEvent>();
    const waiter = { accepts, resolve, reject };
    this.#waiters.add(waiter);
    const name = typeof wanted === 'string' ? `${wanted} event` : 'event that the predicate accepts';
    const timer = setTimeout(() => {
      reject(new Error(`no ${name} arrived within ${timeoutMs} ms; ${this.#describe()}`));
    }, timeoutMs);
    return promise.finally(() => {
      clearTimeout(timer);
      this.#waiters.delete(waiter);
    });
  }

  /** Rejects current and later calls to `waitFor`, unless their event has arrived. */
  fail(error: Error): void {
    this.#failure = error;
    for (const { reject } of this.#waiters) reject(error);
  }

  stop(): void {
    this.fail(new Error('Trifold has been stopped'));
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const payload = await readBody(request);
      this.#accept(verifyWebhook({ payload, headers: request.headers, secret: this.secret }));
      response.writeHead(204).end();
    } catch (error) {
      const reason = error instanceof WebhookVerificationError ? error.reason : (error as Error).message;
      this.#rejected.set(reason, (this.#rejected.get(reason) ?? 0) + 1);
      response.writeHead(400, { connection: 'close' }).end(reason);
    }
  }

  #accept(event: WebhookEvent): void {
    if (this.#seen.has(event.id)) return;
    this.#seen.add(event.id);
    if (this.#seen.size > KEPT_EVENTS) this.#seen.delete([...this.#seen][0] ?? '');
    for (const waiter of this.#waiters) {
      try {
        if (!waiter.accepts(event)) continue;
        this.#waiters.delete(waiter);
        waiter.resolve(event);
        return;
      } catch (error) {
        waiter.reject(error);
      }
    }
    this.#events.push(event);
    if (this.#events.length > KEPT_EVENTS) this.#events.shift();
  }

  #describe(): string {
    const types = this.#events.slice(-SHOWN_EVENTS).map(({ type }) => type);
    const others = `last other events: ${types.join(', ') || 'none'}`;
    const rejected = [...this.#rejected].map(([reason, count]) => `${reason} (${count})`);
    return rejected.length > 0 ? `${others}; requests rejected: ${rejected.join(', ')}` : others;
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > MAX_BODY_BYTES) throw new Error('the body is too large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

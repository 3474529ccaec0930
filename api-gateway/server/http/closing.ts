import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { unavailable } from '../errors/api-error.ts';

/** Whether the gateway accepts requests, and how many are in flight. */
export class Traffic {
  #retiring = false;
  #closing = false;
  #inHand = 0;
  #onIdle: (() => void) | undefined;

  get closing(): boolean {
    return this.#closing;
  }

  /** Whether the gateway is about to stop: it still accepts requests, but should not get more. */
  get retiring(): boolean {
    return this.#retiring;
  }

  retire(): void {
    this.#retiring = true;
  }

  /** Counts a request as in flight until the returned function is called; it may be called more than once. */
  begin(): () => void {
    let open = true;
    this.#inHand++;
    return () => {
      if (!open) return;
      open = false;
      this.#inHand--;
      if (this.#inHand === 0) this.#onIdle?.();
    };
  }

  /** Accepts no further requests from now on. */
  close(): void {
    this.#retiring = true;
    this.#closing = true;
  }

  /** Resolves when no request is in flight. Of several calls, only the last is certain to resolve. */
  async idle(): Promise<void> {
    if (this.#inHand === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onIdle = resolve;
    await promise;
  }
}

/** While the gateway closes: finishes requests in flight, rejects new ones, and ends connections. */
export const closing = fastifyPlugin(
  async (app: FastifyInstance, { traffic }: { traffic: Traffic }) => {
    app.addHook('onRequest', async (_request, reply) => {
      const wasClosing = traffic.closing;
      const end = traffic.begin();
      // Finished, or cancelled by the client.
      reply.raw.once('finish', end).once('close', end);
      if (wasClosing) throw unavailable('The service is stopping. Send the request again.');
    });
    app.addHook('onSend', async (request, reply) => {
      if (!traffic.retiring) return;
      reply.header('connection', 'close');
      await wholeRequest(request.raw);
    });
  },
  { name: 'closing' },
);

/**
 * Reads the rest of a request's body. A connection that ends with unread data is reset, and the client may lose the
 * answer that was already sent.
 */
async function wholeRequest(request: IncomingMessage): Promise<void> {
  request.resume();
  await finished(request, { writable: false }).catch(() => undefined);
}

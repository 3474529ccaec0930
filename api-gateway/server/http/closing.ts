import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import { unavailable } from '../errors/api-error.ts';

/** Whether the gateway takes requests, and how many it has in hand. */
export class Traffic {
  #retiring = false;
  #closing = false;
  #inHand = 0;
  #onIdle: (() => void) | undefined;

  get closing(): boolean {
    return this.#closing;
  }

  /** Whether the gateway is about to stop: it still takes requests, but nobody should send it more. */
  get retiring(): boolean {
    return this.#retiring;
  }

  retire(): void {
    this.#retiring = true;
  }

  /** Counts a request in; the returned function, called once or more, counts it out. */
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

  /** Takes no further request from now on. */
  close(): void {
    this.#retiring = true;
    this.#closing = true;
  }

  /** Resolves when no request is in hand; of several calls only the last need be answered. */
  async idle(): Promise<void> {
    if (this.#inHand === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onIdle = resolve;
    await promise;
  }
}

/** While the gateway closes, requests in hand are finished, new ones are sent elsewhere, and connections end. */
export const closing = fastifyPlugin(
  async (app: FastifyInstance, { traffic }: { traffic: Traffic }) => {
    app.addHook('onRequest', async (_request, reply) => {
      const wasClosing = traffic.closing;
      const end = traffic.begin();
      // Finished, or given up by the client.
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
 * Reads what is left of a request's body. A connection that ends with something unread is reset, and the client may
 * lose the answer that it was sent before.
 */
async function wholeRequest(request: IncomingMessage): Promise<void> {
  request.resume();
  await finished(request, { writable: false }).catch(() => undefined);
}

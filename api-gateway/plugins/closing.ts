import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import fastifyPlugin from 'fastify-plugin';
import { unavailable } from '../errors/api-error.ts';

/** Whether the gateway takes requests, and how many it has in hand. */
export class Traffic {
  #closing = false;
  #inHand = 0;
  /** Connections that have not sent a request yet; the server itself does not count them as idle. */
  readonly #silent = new Set<Socket>();
  readonly #idle = Promise.withResolvers<void>();

  get closing(): boolean {
    return this.#closing;
  }

  /** Counts a request in; the returned function, called once or more, counts it out. */
  begin(): () => void {
    let open = true;
    this.#inHand++;
    return () => {
      if (!open) return;
      open = false;
      this.#inHand--;
      if (this.#closing && this.#inHand === 0) this.#idle.resolve();
    };
  }

  /** Notes a connection until its first request. */
  connected(socket: Socket): void {
    this.#silent.add(socket);
    socket.once('close', () => this.#silent.delete(socket));
  }

  spoke(socket: Socket): void {
    this.#silent.delete(socket);
  }

  /** Ends the connections that never sent a request. */
  endSilent(): void {
    for (const socket of this.#silent) socket.destroy();
  }

  /** Takes no further request; resolves when those in hand are answered. */
  async close(): Promise<void> {
    this.#closing = true;
    if (this.#inHand === 0) this.#idle.resolve();
    await this.#idle.promise;
  }
}

/** While the gateway closes, requests in hand are finished, new ones are sent elsewhere, and connections end. */
export const closing = fastifyPlugin(
  async (app: FastifyInstance, { traffic }: { traffic: Traffic }) => {
    app.server.on('connection', (socket: Socket) => traffic.connected(socket));
    app.server.on('request', ({ socket }: IncomingMessage) => traffic.spoke(socket));
    app.addHook('onRequest', async (_request, reply) => {
      const wasClosing = traffic.closing;
      const end = traffic.begin();
      // Finished, or given up by the client.
      reply.raw.once('finish', end).once('close', end);
      if (wasClosing) throw unavailable('The service is stopping. Send the request again.');
    });
    app.addHook('onSend', async (_request, reply) => {
      if (traffic.closing) reply.header('connection', 'close');
    });
  },
  { name: 'closing' },
);

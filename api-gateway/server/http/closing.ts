import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Socket } from 'node:net';

/** Whether the gateway should get further requests. */
export class Traffic {
  #retiring = false;

  /** Whether the gateway is about to stop: it still accepts requests, but should not get more. */
  get retiring(): boolean {
    return this.#retiring;
  }

  retire(): void {
    this.#retiring = true;
  }
}

/** Ends each connection after its next answer while the gateway retires, and connections without data when it closes. */
export const closing = fastifyPlugin(
  async (app: FastifyInstance, { traffic }: { traffic: Traffic }) => {
    app.addHook('onSend', async (_request, reply) => {
      if (traffic.retiring) reply.header('connection', 'close');
    });
    const sockets = new Set<Socket>();
    app.server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    // Node closes idle connections, but not those that never sent anything, such as the spare ones of a browser.
    app.addHook('preClose', async () => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    });
  },
  { name: 'closing' },
);

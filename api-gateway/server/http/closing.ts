import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Socket } from 'node:net';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';

interface ClosingOptions {
  readonly retiring: AbortSignal;
  /** Connections that stay open after a response. */
  readonly maxOpen?: number;
}

/**
 * Closes a connection after its next response once the gateway is retiring, or if too many are open. When the gateway
 * closes, also closes connections that never sent data.
 */
export const closing = fastifyPlugin(
  async (
    app: FastifyInstance,
    { retiring, maxOpen = BOUNDS.idleConnections.limit.value }: ClosingOptions,
  ) => {
    const sockets = new Set<Socket>();
    app.addHook('onSend', async (_request, reply) => {
      if (retiring.aborted || sockets.size > maxOpen) reply.header('connection', 'close');
    });
    app.server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    // Node closes idle connections, but not those that never sent anything, such as a browser's spare connections.
    app.addHook('preClose', async () => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    });
  },
  { name: 'closing' },
);

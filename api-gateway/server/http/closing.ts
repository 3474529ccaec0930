import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Socket } from 'node:net';

/**
 * Once the gateway is retiring, closes each connection after its next response; when it closes, also closes connections
 * that never sent data.
 */
export const closing = fastifyPlugin(
  async (app: FastifyInstance, { retiring }: { retiring: AbortSignal }) => {
    app.addHook('onSend', async (_request, reply) => {
      if (retiring.aborted) reply.header('connection', 'close');
    });
    const sockets = new Set<Socket>();
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

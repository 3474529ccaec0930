import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Socket } from 'node:net';
import { BOUNDS } from '@trifold/platform/service/bounds.ts';
import { onResponseEnd } from './response-end.ts';

const MOST_REQUESTS = BOUNDS.pipelinedRequests.limit.value;

/**
 * Closes a connection with too many unanswered requests. Node handles pipelined requests at the same time, and reads
 * thousands of them before it notices that the client does not read the responses.
 */
export const pipelining = fastifyPlugin(
  async (app: FastifyInstance) => {
    const unanswered = new WeakMap<Socket, number>();
    const add = (socket: Socket, more: number): number => {
      const count = (unanswered.get(socket) ?? 0) + more;
      unanswered.set(socket, count);
      return count;
    };
    app.addHook('onRequest', ({ socket }, reply, done) => {
      if (add(socket, 1) > MOST_REQUESTS) {
        socket.destroy();
        reply.hijack();
        return;
      }
      onResponseEnd(reply.raw, () => add(socket, -1));
      done();
    });
  },
  { name: 'pipelining' },
);

import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { onResponseEnd } from './response-end.ts';

const MAX_REQUESTS = BOUNDS.pipelinedRequests.limit.value;
/** Pending requests by connection. */
const unanswered = new WeakMap<Socket, number>();

/**
 * Counts a request until its response ends. Closes the connection and returns false when it has too many pending
 * requests: Node handles pipelined requests concurrently, and reads thousands of them before it notices that the client
 * is not reading the responses.
 */
export function admitPipelined({ socket }: IncomingMessage, response: ServerResponse): boolean {
  const count = (unanswered.get(socket) ?? 0) + 1;
  if (count > MAX_REQUESTS) {
    socket.destroy();
    return false;
  }
  unanswered.set(socket, count);
  onResponseEnd(response, () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
  return true;
}

/** Applies the limit to every request that hooks run for. */
export const pipelining = fastifyPlugin(
  async (app: FastifyInstance) => {
    app.addHook('onRequest', ({ raw }, reply, done) => {
      if (admitPipelined(raw, reply.raw)) done();
      else reply.hijack();
    });
  },
  { name: 'pipelining' },
);

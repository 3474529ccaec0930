import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';

const MAX_BYTES = BOUNDS.rejectedBodies.limit.value;
const MAX_CHUNKS = BOUNDS.bodyChunks.limit.value;
const MAX_MS = 2_000;

/**
 * Closes the connection of a request that gets a response before its body has arrived. First drops part of the
 * remaining body: a connection closed with unread data is reset, and the client may lose the response.
 */
export const unreadBodies = fastifyPlugin(
  async (app: FastifyInstance, { clock }: { clock: Clock }) => {
    app.addHook('onSend', async ({ raw }, reply, payload) => {
      if (!hasUnreadBody(raw)) return payload;
      // A body that arrived with its headers is parsed after them.
      await nextTurn();
      if (!hasUnreadBody(raw)) return payload;
      reply.header('connection', 'close');
      if (typeof payload !== 'string') return payload;
      reply.header('content-length', String(Buffer.byteLength(payload)));
      return Readable.from(lingering(payload, async () => dropped(raw, clock)));
    });
  },
  { name: 'unread-bodies' },
);

/** Connections that got their last response, while the rest of a body is dropped. */
const ending = new WeakSet<Socket>();

/** Whether a connection got its last response; later input then gets no response. */
export function isEnding(socket: Socket): boolean {
  return ending.has(socket);
}

/** Whether part of a request's body has not arrived yet. */
export function hasUnreadBody({ headers, complete, readableEnded }: IncomingMessage): boolean {
  return hasBody(headers) && !complete && !readableEnded;
}

/** Whether a request with these headers has a body. */
export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** The client has the whole response before the stream ends; the end of the stream closes the connection. */
async function* lingering(payload: string, end: () => Promise<void>): AsyncGenerator<string> {
  yield payload;
  await end();
}

/** Drops the rest of a body. Resolves at the end of the body or at the limits. */
async function dropped(request: IncomingMessage, clock: Clock): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { socket } = request;
  ending.add(socket);
  const most = socket.bytesRead + MAX_BYTES;
  let chunks = 0;
  const cancel = clock.schedule(MAX_MS, () => resolve());
  request
    .removeAllListeners('data')
    .on('data', () => {
      chunks += 1;
      if (socket.bytesRead > most || chunks > MAX_CHUNKS) resolve();
    })
    .once('end', () => resolve())
    .once('close', () => resolve())
    .resume();
  if (request.readableEnded || request.destroyed) resolve();
  await promise;
  cancel();
  request.pause();
}

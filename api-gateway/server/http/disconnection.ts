import type { FastifyReply } from 'fastify';
import type { Socket } from 'node:net';
import { ApiError } from '../errors/api-error.ts';

/** Aborted when the client goes away before it is answered. */
export function disconnection(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(clientGone());
  // It may have gone while the request was checked.
  if (reply.raw.destroyed) abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) abort();
  });
  return controller.signal;
}

/** Works with a signal that is aborted when the client goes away meanwhile: for a request that has no reply yet. */
export async function whileConnected<T>(
  socket: Socket,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort(clientGone());
  socket.once('close', abort);
  try {
    return await work(controller.signal);
  } finally {
    socket.off('close', abort);
  }
}

function clientGone(): ApiError {
  return new ApiError('request_timeout', 'The client went away before it was answered.');
}

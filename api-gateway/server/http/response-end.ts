import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Socket } from 'node:net';
import { ApiError } from '../errors/api-error.ts';

/** One pair of listeners serves all of a response's callbacks. */
const callbacks = new WeakMap<ServerResponse, (() => void)[]>();

/** Calls `callback` once: when the kernel has accepted the whole response, or when the connection is closed. */
export function onResponseEnd(response: ServerResponse, callback: () => void): void {
  // The connection may have been closed while the request was checked.
  if (response.destroyed) {
    callback();
    return;
  }
  const known = callbacks.get(response);
  if (known) {
    known.push(callback);
    return;
  }
  const all = [callback];
  callbacks.set(response, all);
  const end = () => {
    for (const each of all.splice(0)) each();
  };
  response.once('finish', end).once('close', end);
}

/** Returns a signal that aborts when the client disconnects before it gets a response. */
export function disconnection(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const abort = () => controller.abort(clientGone());
  // The client may have disconnected while the request was checked.
  if (reply.raw.destroyed) abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) abort();
  });
  return controller.signal;
}

/** Runs `work` with a signal that aborts when the client disconnects, for a request that has no reply yet. */
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
  return new ApiError('request_timeout', 'The client disconnected before the response.');
}

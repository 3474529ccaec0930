import type { FastifyReply } from 'fastify';
import { ApiError } from '../errors/api-error.ts';

/** Aborted when the client goes away before it is answered. */
export function disconnection(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const abort = () =>
    controller.abort(new ApiError('request_timeout', 'The client went away before it was answered.'));
  // It may have gone while the request was checked.
  if (reply.raw.destroyed) abort();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) abort();
  });
  return controller.signal;
}

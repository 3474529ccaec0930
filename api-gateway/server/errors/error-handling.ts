import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { errorBodyOf } from './error-body.ts';
import { toApiError } from './translate-error.ts';

/** The only place that converts errors into responses. Logs internal errors. */
export const errorHandling = fastifyPlugin(
  async (app: FastifyInstance) => {
    app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  },
  { name: 'error-handling' },
);

/** Sends an error response. Also handles failures before a route is matched. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  // The route's limit, which may differ from the default.
  const apiError = toApiError(error, { maxBodyBytes: request.routeOptions.bodyLimit });
  if (apiError.statusCode === 500) request.log.error({ err: error }, 'request failed');
  else if (apiError.statusCode > 500 && apiError.code !== 'storage_full')
    request.log.warn({ err: error }, 'service or dependency unavailable');
  return reply
    .code(apiError.statusCode)
    .headers(apiError.headers)
    .header('x-request-id', request.id)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send(errorBodyOf(apiError, request.id));
}

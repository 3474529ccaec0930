import type { FastifyInstance, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { Metrics } from '@trifold/platform/process/metrics.ts';
import type { GatewayConfig } from '../../config.ts';
import { keyPath } from '../auth/caller.ts';
import { ByteBudget, type ByteReservation } from '../budget/byte-budget.ts';
import { ApiError, unavailable } from '../errors/api-error.ts';
import { onResponseEnd } from '../http/response-end.ts';
import { incomingBody } from './incoming-body.ts';
import { hasBody } from './unread-bodies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The part of the budget that the request's body uses. Undefined without a body. */
    bodyReservation: ByteReservation | undefined;
  }
}

interface BodyBudgetsOptions {
  /** A key's budget is at least the size of the largest body that a route accepts. */
  readonly config: Pick<GatewayConfig, 'bodyBudgetBytes' | 'keyBodyBudgetBytes'>;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/**
 * Returns a budget for body bytes, which count from when the gateway accepts a body until its request ends. The
 * parsed body lives as long as the request, so a synchronous request counts while it waits for its document. Exceeding
 * the key's limit throws ApiError `too_many_uploads`; exceeding the total throws `unavailable`.
 */
function requestBodyBudget({
  bodyBudgetBytes,
  keyBodyBudgetBytes,
}: BodyBudgetsOptions['config']): ByteBudget {
  return new ByteBudget({
    total: bodyBudgetBytes,
    perHolder: keyBodyBudgetBytes,
    holderExceeded: () => {
      const message = `The bodies of an API key's in-flight requests are limited to ${keyBodyBudgetBytes} bytes in total. Retry when other requests have finished.`;
      return new ApiError('too_many_uploads', message, { headers: { 'retry-after': '1' } });
    },
    totalExceeded: () =>
      unavailable('The bodies of all in-flight requests have reached the size limit. Try again in a moment.'),
  });
}

/**
 * On the routes registered in the same context, accepts a body only if the budget has room; other bodies are rejected
 * before they are read. The length of a chunked body is not known in advance, so its bytes are reserved as they arrive.
 * Register this plugin after authentication, which sets the caller.
 */
export const bodyBudgets = fastifyPlugin(
  async (app: FastifyInstance, { config, clock, metrics }: BodyBudgetsOptions) => {
    const budget = requestBodyBudget(config);
    const help = 'Total size of in-flight request bodies, in bytes.';
    metrics.gaugeOf({ name: 'trifold_gateway_request_body_bytes', help }, () => budget.total);
    // Node would send 100 Continue before any hook runs.
    app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
      app.server.emit('request', request, response),
    );
    app.decorateRequest('bodyReservation', undefined);
    app.addHook('preParsing', (request, reply, payload, done) => {
      const { isRead, expectedBytes } = bodyOf(request);
      if (!isRead) {
        done(null, payload);
        return;
      }
      const reservation = budget.open(keyPath(request.caller));
      try {
        reservation.extend(expectedBytes ?? 0);
      } catch (error) {
        done(error as Error);
        return;
      }
      request.bodyReservation = reservation;
      onResponseEnd(reply.raw, () => reservation.release());
      if (waitsToContinue(request)) reply.raw.writeContinue();
      if (payload.readableLength === expectedBytes) {
        done(null, payload);
        return;
      }
      done(null, incomingBody(payload, { reservation, clock, expectedBytes }));
    });
  },
  { name: 'body-budgets', dependencies: ['authentication'] },
);

/** Returns a function that counts more bytes until the request ends, like a body of that size. */
export function holding({ bodyBytes, bodyReservation }: FastifyRequest): (bytes: number) => void {
  return (bytes) => bodyReservation?.extend(bodyBytes + bytes);
}

/** Other expectations are rejected before any hook runs, and HTTP/1.0 has none. */
function waitsToContinue({ headers, raw }: FastifyRequest): boolean {
  return headers.expect !== undefined && raw.httpVersion === '1.1';
}

/** Size of the body according to the headers, and whether Fastify reads it. */
function bodyOf({ method, headers, routeOptions }: FastifyRequest): {
  isRead: boolean;
  expectedBytes: number | undefined;
} {
  const length = headers['content-length'];
  const expectedBytes = length === undefined ? undefined : Number(length);
  // A body over the limit of its route gets 413 without being read.
  const isTaken = (expectedBytes ?? 0) <= routeOptions.bodyLimit;
  return { isRead: hasBody(headers) && isTaken && method !== 'GET' && method !== 'HEAD', expectedBytes };
}

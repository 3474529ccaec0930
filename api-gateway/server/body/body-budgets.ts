import type { FastifyInstance, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { BodyBudget } from './body-budget.ts';
import { incomingBody } from './incoming-body.ts';

export interface BodyBudgetsOptions {
  readonly budget: BodyBudget;
  /** Minimum bytes a second; 0: any rate. */
  readonly minUploadRate: number;
  readonly clock: Clock;
}

/**
 * Accepts a body on the routes registered beside it only if the budget has room, and rejects others before the body is
 * read. A chunked body has no length in advance, so it reserves bytes as they arrive. Register it after authentication,
 * which sets the caller.
 */
export const bodyBudgets = fastifyPlugin(
  async (app: FastifyInstance, { budget, minUploadRate, clock }: BodyBudgetsOptions) => {
    // Node would send 100 Continue before any hook runs.
    app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) =>
      app.server.emit('request', request, response),
    );
    app.addHook('preParsing', (request, reply, payload, done) => {
      const { isRead, expectedBytes } = bodyOf(request);
      if (!isRead) {
        done(null, payload);
        return;
      }
      const { account, keyId } = request.caller;
      const reservation = budget.open(`${account}/${keyId}`);
      try {
        reservation.extend(expectedBytes ?? 0);
      } catch (error) {
        done(error as Error);
        return;
      }
      const release = () => reservation.release();
      reply.raw.once('finish', release).once('close', release);
      if (waitsToContinue(request)) reply.raw.writeContinue();
      if (payload.readableLength === expectedBytes) {
        done(null, payload);
        return;
      }
      const options = { reservation, clock, minBytesPerSecond: minUploadRate, expectedBytes };
      done(null, incomingBody(payload, options));
    });
  },
  { name: 'body-budgets', dependencies: ['authentication'] },
);

/** Other expectations are rejected before any hook, and HTTP/1.0 has no expectations. */
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
  const hasBody = headers['transfer-encoding'] !== undefined || (expectedBytes ?? 0) > 0;
  // A body over the limit of its route is answered 413 without being read.
  const isTaken = (expectedBytes ?? 0) <= routeOptions.bodyLimit;
  return { isRead: hasBody && isTaken && method !== 'GET' && method !== 'HEAD', expectedBytes };
}

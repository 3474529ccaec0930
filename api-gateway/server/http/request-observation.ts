import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Logger } from '@trifold/platform/process/logging.ts';
import type { Metrics } from '@trifold/platform/process/metrics.ts';

export interface ObservationOptions {
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** Whether to log one line per request. */
  readonly logRequests: boolean;
}

/** Labels for requests without a route. */
const NO_ROUTE = { method: 'any', route: 'unknown' };

/** Records each request's duration in the metrics and, if enabled, logs one line per request. */
export class RequestObserver {
  readonly #options: ObservationOptions;
  readonly #duration;

  constructor(options: ObservationOptions) {
    this.#options = options;
    this.#duration = options.metrics.histogram({
      name: 'trifold_gateway_request_duration_seconds',
      help: 'Time from receiving the request headers to sending the complete response.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    });
  }

  /** Records a request that got a response. */
  answered(request: FastifyRequest, reply: FastifyReply): void {
    const { url } = request.routeOptions;
    const { method, route } = url === undefined ? NO_ROUTE : { method: request.method, route: url };
    const elapsedMs = reply.elapsedTime;
    this.#duration.observe({ method, route, status: String(reply.statusCode) }, elapsedMs / 1000);
    if (!this.#options.logRequests) return;
    const ms = Math.round(elapsedMs * 10) / 10;
    request.log.info({ method: request.method, route, status: reply.statusCode, ms }, 'request');
  }

  /** Records a request that got a response before it was parsed, such as input that is not HTTP. */
  rejected(requestId: string, status: number): void {
    const { method, route } = NO_ROUTE;
    this.#duration.observe({ method, route, status: String(status) }, 0);
    if (!this.#options.logRequests) return;
    this.#options.logger.info({ request_id: requestId, method, route, status, ms: 0 }, 'request');
  }
}

/** Adds the request ID to every response, and records every request. */
export const requestObservation = fastifyPlugin(
  async (app: FastifyInstance, { observer }: { observer: RequestObserver }) => {
    app.addHook('onRequest', async (request, reply) => {
      reply.header('x-request-id', request.id);
    });
    app.addHook('onResponse', async (request, reply) => observer.answered(request, reply));
  },
  { name: 'request-observation' },
);

import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Metrics } from '@trifold/platform/metrics.ts';

export interface ObservationOptions {
  readonly metrics: Metrics;
  /** One line a request. */
  readonly logRequests: boolean;
}

/** Tells of every request: its id in the answer, its time in the metrics, one log line when that is wanted. */
export const requestObservation = fastifyPlugin(
  async (app: FastifyInstance, { metrics, logRequests }: ObservationOptions) => {
    const duration = metrics.histogram({
      name: 'trifold_gateway_request_duration_seconds',
      help: 'Time from the head of a request to the end of its answer.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    });
    app.addHook('onRequest', async (request, reply) => {
      reply.header('x-request-id', request.id);
    });
    app.addHook('onResponse', async (request, reply) => {
      const route = request.routeOptions.url ?? 'unknown';
      const method = request.routeOptions.url === undefined ? 'any' : request.method;
      const elapsedMs = reply.elapsedTime;
      duration.observe({ method, route, status: String(reply.statusCode) }, elapsedMs / 1000);
      if (!logRequests) return;
      const fields = {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(elapsedMs * 10) / 10,
      };
      request.log.info(fields, 'request');
    });
  },
  { name: 'request-observation' },
);

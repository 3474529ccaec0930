import type { Metrics } from '@trifold/platform/service/metrics.ts';
import type { Application } from '../../services.ts';

/** GET /metrics, in the Prometheus text format. */
export function metricsRoute(app: Application, metrics: Metrics): void {
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.render()),
  );
}

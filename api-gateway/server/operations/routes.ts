import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Metrics } from '@trifold/platform/process/metrics.ts';
import type { Readiness } from '@trifold/platform/process/readiness.ts';
import { Type } from 'typebox';

const Alive = Type.Object({ status: Type.String() });
const Report = Type.Object({
  status: Type.String(),
  checks: Type.Array(
    Type.Object({ name: Type.String(), ready: Type.Boolean(), reason: Type.Optional(Type.String()) }),
  ),
});

const PROBE = { anyHost: true };

/** /healthz (the process responds), /readyz (it can serve requests, or why not) and /metrics, without a key. */
export const operationsRoutes: FastifyPluginAsyncTypebox<{ readiness: Readiness; metrics: Metrics }> = async (
  app,
  { readiness, metrics },
) => {
  app.get('/healthz', { schema: { response: { 200: Alive } }, config: PROBE }, async () => ({
    status: 'ok',
  }));

  app.get(
    '/readyz',
    { schema: { response: { 200: Report, 503: Report } }, config: PROBE },
    async (_request, reply) => {
      const checks = await readiness.report();
      const ready = checks.every((check) => check.ready);
      return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', checks });
    },
  );

  app.get('/metrics', { config: PROBE }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.render()),
  );
};

import { Type } from 'typebox';
import type { Readiness } from '@trifold/platform/service/readiness.ts';
import type { Application } from '../../services.ts';

const Report = Type.Object({
  status: Type.String(),
  checks: Type.Array(
    Type.Object({ name: Type.String(), ready: Type.Boolean(), reason: Type.Optional(Type.String()) }),
  ),
});
const schema = { response: { 200: Report, 503: Report } };

/** GET /readyz: whether requests can be served, and why not. */
export function readyz(app: Application, readiness: Readiness): void {
  app.get('/readyz', { schema }, async (_request, reply) => {
    const checks = await readiness.report();
    const ready = checks.every((check) => check.ready);
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', checks });
  });
}

import { Type } from 'typebox';
import type { Application } from '../../services.ts';

const schema = { response: { 200: Type.Object({ status: Type.String() }) } };

/** GET /healthz: whether the process answers. */
export function healthz(app: Application): void {
  app.get('/healthz', { schema }, async () => ({ status: 'ok' }));
}

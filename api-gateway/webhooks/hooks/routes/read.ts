import type { Application, Services } from '@trifold/api-gateway/services.ts';
import { HookView } from '../../endpoint-body.ts';
import { hookViewOf } from '../../endpoint-view.ts';
import { IdParams } from '@trifold/api-gateway/server/http/id-params.ts';

const schema = {
  operationId: 'readHook',
  summary: 'Read a hook',
  description: 'Never its secret.',
  tags: ['Webhooks'],
  params: IdParams,
  response: { 200: HookView },
  errors: ['hook_not_found'],
} as const;

/** GET /v1/hooks/:id */
export function readHook(app: Application, { hooks }: Services): void {
  app.get('/v1/hooks/:id', { schema }, async (request) =>
    hookViewOf(await hooks.get(request.caller.account, request.params.id)),
  );
}

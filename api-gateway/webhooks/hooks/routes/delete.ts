import type { Application, Services } from '@trifold/api-gateway/services.ts';
import { Deleted } from '@trifold/api-gateway/server/http/deleted.ts';
import { IdParams } from '@trifold/api-gateway/server/http/id-params.ts';

const schema = {
  operationId: 'deleteHook',
  summary: 'Delete a hook',
  description: 'What waits to be delivered to it is given up. There may be none of that id.',
  tags: ['Webhooks'],
  params: IdParams,
  response: { 200: Deleted },
} as const;

/** DELETE /v1/hooks/:id: 200 even if the hook does not exist (interface, "Hook destinations": idempotent). */
export function deleteHook(app: Application, { hooks }: Services): void {
  app.delete('/v1/hooks/:id', { schema }, async (request) => {
    const { id } = request.params;
    await hooks.delete(request.caller.account, id);
    return { id, deleted: true as const };
  });
}

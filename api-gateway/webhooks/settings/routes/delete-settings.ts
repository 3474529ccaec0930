import { Type } from 'typebox';
import type { Application, Services } from '@trifold/api-gateway/services.ts';

const schema = {
  operationId: 'deleteWebhookSettings',
  summary: 'Delete the webhook of the account',
  description: 'What waits to be delivered to it is given up. There may be none.',
  tags: ['Webhooks'],
  response: { 200: Type.Object({ deleted: Type.Literal(true) }) },
} as const;

/** DELETE /v1/webhooks/settings: 200 even if there is no endpoint. */
export function deleteWebhookSettings(app: Application, { accountEndpoint }: Services): void {
  app.delete('/v1/webhooks/settings', { schema }, async (request) => {
    await accountEndpoint.delete(request.caller.account);
    return { deleted: true as const };
  });
}

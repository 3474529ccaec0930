import type { Application, Services } from '@trifold/api-gateway/services.ts';
import { SettingsView } from '../../endpoint-body.ts';
import { settingsViewOf } from '../../endpoint-view.ts';

const schema = {
  operationId: 'readWebhookSettings',
  summary: 'Read the webhook of the account',
  description: 'Never its secret.',
  tags: ['Webhooks'],
  response: { 200: SettingsView },
  errors: ['webhook_not_found'],
} as const;

/** GET /v1/webhooks/settings */
export function readWebhookSettings(app: Application, { accountEndpoint }: Services): void {
  app.get('/v1/webhooks/settings', { schema }, async (request) =>
    settingsViewOf(await accountEndpoint.get(request.caller.account)),
  );
}

import type { Application, Services } from '@trifold/api-gateway/services.ts';
import { SavedSettings, SettingsBody } from '../../endpoint-body.ts';
import { settingsViewOf } from '../../endpoint-view.ts';

const schema = {
  operationId: 'saveWebhookSettings',
  summary: 'Set the webhook of the account',
  description:
    'An account has one webhook. A repeated request replaces `url` and `events` and keeps the secret, unless `rotate_secret` is true. The answer has the secret only if the service generated one.',
  tags: ['Webhooks'],
  body: SettingsBody,
  response: { 200: SavedSettings, 201: SavedSettings },
  errors: ['conflict'],
} as const;

/** POST /v1/webhooks/settings: 201 for a new endpoint, 200 for an update. */
export function saveWebhookSettings(app: Application, { accountEndpoint }: Services): void {
  app.post('/v1/webhooks/settings', { schema }, async (request, reply) => {
    const { endpoint, created, secret } = await accountEndpoint.save(request.caller.account, request.body);
    return reply
      .code(created ? 201 : 200)
      .header('cache-control', 'no-store')
      .send({ ...settingsViewOf(endpoint), ...(secret !== undefined && { secret }) });
  });
}

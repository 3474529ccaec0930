import type { Application, Services } from '@trifold/api-gateway/services.ts';
import { TestResult } from '../../endpoint-body.ts';
import { disconnection } from '@trifold/api-gateway/server/http/disconnection.ts';

const schema = {
  operationId: 'testWebhookSettings',
  summary: 'Send a test event to the webhook of the account',
  description:
    'Sends the event `webhook.test` at once and only once, whatever the webhook is subscribed to, and returns the result.',
  tags: ['Webhooks'],
  response: { 200: TestResult },
  errors: ['webhook_not_found', 'too_many_tests'],
} as const;

/** POST /v1/webhooks/settings/test: 200 even if the endpoint did not accept the event. */
export function testWebhookSettings(app: Application, services: Services): void {
  const { accountEndpoint, endpointTests } = services;
  app.post('/v1/webhooks/settings/test', { schema }, async (request, reply) => {
    const endpoint = await accountEndpoint.get(request.caller.account);
    return endpointTests.run(endpoint, disconnection(reply));
  });
}

import type { Application, Services } from '@trifold/api-gateway/services.ts';
import { DeliveryPage, DeliveryQuery } from '../delivery-body.ts';

const schema = {
  operationId: 'listDeliveries',
  summary: 'List deliveries',
  description: 'Newest first.',
  tags: ['Webhooks'],
  querystring: DeliveryQuery,
  response: { 200: DeliveryPage },
  errors: ['invalid_cursor'],
} as const;

/** GET /v1/webhooks/deliveries */
export function listDeliveries(app: Application, { deliveries }: Services): void {
  app.get('/v1/webhooks/deliveries', { schema }, async (request) =>
    deliveries.list(request.caller.account, request.query),
  );
}

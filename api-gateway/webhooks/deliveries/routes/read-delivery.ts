import type { Application, Services } from '@trifold/api-gateway/services.ts';
import { DeliveryView } from '../delivery-body.ts';
import { deliveryViewOf } from '../delivery-view.ts';
import { IdParams } from '@trifold/api-gateway/server/http/id-params.ts';

const schema = {
  operationId: 'readDelivery',
  summary: 'Read a delivery with its attempts',
  tags: ['Webhooks'],
  params: IdParams,
  response: { 200: DeliveryView },
  errors: ['delivery_not_found'],
} as const;

/** GET /v1/webhooks/deliveries/:id */
export function readDelivery(app: Application, { deliveries }: Services): void {
  app.get('/v1/webhooks/deliveries/:id', { schema }, async (request) =>
    deliveryViewOf(await deliveries.get(request.caller.account, request.params.id)),
  );
}

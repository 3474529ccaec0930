import type { Application, Services } from '../../services.ts';
import { DeliveryView } from '../../webhooks/delivery-body.ts';
import { deliveryViewOf } from '../../webhooks/delivery-view.ts';
import { IdParams } from '../id-params.ts';

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

import type { Application, Services } from '@trifold/api-gateway/services.ts';
import { DeliveryView } from '../delivery-body.ts';
import { deliveryViewOf } from '../delivery-view.ts';
import { IdParams } from '@trifold/api-gateway/server/http/id-params.ts';

const schema = {
  operationId: 'retryDelivery',
  summary: 'Retry a failed delivery',
  description: 'The attempt is made as soon as it can be. The delivery is pending until then.',
  tags: ['Webhooks'],
  params: IdParams,
  response: { 202: DeliveryView },
  errors: ['delivery_not_found', 'not_failed', 'conflict'],
} as const;

/** POST /v1/webhooks/deliveries/:id/retry */
export function retryDelivery(app: Application, { deliveries }: Services): void {
  app.post('/v1/webhooks/deliveries/:id/retry', { schema }, async (request, reply) => {
    const delivery = await deliveries.retry(request.caller.account, request.params.id);
    return reply.code(202).send(deliveryViewOf(delivery));
  });
}

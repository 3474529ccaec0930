import { MAX_RETRIES } from '@trifold/crds/limits.ts';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { IdParams } from '../../server/http/route-schemas.ts';
import type { Deliveries } from './deliveries.ts';
import { examplePage } from '../../server/pagination/page.ts';
import {
  DeliveryPage,
  DeliveryQuery,
  DeliveryView,
  EXAMPLE_DELIVERY,
  EXAMPLE_ENTRY,
  EXAMPLE_RETRIED,
  RetriedDeliveries,
  RetryBody,
} from './delivery-body.ts';
import { deliveryViewOf } from './delivery-view.ts';

const listSchema = {
  operationId: 'listDeliveries',
  summary: 'List deliveries',
  description:
    'Newest first. Deliveries to the `webhook_url` of a document are included; their `endpoint` is null.',
  tags: ['Webhooks'],
  querystring: DeliveryQuery,
  response: { 200: DeliveryPage },
  responseExamples: { 200: examplePage(EXAMPLE_ENTRY) },
  errors: ['invalid_cursor'],
} as const;

const readSchema = {
  operationId: 'readDelivery',
  summary: 'Read a delivery with its attempts',
  tags: ['Webhooks'],
  params: IdParams,
  response: { 200: DeliveryView },
  responseExamples: { 200: EXAMPLE_DELIVERY },
  errors: ['delivery_not_found'],
} as const;

const retrySchema = {
  operationId: 'retryDelivery',
  summary: 'Retry a delivery',
  description:
    'For a failed delivery, the service makes one more attempt as soon as possible. If the delivery is waiting for its next attempt, the attempt is made immediately. The delivery is pending until then. Any other delivery, and one that failed with `endpoint_deleted` or `superseded`, cannot be retried; the response is then 409 `not_failed`.',
  tags: ['Webhooks'],
  params: IdParams,
  response: { 202: DeliveryView },
  responseExamples: { 202: { ...EXAMPLE_DELIVERY, status: 'pending', finished_at: null } },
  errors: ['delivery_not_found', 'not_failed', 'conflict'],
} as const;

const retryAllSchema = {
  operationId: 'retryDeliveries',
  summary: 'Retry failed deliveries',
  description: `Retries the failed deliveries that match, newest first, at most ${MAX_RETRIES} per request. While \`has_more\` is true, send the request again with \`next_cursor\` as \`cursor\`. Skips deliveries that cannot be retried.`,
  tags: ['Webhooks'],
  body: RetryBody,
  response: { 202: RetriedDeliveries },
  responseExamples: { 202: EXAMPLE_RETRIED },
  errors: ['invalid_cursor', 'conflict'],
} as const;

/** /v1/webhooks/deliveries */
export const deliveryRoutes: FastifyPluginAsyncTypebox<{ readonly deliveries: Deliveries }> = async (
  app,
  { deliveries },
) => {
  app.get('/v1/webhooks/deliveries', { schema: listSchema }, async (request) =>
    deliveries.list(request.caller.account, request.query),
  );

  app.get('/v1/webhooks/deliveries/:id', { schema: readSchema }, async (request) =>
    deliveryViewOf(await deliveries.get(request.caller.account, request.params.id)),
  );

  app.post('/v1/webhooks/deliveries/retry', { schema: retryAllSchema }, async (request, reply) =>
    reply.code(202).send(await deliveries.retryAll(request.caller.account, request.body)),
  );

  app.post('/v1/webhooks/deliveries/:id/retry', { schema: retrySchema }, async (request, reply) => {
    const delivery = await deliveries.retry(request.caller.account, request.params.id);
    return reply.code(202).send(deliveryViewOf(delivery));
  });
};

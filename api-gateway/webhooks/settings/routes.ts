import { SECRET_OVERLAP } from '@trifold/crds/retention.ts';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { examplePage } from '../../server/pagination/page.ts';
import { disconnection } from '../../server/http/response-end.ts';
import {
  EXAMPLE_SAVED_SETTINGS,
  EXAMPLE_SETTINGS,
  EXAMPLE_TEST_RESULT,
  SavedSettings,
  SettingsBody,
  SettingsPage,
  SettingsView,
  TestResult,
} from '../endpoint-body.ts';
import type { EndpointTests } from '../endpoint-tests.ts';
import { settingsViewOf } from '../endpoint-view.ts';
import type { AccountEndpoint } from './account-endpoint.ts';

const saveSchema = {
  operationId: 'saveWebhookSettings',
  summary: 'Set the account webhook',
  description: [
    'An account has one webhook. Sending the request again replaces `url` and `events` and keeps the secret, unless `rotate_secret` is true. The response is 201 the first time. It contains the secret only if the service generated one; you cannot choose the secret or read it later.',
    `For ${SECRET_OVERLAP} after a rotation, events are also signed with the previous secret. A second rotation within that time invalidates the oldest secret immediately.`,
    'By default, the URL must be HTTPS and point to a public address; an operator can allow others. The service resolves the host name on each attempt.',
  ].join('\n\n'),
  tags: ['Webhooks'],
  body: SettingsBody,
  response: { 200: SavedSettings, 201: SavedSettings },
  responseExamples: { 200: EXAMPLE_SETTINGS, 201: EXAMPLE_SAVED_SETTINGS },
  errors: ['conflict'],
} as const;

const readSchema = {
  operationId: 'readWebhookSettings',
  summary: 'Read the account webhook',
  description: 'The response does not contain the secret.',
  tags: ['Webhooks'],
  response: { 200: SettingsView },
  responseExamples: { 200: EXAMPLE_SETTINGS },
  errors: ['webhook_not_found'],
} as const;

const findSchema = {
  operationId: 'findWebhook',
  summary: 'Find the account webhook',
  description: 'Returns a list that contains the webhook, or an empty list if there is none.',
  tags: ['Webhooks'],
  response: { 200: SettingsPage },
  responseExamples: { 200: examplePage(EXAMPLE_SETTINGS) },
} as const;

const deleteSchema = {
  operationId: 'deleteWebhookSettings',
  summary: 'Delete the account webhook',
  description: 'Cancels pending deliveries. Succeeds even if there is no webhook.',
  tags: ['Webhooks'],
  response: { 200: Type.Object({ deleted: Type.Literal(true) }) },
  responseExamples: { 200: { deleted: true } },
} as const;

const testSchema = {
  operationId: 'testWebhookSettings',
  summary: 'Send a test event to the account webhook',
  description:
    'Sends a `webhook.test` event once, even if the webhook does not subscribe to it. Returns 200 with the result, even if the attempt fails, or 503 if there is no result within 35 s. An account can run up to three tests at a time at each gateway.',
  tags: ['Webhooks'],
  response: { 200: TestResult },
  responseExamples: { 200: EXAMPLE_TEST_RESULT },
  errors: ['webhook_not_found', 'too_many_tests'],
} as const;

/** /v1/webhooks and /v1/webhooks/settings */
export const settingsRoutes: FastifyPluginAsyncTypebox<{
  accountEndpoint: AccountEndpoint;
  endpointTests: EndpointTests;
}> = async (app, { accountEndpoint, endpointTests }) => {
  app.post('/v1/webhooks/settings', { schema: saveSchema }, async (request, reply) => {
    const { endpoint, created, secret } = await accountEndpoint.save(request.caller.account, request.body);
    return reply
      .code(created ? 201 : 200)
      .header('cache-control', 'no-store')
      .send({ ...settingsViewOf(endpoint), ...(secret !== undefined && { secret }) });
  });

  app.get('/v1/webhooks/settings', { schema: readSchema }, async (request) =>
    settingsViewOf(await accountEndpoint.get(request.caller.account)),
  );

  app.get('/v1/webhooks', { schema: findSchema }, async (request) => {
    const endpoint = await accountEndpoint.find(request.caller.account);
    const data = endpoint ? [settingsViewOf(endpoint)] : [];
    return { data, pagination: { has_more: false, next_cursor: null, total_count: data.length } };
  });

  // 200 even if there is no endpoint.
  app.delete('/v1/webhooks/settings', { schema: deleteSchema }, async (request) => {
    await accountEndpoint.delete(request.caller.account);
    return { deleted: true as const };
  });

  // 200 even if the endpoint did not accept the event.
  app.post('/v1/webhooks/settings/test', { schema: testSchema }, async (request, reply) => {
    const endpoint = await accountEndpoint.get(request.caller.account);
    return endpointTests.run(endpoint, disconnection(reply));
  });
};

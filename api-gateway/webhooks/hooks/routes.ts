import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Deleted, exampleOfDeleted, IdParams } from '../../server/http/route-schemas.ts';
import {
  examplePage,
  nameMatcher,
  nameQuery,
  pageFrom,
  pageQuery,
  searchedList,
} from '../../server/pagination/page.ts';
import {
  CreatedHook,
  EXAMPLE_CREATED_HOOK,
  EXAMPLE_HOOK,
  HookBody,
  HookPage,
  HookView,
} from '../endpoint-body.ts';
import { hookViewOf } from '../endpoint-view.ts';
import type { Hooks } from './hooks.ts';

const createSchema = {
  operationId: 'createHook',
  summary: 'Create a hook',
  description:
    'The service sends events to the hook and to the account webhook. They are described as callbacks of `saveWebhookSettings`. The secret is returned only in this response. An account can have 49 hooks, including those created with kubectl.',
  tags: ['Webhooks'],
  body: HookBody,
  response: { 201: CreatedHook },
  links: { 201: ['readHook', 'deleteHook'] },
  responseHeaders: { 201: ['Location'] },
  responseExamples: { 201: EXAMPLE_CREATED_HOOK },
  errors: ['too_many_hooks'],
} as const;

const listSchema = {
  operationId: 'listHooks',
  summary: 'List hooks',
  description: 'Newest first.',
  tags: ['Webhooks'],
  querystring: Type.Object(
    { ...pageQuery, ...nameQuery('Only entries whose URL contains this string') },
    { additionalProperties: false },
  ),
  response: { 200: HookPage },
  responseExamples: { 200: examplePage(EXAMPLE_HOOK) },
  errors: ['invalid_cursor'],
} as const;

const readSchema = {
  operationId: 'readHook',
  summary: 'Read a hook',
  description: 'The response does not contain the secret.',
  tags: ['Webhooks'],
  params: IdParams,
  response: { 200: HookView },
  responseExamples: { 200: EXAMPLE_HOOK },
  errors: ['hook_not_found'],
} as const;

const deleteSchema = {
  operationId: 'deleteHook',
  summary: 'Delete a hook',
  description: 'Cancels pending deliveries. Succeeds even if the hook does not exist.',
  tags: ['Webhooks'],
  params: IdParams,
  response: { 200: Deleted },
  responseExamples: { 200: exampleOfDeleted(EXAMPLE_HOOK) },
} as const;

/** /v1/hooks */
export const hookRoutes: FastifyPluginAsyncTypebox<{ hooks: Hooks }> = async (app, { hooks }) => {
  app.post('/v1/hooks', { schema: createSchema }, async (request, reply) => {
    const { endpoint, secret } = await hooks.create(request.caller.account, request.body);
    return reply
      .code(201)
      .header('location', `/v1/hooks/${endpoint.metadata.name}`)
      .header('cache-control', 'no-store')
      .send({ ...hookViewOf(endpoint), secret });
  });

  app.get('/v1/hooks', { schema: listSchema }, async ({ caller: { account }, query }) => {
    const { q, ...page } = query;
    const matches = nameMatcher(q);
    return pageFrom({ list: searchedList(`hooks/${account}`, q), ...page }, async () =>
      (await hooks.list(account)).filter(({ entry }) => matches(entry.url)),
    );
  });

  app.get('/v1/hooks/:id', { schema: readSchema }, async (request) =>
    hookViewOf(await hooks.get(request.caller.account, request.params.id)),
  );

  // 200 even if the hook does not exist (interface, "Hook destinations": idempotent).
  app.delete('/v1/hooks/:id', { schema: deleteSchema }, async (request) => {
    const { id } = request.params;
    await hooks.delete(request.caller.account, id);
    return { id, deleted: true as const };
  });
};

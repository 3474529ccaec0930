import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Deleted, exampleOfDeleted, IdParams } from '../server/http/route-schemas.ts';
import {
  examplePage,
  nameMatcher,
  nameQuery,
  pageFrom,
  pageQuery,
  searchedList,
} from '../server/pagination/page.ts';
import {
  CreatedKey,
  createdView,
  EXAMPLE_CREATED_KEY,
  EXAMPLE_KEY,
  KeyPage,
  KeyView,
  NewKey,
  viewOf,
} from './key-body.ts';
import type { KeyRepository } from './key-repository.ts';

const createSchema = {
  description:
    'The key is returned only in this response. A key can grant only scopes that it has; otherwise, the response is 403 `scope_not_held`. This also applies if you omit `scopes`, which requests all scopes. A test key can create only test keys.',
  tags: ['API keys'],
  body: NewKey,
  response: { 201: CreatedKey },
  responseHeaders: { 201: ['Location'] },
  responseExamples: { 201: EXAMPLE_CREATED_KEY },
  errors: ['scope_not_held', 'live_key_required', 'too_many_api_keys'],
} as const;

const listSchema = {
  description: 'Newest first.',
  tags: ['API keys'],
  querystring: Type.Object(
    { ...pageQuery, ...nameQuery('Only entries whose name contains this string') },
    { additionalProperties: false },
  ),
  response: { 200: KeyPage },
  responseExamples: { 200: examplePage(EXAMPLE_KEY) },
  errors: ['invalid_cursor'],
} as const;

const readSchema = {
  description: '`last_used_at` is written at most once a minute.',
  tags: ['API keys'],
  params: IdParams,
  response: { 200: KeyView },
  responseExamples: { 200: EXAMPLE_KEY },
  errors: ['api_key_not_found'],
} as const;

const revokeSchema = {
  description:
    'The key stops working within a second, as long as the gateways can reach the API server. A key can revoke any key in its account, including itself; a test key can revoke only test keys. Documents and templates created with the key are kept.',
  tags: ['API keys'],
  params: IdParams,
  response: { 200: Deleted },
  responseExamples: { 200: exampleOfDeleted(EXAMPLE_KEY) },
  errors: ['api_key_not_found', 'live_key_required'],
} as const;

/** Paths, with suffixes for operation IDs and summaries. The interface defines both paths as equivalent. */
const PATHS = [
  { path: '/v1/api-keys', noun: 'ApiKey', note: '' },
  { path: '/v1/keys', noun: 'Key', note: ' (alias of /v1/api-keys)' },
] as const;

/** /v1/api-keys and /v1/keys */
export const apiKeyRoutes: FastifyPluginAsyncTypebox<{ apiKeys: KeyRepository }> = async (
  app,
  { apiKeys },
) => {
  for (const { path, noun, note } of PATHS) {
    const createNames = {
      operationId: `create${noun}`,
      summary: `Create an API key${note}`,
      links: { 201: [`read${noun}`, `revoke${noun}`] },
    };
    app.post(path, { schema: { ...createSchema, ...createNames } }, async (request, reply) => {
      const { resource, key } = await apiKeys.create(request.caller, request.body);
      return reply
        .code(201)
        .header('location', `${path}/${resource.metadata.name}`)
        .header('cache-control', 'no-store')
        .send(createdView(resource, key));
    });

    const listNames = { operationId: `list${noun}s`, summary: `List API keys${note}` };
    app.get(path, { schema: { ...listSchema, ...listNames } }, async ({ caller: { account }, query }) => {
      const { q, ...page } = query;
      const matches = nameMatcher(q);
      return pageFrom({ list: searchedList(`api-keys/${account}`, q), ...page }, async () =>
        (await apiKeys.list(account)).filter(({ entry }) => matches(entry.name)),
      );
    });

    const readNames = { operationId: `read${noun}`, summary: `Read an API key${note}` };
    app.get(`${path}/:id`, { schema: { ...readSchema, ...readNames } }, async (request) =>
      viewOf(await apiKeys.get(request.caller.account, request.params.id)),
    );

    const revokeNames = { operationId: `revoke${noun}`, summary: `Revoke an API key${note}` };
    app.delete(`${path}/:id`, { schema: { ...revokeSchema, ...revokeNames } }, async (request) => {
      const { id } = request.params;
      await apiKeys.revoke(request.caller, id);
      return { id, deleted: true as const };
    });
  }
};

import { expect, it } from 'vitest';
import * as client from '../index.ts';
import { json, errorReply, scriptedServer } from '../testing/scripted-server.ts';

it.each([
  [400, 'invalid_request', client.ValidationError],
  [401, 'invalid_key', client.AuthenticationError],
  [403, 'different_key', client.ForbiddenError],
  [404, 'template_not_found', client.NotFoundError],
  [409, 'not_ready', client.ConflictError],
  [412, 'version_conflict', client.ConflictError],
  [409, 'generation_failed', client.GenerationFailedError],
  [410, 'expired', client.ExpiredError],
  [413, 'body_too_large', client.ValidationError],
  [422, 'data_invalid', client.ValidationError],
  [422, 'generation_failed', client.GenerationFailedError],
  [429, 'too_many_jobs', client.RateLimitError],
  [503, 'unavailable', client.ServiceUnavailableError],
  [504, 'unavailable', client.ServiceUnavailableError],
  [500, 'internal_error', client.TrifoldError],
  [418, 'teapot', client.TrifoldError],
])("The client's error classes match the response %i %s", async (status, code, expected) => {
  const { client: trifold } = await scriptedServer([errorReply(status, code)], { retries: 0 });
  const error: unknown = await trifold.documents.get('gen-1').catch((thrown) => thrown);
  expect((error as Error).constructor).toBe(expected);
  expect(error).toBeInstanceOf(client.TrifoldError);
  const { name } = expected;
  const message = `It is ${code}.`;
  expect(error).toMatchObject({ name, status, code, message, requestId: 'req-1', details: [] });
});

it("The client's error classes distinguish a missing scope from an invalid key", async () => {
  const { client: trifold } = await scriptedServer([
    json(
      401,
      {
        statusCode: 401,
        error: 'Unauthorized',
        message: 'This request requires the templates:write scope.',
        missingScopes: ['templates:write'],
        yourScopes: ['templates:read'],
        hint: 'Use another key.',
      },
      { 'x-request-id': 'req-7' },
    ),
  ]);
  const error: unknown = await trifold.templates.delete('tpl-1').catch((thrown) => thrown);
  expect(error).toBeInstanceOf(client.MissingScopesError);
  expect(error).not.toBeInstanceOf(client.AuthenticationError);
  expect(error).toMatchObject({
    missingScopes: ['templates:write'],
    yourScopes: ['templates:read'],
    hint: 'Use another key.',
    code: 'insufficient_scope',
    requestId: 'req-7',
  });
});

it("The client's error classes contain the failed document", async () => {
  const document = { id: 'gen-1', status: 'failed', error: { code: 'merge_failed', message: 'no' } };
  const body = { statusCode: 422, message: 'no', code: 'generation_failed', document };
  const { client: trifold } = await scriptedServer([json(422, body)]);
  const request = { template_id: 'tpl-1', data: {} };
  await expect(trifold.documents.pdf(request)).rejects.toMatchObject({ generation: document });
});

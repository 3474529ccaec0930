import { beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { clientWith, live, sibling } from './service-under-test.ts';

const ALL_SCOPES = [
  'templates:read',
  'templates:write',
  'documents:generate',
  'api-keys:read',
  'api-keys:write',
  'usage:read',
  'webhooks:read',
  'webhooks:write',
] as const;

/** Scope of each endpoint according to the interface. */
const ENDPOINTS = [
  ['GET', '/v1/templates', 'templates:read'],
  ['GET', '/v1/templates/tpl-unknown', 'templates:read'],
  ['POST', '/v1/templates', 'templates:write'],
  ['POST', '/v1/templates/preview', 'templates:write'],
  ['PATCH', '/v1/templates/tpl-unknown', 'templates:write'],
  ['DELETE', '/v1/templates/tpl-unknown', 'templates:write'],
  ['GET', '/v1/templates/tpl-unknown/versions', 'templates:read'],
  ['GET', '/v1/templates/tpl-unknown/versions/1', 'templates:read'],
  ['POST', '/v1/templates/tpl-unknown/versions/1/restore', 'templates:write'],
  ['POST', '/v1/templates/tpl-unknown/publish', 'templates:write'],
  ['POST', '/v1/generate', 'documents:generate'],
  ['GET', '/v1/generate/gen-unknown', 'documents:generate'],
  ['GET', '/v1/generate/gen-unknown/download', 'documents:generate'],
  ['POST', '/v1/emails/compile', 'documents:generate'],
  ['GET', '/v1/webhooks/settings', 'webhooks:read'],
  ['POST', '/v1/webhooks/settings', 'webhooks:write'],
  ['DELETE', '/v1/webhooks/settings', 'webhooks:write'],
  ['POST', '/v1/webhooks/settings/test', 'webhooks:write'],
  ['GET', '/v1/webhooks/deliveries', 'webhooks:read'],
  ['GET', '/v1/webhooks/deliveries/whd-unknown', 'webhooks:read'],
  ['POST', '/v1/webhooks/deliveries/whd-unknown/retry', 'webhooks:write'],
  ['POST', '/v1/webhooks/deliveries/retry', 'webhooks:write'],
  ['POST', '/v1/hooks', 'webhooks:write'],
  ['DELETE', '/v1/hooks/hook-unknown', 'webhooks:write'],
] as const;

/** For each scope: a key with all other scopes, and a key with only that one. */
const without = new Map<string, Api>();
const only = new Map<string, Api>();

beforeAll(async () => {
  await Promise.all(
    [...new Set(ENDPOINTS.map(([, , scope]) => scope))].map(async (scope) => {
      without.set(scope, await clientWith({ scopes: ALL_SCOPES.filter((other) => other !== scope) }));
      only.set(scope, await clientWith({ scopes: [scope] }));
    }),
  );
});

describe.each(ENDPOINTS)('%s %s', (method, path, scope) => {
  const body = method === 'POST' || method === 'PATCH' ? {} : undefined;

  it(`answers 401 with the missing scope when the key lacks ${scope}`, async () => {
    const answer = await without.get(scope)!.send(method, path, { body });
    expect(answer.status, answer.text).toBe(401);
    // Exactly these members (interface, "Errors" 1).
    const error = answer.json<{ yourScopes: string[] }>();
    expect(error).toEqual({
      statusCode: 401,
      error: 'Unauthorized',
      message: expect.stringContaining(scope),
      missingScopes: [scope],
      yourScopes: expect.any(Array),
      hint: expect.stringMatching(/\S.{8,}/),
    });
    const held = ALL_SCOPES.filter((other) => other !== scope);
    expect(error.yourScopes.toSorted()).toEqual(held.toSorted());
  });

  it(`accepts a key with only ${scope}`, async () => {
    const answer = await only.get(scope)!.send(method, path, { body });
    expect(answer.status, answer.text).not.toBe(401);
  });
});

describe('Scopes', () => {
  it('are all granted to a key created without scopes', async () => {
    expect((await sibling.get('/v1/templates')).status).toBe(200);
    const { id } = await sibling.createTemplate();
    await sibling.generate(id, { name: 'Ada' });
  });

  it('templates:read and documents:generate are enough for a key that only generates documents', async () => {
    const { id } = await live.createTemplate();
    const api = await clientWith({ scopes: ['templates:read', 'documents:generate'] });
    expect((await api.get(`/v1/templates/${id}`)).status).toBe(200);
    const document = await api.document(id, { name: 'Ada' });
    expect(document.subarray(0, 5).toString()).toBe('%PDF-');
    expect((await api.delete(`/v1/templates/${id}`)).status).toBe(401);
  });
});

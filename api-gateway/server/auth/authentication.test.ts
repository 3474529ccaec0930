import { describe, expect, it } from 'vitest';
import { readFile } from 'node:fs/promises';
import { ACCOUNT_LABEL, API_KEY, NAMESPACE, SCOPES, type KubernetesObject, type Scope } from '@trifold/crds';
import { generateKey, hashKey } from '@trifold/platform/records/api-keys/key-material.ts';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { cachedKey } from './key-cache.ts';
import { scopeOf } from './scopes.ts';

const DOCUMENT = JSON.parse(
  await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
) as { paths: Record<string, Record<string, { security: { apiKey?: Scope[] }[] }>> };

const gateway = await GatewayFixture.shared();

const list = async (authorization: string | undefined) =>
  gateway.call('GET', '/v1/templates', {
    key: '',
    headers: authorization === undefined ? {} : { authorization },
  });

describe('A request without a valid API key', () => {
  it('gets 401 without missingScopes, and the message names the header to send', async () => {
    const response = await list(undefined);
    expect(response.statusCode).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer realm="trifold"');
    expect(response.json()).toEqual({
      statusCode: 401,
      error: 'Unauthorized',
      message: expect.stringContaining('Authorization: Bearer tf_live_'),
      code: 'missing_key',
      request_id: response.headers['x-request-id'],
    });
  });

  it.each([
    ['an unknown key', `Bearer ${generateKey('live')}`],
    ['another scheme', 'Basic dGY6eA=='],
    ['two keys', `Bearer ${generateKey('live')} ${generateKey('live')}`],
    ['a very long header', `Bearer ${'x'.repeat(10_000)}`],
    ['a key without its last character', `Bearer ${gateway.key.slice(0, -1)}`],
    ['a live key that claims to be a test key', `Bearer ${gateway.key.replace('live', 'test')}`],
    ['a name from Object.prototype', 'Bearer __proto__'],
  ])('gets 401 invalid_key for %s', async (_what, authorization) => {
    const response = await list(authorization);
    expect(response.statusCode).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer realm="trifold", error="invalid_token"');
    expect(response.json()).toEqual({
      statusCode: 401,
      error: 'Unauthorized',
      message: expect.stringMatching(/key/),
      code: 'invalid_key',
      request_id: expect.stringMatching(/^req-/),
    });
  });

  it('gets 401 when the key is in the query', async () => {
    const response = await gateway.call('GET', `/v1/templates?api_key=${gateway.key}`, { key: '' });
    expect(response.json()).toMatchObject({ statusCode: 401, code: 'missing_key' });
  });

  it('gets a response that never repeats the key', async () => {
    const key = generateKey('live');
    expect((await list(`Bearer ${key}`)).body).not.toContain(key.slice(10));
  });
});

it('An API key that lacks the scope gets 401 with exactly the documented fields', async () => {
  const key = await gateway.mint({ scopes: ['templates:read', 'usage:read'] }, true);
  const body = { name: 'x', html: 'x' };
  const response = await gateway.call('POST', '/v1/templates', { key, body });
  expect(response.statusCode).toBe(401);
  expect(response.json()).toEqual({
    statusCode: 401,
    error: 'Unauthorized',
    message: 'This request requires the templates:write scope.',
    missingScopes: ['templates:write'],
    yourScopes: ['templates:read', 'usage:read'],
    hint: expect.stringContaining('templates:write'),
  });
  expect(response.headers['www-authenticate']).toContain(
    'error="insufficient_scope", scope="templates:write"',
  );
  expect(response.headers['x-request-id']).toMatch(/^req-/);
});

/** The operations in the committed OpenAPI document, with their documented scopes. */
const OPERATIONS = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { security }]) => {
    const [scope] = security[0]?.apiKey ?? [];
    const name = method.toUpperCase() as 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT';
    return scope === undefined ? [] : [[name, path, scope] as const];
  }),
);

it.each(OPERATIONS)('The route %s %s requires a key with the scope %s', async (method, path, scope) => {
  const url = path.replaceAll(/\{\w+\}/g, 'x');
  const key = await gateway.mint({ scopes: SCOPES.filter((other) => other !== scope) }, true);
  const response = await gateway.call(method, url, { key });
  expect([response.statusCode, response.json()]).toMatchObject([401, { missingScopes: [scope] }]);
  expect((await gateway.call(method, url, { key: '' })).json()).toMatchObject({ code: 'missing_key' });
  if (method === 'GET') expect((await gateway.call('HEAD', url, { key })).statusCode).toBe(401);
});

it('A route cannot be registered without a scope', () => {
  expect(() => scopeOf('GET', '/v1/new')).toThrow('no scope is declared for GET /v1/new');
});

describe('An API key', () => {
  it('works with any capitalization of the authentication scheme', async () => {
    expect((await list(`bearer ${gateway.key}`)).statusCode).toBe(200);
  });

  it('works only in a namespace with the account label', async () => {
    const namespaces = gateway.kubernetes.builtin<KubernetesObject>(NAMESPACE);
    await namespaces.create({ metadata: { name: 'no-account' } });
    const key = await gateway.mint({ account: 'no-account' });
    const marker = await gateway.mint({}, true);
    expect((await list(`Bearer ${marker}`)).statusCode).toBe(200);
    expect((await list(`Bearer ${key}`)).json().code).toBe('invalid_key');
    await namespaces.patch(
      { name: 'no-account' },
      { metadata: { labels: { [ACCOUNT_LABEL]: 'no-account' } } },
    );
    await eventually(async () => (await list(`Bearer ${key}`)).statusCode === 200);
  });

  it('cannot be hijacked by a copy of its hash in another account', async () => {
    const clock = new FakeClock();
    const apart = await GatewayFixture.forTest({ clock });
    const id = await apart.template();
    clock.advance(2000);
    await apart.kubernetes.resource(API_KEY).create({
      metadata: { name: 'a-copy', namespace: 'other' },
      spec: {
        name: 'copy',
        scopes: ['templates:read'],
        mode: 'live',
        sha256: hashKey(apart.key),
        lastFour: apart.key.slice(-4),
      },
    });
    await apart.mint({ account: 'other' }, true);
    expect((await apart.call('GET', `/v1/templates/${id}`)).statusCode).toBe(200);
  });

  it('is cached within its size bound', async () => {
    const body = { name: 'x'.repeat(200), description: 'x'.repeat(2000) };
    const { id } = (await gateway.call('POST', '/v1/api-keys', { body })).json<{ id: string }>();
    const key = await gateway.kubernetes.resource(API_KEY).get('acme', id);
    const annotations = { other: 'x'.repeat(100_000) };
    const cached = cachedKey({ ...key, metadata: { ...key.metadata, annotations } });
    expect(JSON.stringify(cached).length).toBeLessThanOrEqual(BOUNDS.cachedKeys.limit.value);
  });
});

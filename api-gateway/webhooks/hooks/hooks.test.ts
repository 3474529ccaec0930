import { describe, expect, it } from 'vitest';
import { MAX_ENDPOINTS, SUBSCRIBABLE_EVENTS, WEBHOOK_ENDPOINT } from '@trifold/crds';
import { ensureAccount } from '@trifold/platform/records/api-keys/account.ts';
import type { ApiRequest } from '@trifold/platform/kubernetes/client/transport.ts';
import { intercepting } from '@trifold/test-support/faults/intercepting.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';

const URL = 'https://hooks.zapier.example/1/abc';

let holdUp: (request: ApiRequest) => Promise<void> = async () => undefined;
const gateway = await GatewayFixture.shared({ intercept: intercepting((request) => holdUp(request)) });

const endpoints = () => gateway.kubernetes.resource(WEBHOOK_ENDPOINT);
const mint = async (account: string) => {
  await ensureAccount(gateway.kubernetes, account);
  return gateway.mint({ account }, true);
};
const create = async (body: object = {}, key = gateway.key) =>
  gateway.call('POST', '/v1/hooks', { body: { source: 'zapier', url: URL, ...body }, key });

describe('POST /v1/hooks', () => {
  it('creates an endpoint with a separate secret and returns the secret once', async () => {
    const response = await create({ source: 'make', events: ['document.completed'] });
    expect(response.statusCode, response.body).toBe(201);
    const { id, secret, ...rest } = response.json();
    expect(id).toMatch(/^hook-[0-9a-z]{26}$/);
    expect(secret).toMatch(/^whsec_/);
    expect(rest).toMatchObject({ source: 'make', url: URL, events: ['document.completed'] });
    expect(response.headers.location).toBe(`/v1/hooks/${id}`);
    const { sealedSecret, source } = (await endpoints().get('acme', id)).spec;
    expect(source).toBe('make');
    expect(await gateway.opened('acme', id, sealedSecret)).toBe(secret);
    expect((await gateway.call('GET', `/v1/hooks/${id}`)).json()).toEqual({ id, ...rest });
  });

  it('subscribes to all events by default and gives each hook a different secret', async () => {
    const [one, other] = [(await create()).json(), (await create()).json()];
    expect(one.events).toEqual(SUBSCRIBABLE_EVENTS);
    expect(one.secret).not.toBe(other.secret);
  });

  it.each([
    ['no source', { source: undefined }, '/source'],
    ['an unknown source', { source: 'n8n' }, '/source'],
    ['the source none', { source: 'none' }, '/source'],
    ['a private address', { url: 'https://192.168.1.1' }, '/url'],
    ['an unknown member', { name: 'x' }, '/name'],
  ])('rejects %s with 400', async (_what, body, path) => {
    const response = await create(body);
    expect(response.json()).toMatchObject({ statusCode: 400, code: 'invalid_request', details: [{ path }] });
  });

  it('returns 409 above the limit but reserves a slot for the account endpoint', async () => {
    const key = await mint('full');
    for (let count = 1; count < MAX_ENDPOINTS; count++) {
      expect((await create({}, key)).statusCode).toBe(201);
    }
    expect((await create({}, key)).json()).toMatchObject({ statusCode: 409, code: 'too_many_hooks' });
    const settings = await gateway.call('POST', '/v1/webhooks/settings', { key, body: { url: URL } });
    expect(settings.statusCode).toBe(201);
  });
});

it('POST /v1/hooks with concurrent requests creates only as many hooks as the limit allows and cleans up the others', async () => {
  const key = await mint('crowd');
  for (let count = 2; count < MAX_ENDPOINTS; count++) {
    expect((await create({}, key)).statusCode).toBe(201);
  }
  const { promise: allAreThere, resolve } = Promise.withResolvers<void>();
  let left = 6;
  holdUp = async ({ method, path }) => {
    if (method !== 'POST' || !path.endsWith('/webhookendpoints')) return;
    left -= 1;
    if (left === 0) resolve();
    await allAreThere;
  };
  const responses = await Promise.all(Array.from({ length: left }, async () => create({}, key)));
  holdUp = async () => undefined;
  expect(responses.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1);
  const rejected = responses.filter(({ statusCode }) => statusCode !== 201);
  for (const response of rejected) {
    expect(response.json()).toMatchObject({ statusCode: 409, code: 'too_many_hooks' });
  }
  const [made] = responses.filter(({ statusCode }) => statusCode === 201);
  const { items } = await endpoints().list({ namespace: 'crowd' });
  expect(items).toHaveLength(MAX_ENDPOINTS - 1);
  expect(items.map(({ metadata }) => metadata.name)).toContain(made?.json().id);
});

it("GET /v1/hooks lists only the account's hooks, newest first, without secrets", async () => {
  const key = await mint('listing');
  await gateway.call('POST', '/v1/webhooks/settings', { key, body: { url: URL } });
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) ids.unshift((await create({}, key)).json().id);
  const list = (await gateway.call('GET', '/v1/hooks', { key })).json();
  expect(list.data.map(({ id }: { id: string }) => id)).toEqual(ids);
  expect(list.pagination).toMatchObject({ has_more: false, total_count: 3 });
  const found = (text: string) => gateway.call('GET', `/v1/hooks?q=${text}`, { key });
  expect((await found('HTTPS')).json().data).toHaveLength(3);
  expect((await found('elsewhere')).json().data).toEqual([]);
  expect(JSON.stringify(list)).not.toContain('whsec_');
});

it('DELETE /v1/hooks/:id deletes neither the account endpoint nor a hook in another account', async () => {
  const { id } = (await create({}, gateway.otherKey)).json();
  await gateway.call('POST', '/v1/webhooks/settings', { body: { url: URL } });
  for (const other of ['account', id, 'Not%20a%20name']) {
    expect((await gateway.call('DELETE', `/v1/hooks/${other}`)).statusCode).toBe(200);
  }
  expect(await endpoints().find('acme', 'account')).toBeDefined();
  expect(await endpoints().find('other', id)).toBeDefined();
  for (const other of ['account', id]) {
    expect((await gateway.call('GET', `/v1/hooks/${other}`)).statusCode).toBe(404);
  }
});

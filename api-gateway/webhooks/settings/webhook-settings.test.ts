import { describe, expect, it } from 'vitest';
import { WEBHOOK_DELIVERY, WEBHOOK_ENDPOINT, type WebhookDelivery } from '@trifold/crds';
import { ensureAccount } from '@trifold/platform/records/api-keys/account.ts';
import { statusResponse } from '@trifold/platform/kubernetes/testing/model-api.ts';
import type { ApiRequest } from '@trifold/platform/kubernetes/client/transport.ts';
import { parseAddressRange } from '@trifold/platform/settings/address-range.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { intercepting } from '@trifold/test-support/faults/intercepting.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';

const URL = 'https://hooks.example.com/trifold';
const SETTINGS = '/v1/webhooks/settings';
/** Values in the settings before the first delivery. */
const UNTRIED = { status: 'pending', message: null, failing_since: null, last_delivery: null };

const requests: ApiRequest[] = [];
const lines: string[] = [];
const gateway = await GatewayFixture.shared({
  log: (line) => lines.push(line),
  config: { logRequests: true },
  intercept: intercepting((request) => void requests.push(request)),
});

const endpoints = () => gateway.kubernetes.resource(WEBHOOK_ENDPOINT);
const endpointOf = async (account: string) => endpoints().get(account, 'account');
/** Returns the account's signing secret, opened as the controller does. */
const secretOf = async (account: string) => {
  const { sealedSecret } = (await endpointOf(account)).spec;
  return gateway.opened(account, 'account', sealedSecret);
};

const newAccount = async (account: string) => {
  await ensureAccount(gateway.kubernetes, account);
  const key = await gateway.mint({ account }, true);
  const save = async (body: object) => gateway.call('POST', SETTINGS, { key, body });
  return { account, key, save };
};

describe('POST /v1/webhooks/settings', () => {
  it('creates an endpoint in one write with a secret, which it returns once and seals for the controller', async () => {
    const response = await gateway.call('POST', SETTINGS, {
      body: { url: URL, events: ['batch.completed'] },
    });
    expect(response.statusCode, response.body).toBe(201);
    expect(response.headers['cache-control']).toBe('no-store');
    const { secret, ...settings } = response.json();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
    expect(settings).toEqual({
      ...UNTRIED,
      url: URL,
      events: ['batch.completed'],
      pending: 0,
      spooled: 0,
      previous_secret_until: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await gateway.call('GET', SETTINGS)).json()).toEqual(settings);
    const endpoint = await endpointOf('acme');
    expect(endpoint.spec).toMatchObject({ url: URL, events: ['batch.completed'], source: 'none' });
    expect(await secretOf('acme')).toBe(secret);
    expect(JSON.stringify(endpoint)).not.toContain(secret);
  });

  it('creates a new secret for rotate_secret and signs with the old one for 24 hours', async () => {
    const { save, account } = await newAccount('rotation');
    const { secret: first } = (await save({ url: URL })).json();
    const start = Date.now();
    const rotated = await save({ url: URL, rotate_secret: true });
    const { secret: second, previous_secret_until: until } = rotated.json();
    expect(second).toMatch(/^whsec_/);
    expect(second).not.toBe(first);
    expect(Date.parse(until)).toBeGreaterThanOrEqual(start + 24 * 3_600_000);
    const { previousSealedSecret } = (await endpointOf(account)).spec;
    expect(await secretOf(account)).toBe(second);
    expect(await gateway.opened(account, 'account', previousSealedSecret)).toBe(first);
    expect((await save({ url: URL })).json()).toMatchObject({ previous_secret_until: until });
  });

  it('returns the secret that it stored for rotate_secret, even after a conflict', async () => {
    let conflicts = 0;
    const apart = await GatewayFixture.forTest({
      intercept: intercepting(({ method, path }) => {
        if (method !== 'PUT' || !path.includes('/webhookendpoints/') || conflicts > 0) return undefined;
        conflicts += 1;
        return statusResponse(409, 'Conflict');
      }),
    });
    const save = async (body: object) => (await apart.call('POST', SETTINGS, { body })).json();
    const first = await save({ url: URL });
    const { secret } = await save({ url: URL, rotate_secret: true });
    expect(conflicts).toBe(1);
    const { spec } = await apart.kubernetes.resource(WEBHOOK_ENDPOINT).get('acme', 'account');
    expect(await apart.opened('acme', 'account', spec.sealedSecret)).toBe(secret);
    expect(await apart.opened('acme', 'account', spec.previousSealedSecret)).toBe(first.secret);
  });

  it('creates one endpoint for concurrent requests and returns its secret to exactly one', async () => {
    const { save, account } = await newAccount('many');
    const urls = Array.from({ length: 8 }, (_, index) => `${URL}/${index}`);
    const responses = await Promise.all(urls.map((url) => save({ url })));
    const created = responses.filter(({ statusCode }) => statusCode === 201);
    expect(created).toHaveLength(1);
    expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(7);
    const told = responses.map((response) => response.json().secret).filter((secret) => secret !== undefined);
    expect(told).toHaveLength(1);
    expect(urls).toContain((await endpointOf(account)).spec.url);
    expect(await secretOf(account)).toBe(told[0]);
  });

  it('returns 503 until a controller has published its key', async () => {
    const apart = await GatewayFixture.forTest({ publishesKey: false });
    const save = async () => apart.call('POST', SETTINGS, { body: { url: URL } });
    const early = await save();
    expect(early.json()).toMatchObject({ statusCode: 503, code: 'unavailable' });
    expect(early.headers).toHaveProperty('retry-after');
    await apart.publishKey();
    expect((await save()).statusCode).toBe(201);
  });

  it.each([
    ['no url', {}, '/url'],
    ['plain HTTP', { url: 'http://hooks.example.com/' }, '/url'],
    ['a private address', { url: 'https://10.0.0.7/' }, '/url'],
    ['an unknown event', { url: URL, events: ['document.created'] }, '/events/0'],
    ['an event of callbacks', { url: URL, events: ['generation.failed'] }, '/events/0'],
    ['a duplicate event', { url: URL, events: ['batch.failed', 'batch.failed'] }, '/events'],
    ['an empty list of events', { url: URL, events: [] }, '/events'],
    ['events that are not a list', { url: URL, events: 'batch.failed' }, '/events'],
    ['a secret chosen by the caller', { url: URL, secret: 'x' }, '/secret'],
    ['a rotate_secret that is a string', { url: URL, rotate_secret: 'yes' }, '/rotate_secret'],
  ])('rejects %s with 400', async (_what, body, path) => {
    const { length } = requests;
    const response = await gateway.call('POST', SETTINGS, { body });
    expect(response.json()).toMatchObject({ statusCode: 400, code: 'invalid_request', details: [{ path }] });
    // A key's last use may be written at any time.
    const written = requests.slice(length).filter(({ method }) => method !== 'GET');
    expect(written.filter(({ path }) => path.includes('webhook'))).toEqual([]);
  });

  it('accepts addresses and plain HTTP if the deployment allows them', async () => {
    const allowAddresses = [parseAddressRange('127.0.0.0/8')];
    const outbound = { allowAddresses, denyAddresses: [], allowHttp: true };
    const apart = await GatewayFixture.forTest({ config: { outbound } });
    for (const url of ['http://127.0.0.1:8080/x', 'http://localhost:8080/', 'HTTPS://hooks.example.com/']) {
      expect((await apart.call('POST', SETTINGS, { body: { url } })).json().url).toBe(
        url.replace('HTTPS', 'https'),
      );
    }
    expect((await apart.call('POST', SETTINGS, { body: { url: 'http://10.0.0.1/' } })).statusCode).toBe(400);
  });
});

describe('GET and DELETE /v1/webhooks/settings', () => {
  it('return 404 and 200 if there is no endpoint; GET /v1/webhooks returns an empty list', async () => {
    const { key } = await newAccount('nothing');
    const missing = { statusCode: 404, code: 'webhook_not_found' };
    expect((await gateway.call('GET', SETTINGS, { key })).json()).toMatchObject(missing);
    expect((await gateway.call('GET', '/v1/webhooks', { key })).json()).toMatchObject({ data: [] });
    const deleted = await gateway.call('DELETE', SETTINGS, { key });
    expect([deleted.statusCode, deleted.json()]).toEqual([200, { deleted: true }]);
    expect((await gateway.call('POST', `${SETTINGS}/test`, { key })).statusCode).toBe(404);
  });

  it('delete the endpoint; a new endpoint gets a new secret, which is not in the log or in a Secret', async () => {
    const { key, save } = await newAccount('deleting');
    const { secret } = (await save({ url: URL })).json();
    await save({ url: URL, rotate_secret: true });
    expect((await gateway.call('DELETE', SETTINGS, { key })).json()).toEqual({ deleted: true });
    expect((await gateway.call('GET', SETTINGS, { key })).statusCode).toBe(404);
    const again = await save({ url: URL });
    expect(again.statusCode).toBe(201);
    expect(again.json().secret).not.toBe(secret);
    expect(lines.join('')).toContain(SETTINGS);
    expect(lines.join('')).not.toMatch(/whsec_/);
    expect(requests.filter(({ path }) => path.includes('/secrets'))).toEqual([]);
  });

  it("report the endpoint's status", async () => {
    const { key, save, account } = await newAccount('health');
    await save({ url: URL });
    const read = async () => (await gateway.call('GET', '/v1/webhooks', { key })).json().data[0];
    const lastTransitionTime = new Date().toISOString();
    const tell = async (status: 'True' | 'False', reason: string, more = {}) => {
      const ready = { type: 'Ready', status, reason, message: `it is ${reason}`, lastTransitionTime };
      const { generation } = (await endpointOf(account)).metadata;
      const patch = { status: { observedGeneration: generation, conditions: [ready], ...more } };
      await endpoints().patchStatus({ namespace: account, name: 'account' }, patch);
    };
    await tell('True', 'Delivering');
    expect(await read()).toMatchObject({ status: 'active', message: 'it is Delivering' });
    const since = '2026-11-20T10:00:00.000Z';
    await tell('False', 'Failing', {
      failingSince: since,
      pending: 12,
      spooled: 3,
      lastDelivery: { at: since, delivered: false, code: 'timeout', durationMs: 30_000 },
    });
    expect(await read()).toMatchObject({
      status: 'failing',
      failing_since: since,
      pending: 12,
      spooled: 3,
      last_delivery: { at: since, delivered: false, status: null, duration_ms: 30_000 },
    });
    await tell('False', 'SecretNotReadable');
    expect(await read()).toMatchObject({ status: 'unusable' });
    await save({ url: `${URL}/new` });
    expect(await read()).toMatchObject(UNTRIED);
  });
});

describe('POST /v1/webhooks/settings/test', () => {
  const deliveries = () => gateway.kubernetes.resource(WEBHOOK_DELIVERY);
  const sent = async (account: string) =>
    eventually(async () => (await deliveries().list({ namespace: account })).items[0] ?? false);
  const end = async ({ metadata }: WebhookDelivery, status: object) =>
    deliveries().patchStatus({ namespace: metadata.namespace ?? '', name: metadata.name }, { status });
  const attempt = { deliveryId: 'dlv-1', at: '2026-11-20T10:00:00.000Z', durationMs: 42 };

  const error = { code: 'http_error', message: 'the endpoint returned 500' };

  it.each([
    [
      'the endpoint accepted',
      { phase: 'Delivered', attempts: [{ ...attempt, status: 204 }] },
      { delivered: true, status: 204, duration_ms: 42, error: null },
    ],
    [
      'the endpoint rejected',
      { phase: 'Failed', lastError: error, attempts: [{ ...attempt, status: 500, error }] },
      { delivered: false, status: 500, duration_ms: 42, error },
    ],
  ])('returns the result of an event that %s', async (what, status, expected) => {
    const { key, save, account } = await newAccount(`test-${what.replaceAll(' ', '-')}`);
    await save({ url: URL, events: ['batch.failed'] });
    const asking = gateway.call('POST', `${SETTINGS}/test`, { key });
    const delivery = await sent(account);
    const { event, endpointRef, once } = delivery.spec;
    const { uid } = (await endpointOf(account)).metadata;
    expect([event.type, once, endpointRef?.uid]).toEqual(['webhook.test', true, uid]);
    expect(JSON.parse(event.payload)).toMatchObject({ type: 'webhook.test', data: { endpoint: 'account' } });
    await end(delivery, status);
    const response = await asking;
    expect([response.statusCode, response.json()]).toEqual([200, expected]);
  });

  it('returns 429 above the limit of concurrent tests, including tests whose caller has left', async () => {
    const { key, save, account } = await newAccount('test-many');
    await save({ url: URL });
    const all = async () => (await deliveries().list({ namespace: account })).items;
    const test = async () => gateway.call('POST', `${SETTINGS}/test`, { key });
    const [one, other] = [test(), test()];
    const url = await gateway.gateway.app.listen({ port: 0, host: '127.0.0.1' });
    const leaving = new AbortController();
    const left = fetch(`${url}${SETTINGS}/test`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      signal: leaving.signal,
    }).catch((error: Error) => error.name);
    await eventually(async () => (await all()).length === 3);
    leaving.abort();
    expect(await left).toBe('AbortError');
    const rejected = await test();
    expect(rejected.json()).toMatchObject({ statusCode: 429, code: 'too_many_tests' });
    expect(rejected.headers['retry-after']).toBe('5');
    expect(await all()).toHaveLength(3);
    for (const delivery of await all()) {
      await end(delivery, { phase: 'Delivered', attempts: [{ ...attempt, status: 204 }] });
    }
    expect([(await one).statusCode, (await other).statusCode]).toEqual([200, 200]);
    const again = eventually(async () => {
      const response = await test();
      return response.statusCode === 429 ? false : response;
    });
    const fourth = await eventually(async () => (await all())[3] ?? false);
    await end(fourth, { phase: 'Delivered', attempts: [{ ...attempt, status: 204 }] });
    expect((await again).statusCode).toBe(200);
  });

  it('returns 503 to waiting callers when the gateway stops', async () => {
    const apart = await GatewayFixture.start({ config: { closeWaitMs: 0 } });
    await apart.call('POST', SETTINGS, { body: { url: URL } });
    const asking = apart.call('POST', `${SETTINGS}/test`);
    const deliveries = apart.kubernetes.resource(WEBHOOK_DELIVERY);
    await eventually(async () => (await deliveries.list({ namespace: 'acme' })).items.length === 1);
    const stopping = apart.stop();
    expect((await asking).json()).toMatchObject({ statusCode: 503, code: 'unavailable' });
    await stopping;
  });
});

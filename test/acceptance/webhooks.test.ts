import { verifyWebhook } from '@trifold/client';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectError, type Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { WebhookReceiver, type Received } from '../support/http/webhook-receiver.ts';
import { silentPort } from '../webhooks/silent-port.ts';
import { clientWith, newAccount, receivers } from './service-under-test.ts';

interface DeliveryAnswer {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly endpoint: string | null;
  readonly status: string;
  readonly created_at: string;
  readonly attempts: number | { id: string; status: number | null; answer: string | null; error: unknown }[];
  readonly error?: { code: string } | null;
}
interface DeliveryPage {
  readonly data: DeliveryAnswer[];
  readonly pagination: { readonly total_count: number };
}

const SETTINGS = '/v1/webhooks/settings';
/** Loops forever if the data requests it, until its renderer stops it. */
const MAY_FAIL = '{{#if bad}}{{#*inline "a"}}{{> a}}{{/inline}}{{> a}}{{else}}Hello {{name}}{{/if}}';

let api: Api;
let receiver: WebhookReceiver;
let template_id: string;
beforeEach(async () => {
  if (!receivers) return;
  api = await clientWith({ account: newAccount() });
  receiver = await WebhookReceiver.start({ authority: receivers });
  template_id = (await api.createTemplate({ html: MAY_FAIL })).id;
});
afterEach(async () => receiver?.stop());

const urlOf = (path: string) => receiver.url(path, 'localhost');

async function subscribe(more: object = {}): Promise<string> {
  const answer = await api.post(SETTINGS, { url: urlOf('/account'), ...more });
  expect(answer.status, answer.text).toBe(201);
  return answer.json<{ secret: string }>().secret;
}

async function hook(path: string, more: object = {}): Promise<{ id: string; secret: string }> {
  const answer = await api.post('/v1/hooks', { source: 'zapier', url: urlOf(path), ...more });
  expect(answer.status, answer.text).toBe(201);
  return answer.json();
}

/** Waits for a number of requests to the path. */
const arrived = async (path: string, count = 1): Promise<Received[]> =>
  eventually(() => {
    const found = receiver.at(path);
    return found.length >= count && found;
  });

/** Returns the events received at the path; each delivery must be authentic. */
const eventsIn = (received: readonly Received[], secret: string) =>
  received.map(({ body, headers }) => {
    const event = verifyWebhook({ payload: body, headers, secret });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-trifold-event': event.type,
      'x-trifold-delivery-id': expect.stringMatching(/^dlv-/),
    });
    return event;
  });

const deliveries = async (query = ''): Promise<DeliveryPage> => {
  const answer = await api.get(`/v1/webhooks/deliveries${query}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json<DeliveryPage>();
};

const deliveryWith = async (status: string): Promise<DeliveryAnswer> =>
  eventually(async () => (await deliveries(`?status=${status}`)).data[0] ?? false);

const answerWith = (status: number, body = '') => {
  receiver.answer = (_request: Received, response: ServerResponse) => {
    response.statusCode = status;
    response.end(body);
  };
};

describe.skipIf(!receivers)('Webhook events', () => {
  it('report a completed document, with a signature and an id that repetitions keep', async () => {
    const secret = await subscribe();
    const document = await api.generate(template_id, { name: 'Ada' });
    const [event] = eventsIn(await arrived('/account'), secret);
    expect(event).toEqual({
      id: expect.stringMatching(/^evt-/),
      type: 'document.completed',
      created_at: expect.any(String),
      api_version: '2026-11-01',
      data: {
        id: document.id,
        status: 'completed',
        template_id,
        file_url: document.file_url,
        status_url: document.status_url,
        file_size: document.file_size,
        render_time_ms: document.render_time_ms,
        expires_at: document.expires_at,
      },
    });
    const logged = await deliveryWith('delivered');
    expect(logged).toMatchObject({
      event_id: event?.id,
      event_type: 'document.completed',
      endpoint: 'account',
      attempts: 1,
    });
  });

  it('report a failed document', async () => {
    const secret = await subscribe({ events: ['document.failed'] });
    await api.generate(template_id, { name: 'Ada' });
    const answer = await api.post('/v1/generate', { template_id, data: { bad: true } });
    const { id, error } = answer.json<{ id: string; error: object }>();
    const [event] = eventsIn(await arrived('/account'), secret);
    expect(event).toMatchObject({ type: 'document.failed', data: { id, status: 'failed', error } });
    expect((await deliveries()).pagination.total_count).toBe(1);
  });

  it('report the end of a batch and not of its items', async () => {
    const secret = await subscribe();
    const items = ['Ada', 'Grace', 'Edsger'].map((name) => ({ data: { name } }));
    const batch = await api.post('/v1/generate/batch', { template_id, format: 'pdf', items });
    const { id } = batch.json<{ id: string }>();
    const events = await eventually(() => {
      const found = eventsIn(receiver.at('/account'), secret);
      return found.some(({ type }) => type === 'batch.completed') && found;
    });
    expect(events.map(({ type }) => type).filter((type) => type.startsWith('document.'))).toEqual([]);
    expect(events.find(({ type }) => type === 'batch.completed')?.data).toMatchObject({
      id,
      status: 'completed',
      total: 3,
      completed: 3,
      failed: 0,
    });
  });

  it('go to the account webhook and to every hook, each signed with its own secret', async () => {
    const secret = await subscribe();
    const [one, two] = [await hook('/one'), await hook('/two', { source: 'make' })];
    await hook('/batches', { events: ['batch.completed'] });
    await api.generate(template_id, { name: 'Ada' });
    const events = [
      eventsIn(await arrived('/account'), secret),
      eventsIn(await arrived('/one'), one.secret),
      eventsIn(await arrived('/two'), two.secret),
    ].flat();
    expect(new Set(events.map(({ id }) => id)).size).toBe(1);
    expect(receiver.at('/batches')).toEqual([]);
    expect((await api.delete(`/v1/hooks/${one.id}`)).status).toBe(200);
    await api.generate(template_id, { name: 'Grace' });
    await arrived('/two', 2);
    await arrived('/account', 2);
    expect(receiver.at('/one')).toHaveLength(1);
  });

  it('also carry a signature with the previous secret after a rotation', async () => {
    const before = await subscribe();
    const answer = await api.post(SETTINGS, { url: urlOf('/account'), rotate_secret: true });
    const { secret: after } = answer.json<{ secret: string }>();
    await api.generate(template_id, { name: 'Ada' });
    const received = await arrived('/account');
    expect(eventsIn(received, after)).toEqual(eventsIn(received, before));
    expect(received[0]?.headers['x-trifold-signature-previous']).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe.skipIf(!receivers)('webhook_url', () => {
  it('receives only its own document, unsigned, in addition to the account webhook', async () => {
    const secret = await subscribe();
    const body = { template_id, data: { name: 'Ada' }, webhook_url: urlOf('/callback') };
    const answer = await api.post('/v1/generate', body, { accept: 'application/pdf' });
    expect(answer.headers.get('content-type')).toContain('application/json');
    await api.generate(template_id, { name: 'Grace' });
    const [callback] = await arrived('/callback');
    expect(JSON.parse(callback?.body ?? '')).toMatchObject({
      id: expect.stringMatching(/^evt-/),
      type: 'generation.completed',
      api_version: '2026-11-01',
      data: { id: answer.json()['id'], status: 'completed', file_url: answer.json()['file_url'] },
    });
    expect(callback?.headers).toMatchObject({ 'x-trifold-event': 'generation.completed' });
    expect(callback?.headers).not.toHaveProperty('x-trifold-signature');
    expect(eventsIn(await arrived('/account', 2), secret)).toHaveLength(2);
    expect(receiver.at('/callback')).toHaveLength(1);
    const [logged] = (await deliveries('?event=generation.completed')).data;
    expect(logged).toMatchObject({ endpoint: null });
  });

  it('receives a failure, also for an asynchronous request', async () => {
    const body = { template_id, data: { bad: true }, async: true, webhook_url: urlOf('/callback') };
    const { id } = (await api.post('/v1/generate', body)).json();
    const [callback] = await arrived('/callback');
    expect(JSON.parse(callback?.body ?? '')).toMatchObject({
      type: 'generation.failed',
      data: { id, status: 'failed', error: { code: expect.any(String) } },
    });
  });
});

describe.skipIf(!receivers)('Test event', () => {
  it('is sent at once whatever the subscription, and returns the response of the endpoint', async () => {
    const secret = await subscribe({ events: ['batch.failed'] });
    answerWith(204);
    expect((await api.post(`${SETTINGS}/test`, {})).json()).toEqual({
      delivered: true,
      status: 204,
      duration_ms: expect.any(Number),
      error: null,
    });
    const [event] = eventsIn(receiver.at('/account'), secret);
    expect(event).toMatchObject({ type: 'webhook.test', data: { endpoint: 'account' } });
  });

  it('reports an error status of the endpoint and does not repeat the event', async () => {
    await subscribe();
    answerWith(503, 'busy');
    expect((await api.post(`${SETTINGS}/test`, {})).json()).toMatchObject({
      delivered: false,
      status: 503,
      error: { code: 'http_error', message: expect.stringContaining('503') },
    });
    const { id } = (await deliveries()).data[0] ?? { id: '' };
    const logged = (await api.get(`/v1/webhooks/deliveries/${id}`)).json<DeliveryAnswer>();
    expect(logged).toMatchObject({ status: 'failed', attempts: [{ status: 503, answer: 'busy' }] });
  });

  it('does not wait for events that hang', async () => {
    await subscribe();
    receiver.answer = ({ headers }, response) => {
      if (headers['x-trifold-event'] === 'webhook.test') response.end();
    };
    // More than the connections that an endpoint gets before its first response.
    const generated = Array.from({ length: 3 }, () =>
      api.post('/v1/generate', { template_id, data: { name: 'Ada' }, async: true }),
    );
    await Promise.all(generated);
    await arrived('/account', 2);
    expect((await api.post(`${SETTINGS}/test`, {})).json()).toMatchObject({ delivered: true, status: 200 });
    // Neither request has finished, so the third waited until the test event proved that the endpoint works.
    const types = receiver.received.map(({ headers }) => headers['x-trifold-event']);
    expect(types.indexOf('webhook.test')).toBe(2);
  });

  it('reports why the connection failed', async () => {
    const silent = await silentPort(receiver.port);
    await subscribe({ url: `https://localhost:${silent.port}/` });
    const answer = (await api.post(`${SETTINGS}/test`, {})).json();
    await silent.stop();
    expect(answer).toMatchObject({ delivered: false, status: null, error: { code: 'connection_refused' } });
  });
});

describe.skipIf(!receivers)('Failed delivery', () => {
  it('is retried on schedule, marked failed, listed with its attempts and repeated on request', async () => {
    const secret = await subscribe();
    answerWith(500, 'out of order');
    await api.generate(template_id, { name: 'Ada' });
    const failed = await deliveryWith('failed');
    expect(failed).toMatchObject({ attempts: 3, next_attempt_at: null });
    const path = `/v1/webhooks/deliveries/${failed.id}`;
    const attempt = { status: 500, answer: 'out of order', error: { code: 'http_error' } };
    expect((await api.get(path)).json()).toMatchObject({
      status: 'failed',
      attempts: [attempt, attempt, attempt],
      error: { code: 'http_error' },
    });
    answerWith(200);
    expect((await api.post(`${path}/retry`, {})).status).toBe(202);
    await deliveryWith('delivered');
    const received = await arrived('/account', 4);
    expect(new Set(eventsIn(received, secret).map(({ id }) => id)).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers['x-trifold-delivery-id'])).size).toBe(4);
    expectError(await api.post(`${path}/retry`, {}), 409, 'not_failed');
  });

  it('is cancelled when its endpoint is deleted', async () => {
    await subscribe();
    // Its attempts do not finish before the endpoint is deleted.
    const gone = Promise.withResolvers<void>();
    receiver.answer = (_request, response) => {
      response.statusCode = 500;
      void gone.promise.then(() => response.end());
    };
    await api.generate(template_id, { name: 'Ada' });
    await arrived('/account');
    expect((await api.delete(SETTINGS)).status).toBe(200);
    gone.resolve();
    const failed = await deliveryWith('failed');
    const path = `/v1/webhooks/deliveries/${failed.id}`;
    expect((await api.get(path)).json()).toMatchObject({ error: { code: 'endpoint_deleted' } });
    expectError(await api.post(`${path}/retry`, {}), 409, 'not_failed');
  });
});

describe.skipIf(!receivers)('Failed deliveries', () => {
  const RETRY = '/v1/webhooks/deliveries/retry';
  const retry = async (body?: object, as = api) => {
    const answer = await as.send('POST', RETRY, { body });
    expect(answer.status, answer.text).toBe(202);
    expect(answer.json()).toMatchObject({ has_more: false, next_cursor: null });
    return answer.json<{ retried: number }>().retried;
  };
  const count = async (query: string) => (await deliveries(query)).pagination.total_count;

  it('are retried together, and deliveries that succeeded or belong to others are not', async () => {
    const account = newAccount();
    api = await clientWith({ account });
    template_id = (await api.createTemplate({ html: MAY_FAIL })).id;
    const secret = await subscribe();
    const { id: endpoint, secret: hookSecret } = await hook('/hook');
    await api.generate(template_id, { name: 'delivered' });
    await eventually(async () => (await count('?status=delivered')) === 2);

    const other = await clientWith({ account: newAccount() });
    expect((await other.post(SETTINGS, { url: urlOf('/other') })).status).toBe(201);
    answerWith(500, 'out of order');
    await other.post(`${SETTINGS}/test`, {});
    await Promise.all(['one', 'two'].map((name) => api.generate(template_id, { name })));
    await eventually(async () => (await count('?status=failed')) === 4);
    const { data: failed } = await deliveries('?status=failed');
    const [since] = failed.map(({ created_at }) => created_at).sort();
    const attempts = 3;
    expect(receiver.at('/account')).toHaveLength(1 + 2 * attempts);

    answerWith(200);
    expect(await retry({ endpoint, event: 'document.failed' })).toBe(0);
    expect(await retry({ since: '2099-01-01T00:00:00Z' })).toBe(0);
    expect(await retry({ endpoint, event: 'document.completed', since })).toBe(2);
    await eventually(() => receiver.at('/hook').length === 1 + 2 * attempts + 2);
    expect(receiver.at('/account')).toHaveLength(1 + 2 * attempts);
    // Simultaneous requests retry each delivery once, also those of a test key.
    const testKey = await clientWith({ account, type: 'test' });
    const simultaneous = await Promise.all([retry(), retry({}), retry({}, testKey)]);
    expect(simultaneous.reduce((sum, retried) => sum + retried)).toBe(2);
    await eventually(async () => (await count('?status=delivered')) === 6);
    expect(await retry()).toBe(0);

    for (const [path, key] of [
      ['/account', secret],
      ['/hook', hookSecret],
    ] as const) {
      const ids = eventsIn(receiver.at(path), key).map(({ id }) => id);
      const times = [...new Set(ids)].map((id) => ids.filter((each) => each === id).length);
      expect(times, path).toEqual([1, attempts + 1, attempts + 1]);
    }
    expect(receiver.at('/other')).toHaveLength(1);
    expect((await other.get('/v1/webhooks/deliveries?status=failed')).json()).toMatchObject({
      pagination: { total_count: 1 },
    });
  });
});

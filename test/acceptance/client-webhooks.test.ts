import { ConflictError, NotFoundError, TrifoldClient, ValidationError, verifyWebhook } from '@trifold/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { WebhookReceiver } from '../support/http/webhook-receiver.ts';
import { clientWith, newAccount, receivers, url } from './service-under-test.ts';

let client: TrifoldClient;
beforeEach(async () => {
  const { key } = await clientWith({ account: newAccount() });
  client = new TrifoldClient({ baseUrl: url, apiKey: String(key) });
});

describe('Webhooks through the client', () => {
  const address = 'https://hooks.example.com/trifold';

  it('can be set, read and deleted', async () => {
    const { settings } = client.webhooks;
    await expect(settings.get()).rejects.toBeInstanceOf(NotFoundError);
    await expect(settings.set({ url: 'ftp://x.example' })).rejects.toBeInstanceOf(ValidationError);
    const { secret, ...made } = await settings.set({ url: address, events: ['batch.failed'] });
    expect(secret).toMatch(/\S{24,}/);
    expect(await settings.get()).toMatchObject({ url: made.url, events: made.events });
    expect(await settings.set({ url: address })).not.toHaveProperty('secret');
    expect((await settings.set({ url: address, rotate_secret: true })).secret).not.toBe(secret);
    expect(await settings.delete()).toEqual({ deleted: true });
  });

  it('can have additional hooks', async () => {
    const { hooks } = client.webhooks;
    const made = [];
    for (const source of ['zapier', 'make', 'make'] as const) {
      made.unshift(await hooks.create({ source, url: address }));
    }
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(3);
    const listed = [];
    for await (const hook of hooks.list({ limit: 2 })) listed.push(hook.id);
    expect(listed).toEqual(made.map(({ id }) => id));
    const [{ id }] = made as [(typeof made)[0]];
    expect(await hooks.get(id)).toMatchObject({ id, source: 'make' });
    expect(await hooks.delete(id)).toEqual({ id, deleted: true });
    await expect(hooks.get(id)).rejects.toBeInstanceOf(NotFoundError);
  });
});

describe.skipIf(!receivers)('Webhook deliveries through the client', () => {
  let receiver: WebhookReceiver;
  beforeEach(async () => {
    if (receivers) receiver = await WebhookReceiver.start({ authority: receivers });
  });
  afterEach(async () => receiver.stop());

  it('can be created, listed, read and retried', async () => {
    const { settings, deliveries } = client.webhooks;
    const { secret = '' } = await settings.set({ url: receiver.url('/', 'localhost') });
    expect(await settings.test()).toMatchObject({ delivered: true, status: 200, error: null });
    const [{ body: payload, headers }] = receiver.received as [WebhookReceiver['received'][0]];
    const event = verifyWebhook({ payload, headers, secret });
    const { data } = await deliveries.page({ event: 'webhook.test', status: 'delivered', limit: 1 });
    expect(data).toMatchObject([{ event_id: event.id, endpoint: 'account', attempts: 1 }]);

    receiver.answer = (_request, response) => response.writeHead(500).end('no');
    expect(await settings.test()).toMatchObject({ delivered: false, status: 500 });
    const failed = [];
    for await (const delivery of deliveries.list({ status: 'failed' })) failed.push(delivery.id);
    expect(failed).toHaveLength(1);
    const [id = ''] = failed;
    expect(await deliveries.get(id)).toMatchObject({ attempts: [{ status: 500, answer: 'no' }] });
    receiver.answer = (_request, response) => void response.end();
    expect(await deliveries.retry(id)).toMatchObject({ id, status: 'pending' });
    await eventually(async () => (await deliveries.get(id)).status === 'delivered');
    await expect(deliveries.retry(id)).rejects.toBeInstanceOf(ConflictError);

    receiver.answer = (_request, response) => response.writeHead(500).end('no');
    for (let tests = 0; tests < 2; tests += 1) await settings.test();
    receiver.answer = (_request, response) => void response.end();
    expect(await deliveries.retryAll({ event: 'document.completed' })).toBe(0);
    expect(await deliveries.retryAll({ endpoint: 'account', since: '2020-01-01T00:00:00Z' })).toBe(2);
    expect(await deliveries.retryPage()).toEqual({ retried: 0, has_more: false, next_cursor: null });
    await expect(deliveries.retryAll({ since: 'today' })).rejects.toBeInstanceOf(ValidationError);
  });
});

import {
  ConflictError,
  NotFoundError,
  ValidationError,
  verifyWebhook,
  type TrifoldClient,
} from '@trifold/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { WebhookReceiver, type Received } from '../support/http/webhook-receiver.ts';
import {
  clientWith,
  MAY_FAIL,
  newAccount,
  otherAccount,
  receivers,
  typescriptClient,
} from './service-under-test.ts';

let api: Api;
let client: TrifoldClient;
beforeEach(async () => {
  api = await clientWith({ account: newAccount() });
  client = typescriptClient(api);
});

it('webhooks are set, read, rotated, listed and deleted, and belong to one account', async () => {
  const address = 'https://hooks.example.com/trifold';
  const { settings, hooks } = client.webhooks;
  expect(await settings.find()).toBeNull();
  await expect(settings.get()).rejects.toBeInstanceOf(NotFoundError);
  await expect(settings.set({ url: 'ftp://x.example' })).rejects.toBeInstanceOf(ValidationError);
  const { secret, ...made } = await settings.set({ url: address, events: ['batch.failed'] });
  expect(secret).toMatch(/\S{24,}/);
  const shown = await settings.get();
  expect(shown).toMatchObject({ url: made.url, events: made.events });
  expect(JSON.stringify(shown)).not.toContain(secret);
  expect(await settings.set({ url: address })).not.toHaveProperty('secret');
  expect((await settings.set({ url: address, rotate_secret: true })).secret).not.toBe(secret);

  const ids: string[] = [];
  for (const source of ['zapier', 'make', 'make'] as const) {
    ids.unshift((await hooks.create({ source, url: address })).id);
  }
  const listed: string[] = [];
  for await (const hook of hooks.list({ limit: 2 })) listed.push(hook.id);
  expect(listed).toEqual(ids);
  const [id = ''] = ids;
  expect((await otherAccount.get(`/v1/hooks/${id}`)).status).toBe(404);
  await otherAccount.delete(`/v1/hooks/${id}`);
  await otherAccount.delete('/v1/webhooks/settings');
  expect(await hooks.get(id)).toMatchObject({ id, source: 'make' });
  expect(await hooks.delete(id)).toEqual({ id, deleted: true });
  await expect(hooks.get(id)).rejects.toBeInstanceOf(NotFoundError);
  expect(await settings.delete()).toEqual({ deleted: true });
});

describe.skipIf(!receivers)('Webhook deliveries', () => {
  let receiver: WebhookReceiver;
  let template_id: string;
  beforeEach(async () => {
    if (receivers) receiver = await WebhookReceiver.start({ authority: receivers });
    template_id = (await client.templates.create({ name: 'Events', html: MAY_FAIL })).id;
  });
  afterEach(async () => receiver.stop());

  const urlOf = (path: string) => receiver.url(path, 'localhost');
  /** Waits for a number of requests to the path. */
  const arrived = async (path: string, count = 1): Promise<Received[]> =>
    eventually(() => {
      const found = receiver.at(path);
      return found.length >= count && found;
    });
  const answerWith = (status: number, body = '') => {
    receiver.answer = (_request, response) => response.writeHead(status).end(body);
  };

  it('reach the account webhook, a hook and a callback, with metadata and separate signatures', async () => {
    const { secret = '' } = await client.webhooks.settings.set({ url: urlOf('/account') });
    const { hooks } = client.webhooks;
    const hook = await hooks.create({ source: 'zapier', url: urlOf('/hook'), events: ['document.failed'] });
    const metadata = { order: 'A-17' };
    const request = { template_id, data: { name: 'Ada' }, metadata, webhook_url: urlOf('/callback') };
    const document = await client.documents.generate(request);
    const failed = await client.documents.generate({ template_id, data: { bad: true } });
    const items = [{ data: { name: 'Ada' } }, { data: { name: 'Grace' } }];
    const { id } = await client.batches.create({ template_id, format: 'pdf', items, metadata });

    const types = () => receiver.at('/account').map(({ headers }) => headers['x-trifold-event']);
    await eventually(() => expect(types()).toContain('batch.completed'));
    const events = receiver
      .at('/account')
      .map(({ body: payload, headers }) => verifyWebhook({ payload, headers, secret }));
    const eventOf = (type: string) => events.find((event) => event.type === type);
    const completed = { id: document.id, status: 'completed', metadata };
    expect(eventOf('document.completed')?.data).toMatchObject(completed);
    expect(eventOf('document.failed')?.data).toMatchObject({ id: failed.id, status: 'failed' });
    const counts = { total: 2, completed: 2, failed: 0 };
    expect(eventOf('batch.completed')?.data).toMatchObject({ id, ...counts, metadata });
    // Items have no separate events.
    expect(types().filter((type) => String(type).startsWith('document.'))).toHaveLength(2);

    const [ofHook] = await arrived('/hook');
    const { body: payload, headers } = ofHook as Received;
    expect(verifyWebhook({ payload, headers, secret: hook.secret })).toEqual(eventOf('document.failed'));
    const [callback] = await arrived('/callback');
    expect(JSON.parse(callback?.body ?? '')).toMatchObject({
      type: 'generation.completed',
      data: { id: document.id, metadata },
    });
    expect(callback?.headers).not.toHaveProperty('x-trifold-signature');
    expect([receiver.at('/hook').length, receiver.at('/callback').length]).toEqual([1, 1]);
  });

  it('are tested, retried on schedule, listed with their attempts and retried on request', async () => {
    const { settings, deliveries } = client.webhooks;
    const { secret = '' } = await settings.set({ url: urlOf('/account') });
    expect(await settings.test()).toMatchObject({ delivered: true, status: 200, error: null });

    answerWith(500, 'out of order');
    expect(await settings.test()).toMatchObject({ delivered: false, status: 500 });
    await client.documents.generate({ template_id, data: { name: 'Ada' } });
    const query = { event: 'document.completed', status: 'failed' } as const;
    const failed = await eventually(async () => (await deliveries.page(query)).data[0] ?? false);
    expect(failed).toMatchObject({ endpoint: 'account', attempts: 3, next_attempt_at: null });
    const attempt = { status: 500, answer: 'out of order', error: { code: 'http_error' } };
    expect(await deliveries.get(failed.id)).toMatchObject({ attempts: [attempt, attempt, attempt] });
    expect((await otherAccount.get(`/v1/webhooks/deliveries/${failed.id}`)).status).toBe(404);

    answerWith(200);
    expect(await deliveries.retry(failed.id)).toMatchObject({ id: failed.id, status: 'pending' });
    await eventually(async () => (await deliveries.get(failed.id)).status === 'delivered');
    const sent = receiver.at('/account').filter(({ body }) => body.includes('document.completed'));
    expect(sent).toHaveLength(4);
    const ids = sent.map(({ body: payload, headers }) => verifyWebhook({ payload, headers, secret }).id);
    expect(new Set(ids)).toEqual(new Set([failed.event_id]));
    await expect(deliveries.retry(failed.id)).rejects.toBeInstanceOf(ConflictError);

    expect(await deliveries.retryAll({ event: 'document.completed' })).toBe(0);
    expect(await deliveries.retryAll({ endpoint: 'account', since: '2020-01-01T00:00:00Z' })).toBe(1);
    expect(await deliveries.retryPage()).toEqual({ retried: 0, has_more: false, next_cursor: null });
    await eventually(
      async () => (await deliveries.page({ status: 'delivered' })).pagination.total_count === 3,
    );
  });
});

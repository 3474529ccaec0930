import { beforeAll, describe, expect, it } from 'vitest';
import { expectError, type Api } from '../support/api.ts';
import { clientWith, newAccount, otherAccount } from './service-under-test.ts';

const SETTINGS = '/v1/webhooks/settings';
const URL = 'https://hooks.example.com/trifold';

let api: Api;
beforeAll(async () => {
  api = await clientWith({ account: newAccount() });
});

describe('Account webhook', () => {
  it('is created, replaced, rotated and deleted', async () => {
    expectError(await api.get(SETTINGS), 404, 'webhook_not_found');
    expectError(await api.post(`${SETTINGS}/test`, {}), 404, 'webhook_not_found');

    const made = await api.post(SETTINGS, { url: URL, events: ['document.completed'] });
    expect(made.status, made.text).toBe(201);
    const { secret } = made.json<{ secret: string }>();
    expect(secret).toMatch(/\S{24,}/);

    const replaced = await api.post(SETTINGS, { url: `${URL}/2` });
    expect(replaced.status).toBe(200);
    expect(replaced.json()).not.toHaveProperty('secret');
    const read = await api.get(SETTINGS);
    expect(read.json()).toMatchObject({ url: `${URL}/2` });
    expect(read.json<{ events: string[] }>().events).toHaveLength(5);
    expect(read.text).not.toContain(secret);

    const rotated = (await api.post(SETTINGS, { url: URL, rotate_secret: true })).json<{ secret: string }>();
    expect(rotated.secret).not.toBe(secret);

    for (const _ of ['there', 'gone']) expect((await api.delete(SETTINGS)).json()).toEqual({ deleted: true });
    expectError(await api.get(SETTINGS), 404);
    const again = (await api.post(SETTINGS, { url: URL })).json<{ secret: string }>();
    expect([secret, rotated.secret]).not.toContain(again.secret);
    await api.delete(SETTINGS);
  });
});

describe('Hooks', () => {
  it('show the secret at creation only, and can be deleted repeatedly', async () => {
    const made = await api.post('/v1/hooks', { source: 'zapier', url: URL, events: ['batch.completed'] });
    expect(made.status, made.text).toBe(201);
    const { id, secret } = made.json<{ id: string; secret: string }>();
    const list = await api.get('/v1/hooks');
    expect(list.json()).toMatchObject({
      data: [{ id, source: 'zapier', url: URL, events: ['batch.completed'] }],
      pagination: { total_count: 1, has_more: false, next_cursor: null },
    });
    expect(list.text).not.toContain(secret);
    expect((await otherAccount.delete(`/v1/hooks/${id}`)).status).toBe(200);
    expect((await api.get(`/v1/hooks/${id}`)).status).toBe(200);
    for (const _ of ['there', 'gone']) {
      expect((await api.delete(`/v1/hooks/${id}`)).json()).toEqual({ id, deleted: true });
    }
    expectError(await api.get(`/v1/hooks/${id}`), 404, 'hook_not_found');
  });
});

describe('Delivery log', () => {
  it('is empty for an account without events', async () => {
    const pagination = { has_more: false, next_cursor: null, total_count: 0 };
    expect((await api.get('/v1/webhooks/deliveries')).json()).toEqual({ data: [], pagination });
    expectError(await api.get('/v1/webhooks/deliveries/whd-none'), 404, 'delivery_not_found');
    expectError(await api.post('/v1/webhooks/deliveries/whd-none/retry', {}), 404, 'delivery_not_found');
    expectError(await api.get('/v1/webhooks/deliveries?status=lost'), 400);
  });

  it('has nothing to retry for an account without events', async () => {
    const answer = await api.send('POST', '/v1/webhooks/deliveries/retry');
    expect(answer.status, answer.text).toBe(202);
    expect(answer.json()).toEqual({ retried: 0, has_more: false, next_cursor: null });
  });
});

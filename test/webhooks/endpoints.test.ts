import {
  deliveryOf,
  MAX_ENDPOINTS,
  newId,
  SECRET_OVERLAP_MS,
  type WebhookEndpoint,
  type WebhookEvent,
} from '@trifold/crds';
import { settingsViewOf } from '@trifold/api-gateway/webhooks/endpoint-view.ts';
import { loadWebhooksConfig } from '@trifold/controller/webhooks/config.ts';
import { ensureAccount } from '@trifold/platform/records/api-keys/account.ts';
import { findPublishedKey } from '@trifold/platform/records/webhooks/published-key.ts';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { isSignedWith, SECRET_TEXT, WEBHOOK_KEY, WebhookFixture } from './webhook-fixture.ts';

const MINUTE = 60_000;

const fixture = WebhookFixture.forEachTest();

const readyOf = async (name = 'account') => {
  const { status } = await fixture.endpoints.get('default', name);
  return status?.conditions?.find(({ type }) => type === 'Ready');
};

const change = async (spec: Partial<WebhookEndpoint['spec']>) => {
  const endpoint = await fixture.endpoints.get('default', 'account');
  await fixture.endpoints.replace({ ...endpoint, spec: { ...endpoint.spec, ...spec } });
};

/** Sends a test event to the endpoint, as the gateway does. */
const testOf = async ({ metadata: { name, uid } }: WebhookEndpoint) => {
  const createdAt = fixture.clock.now();
  const event = { id: newId('evt', createdAt), type: 'webhook.test', createdAt, data: { endpoint: name } };
  const target = { endpointRef: { name, uid } };
  const delivery = deliveryOf('default', event as WebhookEvent<'webhook.test'>, target, { once: true });
  return fixture.deliveries.create(delivery);
};

it('An endpoint that hangs delays neither other endpoints of its account nor its own test', async () => {
  fixture.receiver.answer = ({ path }, response) => {
    if (!path.startsWith('/hanging')) response.end();
  };
  await fixture.boot({ webhooks: { concurrency: 24, endpointConcurrency: 2 } });
  await fixture.endpoint({ name: 'account', url: fixture.receiver.url('/hanging-0') });
  await fixture.endpoint({ name: 'hook-1', url: fixture.receiver.url('/hanging-1') });
  for (const name of ['account', 'hook-1']) await fixture.inForce(name);
  for (let made = 0; made < 4; made += 1) await fixture.controller.gatewayJob();
  await fixture.received(4);

  await fixture.endpoint({ name: 'hook-2', url: fixture.receiver.url('/working') });
  await fixture.inForce('hook-2');
  const count = 6;
  for (let made = 0; made < count; made += 1) await fixture.controller.gatewayJob();
  await eventually(async () => fixture.receiver.at('/working').length === count, { intervalMs: 5 });
  for (const path of ['/hanging-0', '/hanging-1']) expect(fixture.receiver.at(path)).toHaveLength(2);
  await testOf(await fixture.inForce());
  await eventually(async () => fixture.receiver.at('/hanging-0').length === 3, { intervalMs: 5 });
});

describe('An endpoint secret', () => {
  const NEXT_KEY = 'next-key-of-the-controller-of-the-tests';
  const keyIdOf = async () => (await fixture.endpoints.get('default', 'account')).spec.sealedSecret?.keyId;

  it('still signs, alongside the new one, for 24 hours after a rotation', async () => {
    await fixture.boot();
    const { spec } = await fixture.activeEndpoint();
    const until = new Date(fixture.clock.now().getTime() + SECRET_OVERLAP_MS).toISOString();
    const sealedSecret = await fixture.sealed('whsec_second');
    await change({ sealedSecret, previousSealedSecret: { ...spec.sealedSecret, until } });
    await fixture.inForce();
    await fixture.controller.gatewayJob();
    const [during] = await fixture.received(1);
    expect(isSignedWith('whsec_second', during!)).toBe(true);
    expect(isSignedWith(SECRET_TEXT, during!, 'x-trifold-signature-previous')).toBe(true);

    fixture.clock.advance(SECRET_OVERLAP_MS);
    await fixture.controller.gatewayJob();
    const [, after] = await fixture.received(2);
    expect(isSignedWith('whsec_second', after!)).toBe(true);
    expect(after?.headers['x-trifold-signature-previous']).toBeUndefined();
  });

  it('does not sign for an endpoint that it was copied to, in the same or another account', async () => {
    const { spec } = await fixture.endpoint();
    await ensureAccount(fixture.controller.kubernetes, 'thief');
    const copyTo = async (namespace: string, name: string) =>
      fixture.endpoints.create({ metadata: { name, namespace }, spec: { ...spec, source: 'zapier' } });
    await copyTo('default', 'hook-1');
    await copyTo('thief', 'account');
    await fixture.boot();
    await fixture.inForce();
    await fixture.inForce('hook-1');
    expect(await readyOf()).toMatchObject({ status: 'True' });
    const problem = { status: 'False', reason: 'SecretNotReadable' };
    expect(await readyOf('hook-1')).toMatchObject(problem);
    const copy = await eventually(
      async () => (await fixture.endpoints.get('thief', 'account')).status?.conditions ?? false,
    );
    expect(copy).toContainEqual(expect.objectContaining({ type: 'Ready', ...problem }));
    await fixture.controller.gatewayJob();
    await eventually(async () => (await fixture.all()).length === 2);
    await fixture.delivery(({ status }) => status?.phase === 'Delivered');
    for (let second = 0; second < 5; second += 1) {
      fixture.clock.advance(1_000);
      await fixture.all();
    }
    expect(fixture.receiver.received).toHaveLength(1);
  });

  it('sealed for a lost key is reported, and its events wait until it is sealed again', async () => {
    const lost = await fixture.sealed('whsec_lost', 'account', 'a-key-that-no-controller-has-anymore');
    await fixture.endpoint();
    await change({ sealedSecret: lost });
    await fixture.boot();
    await fixture.inForce();
    const ready = await readyOf();
    expect(ready).toMatchObject({ status: 'False', reason: 'SecretNotReadable' });
    expect(ready?.message).toContain(lost.keyId);
    await fixture.controller.gatewayJob();
    await fixture.delivery(() => true);
    await change({ sealedSecret: await fixture.sealed('whsec_again') });
    await fixture.clock.passUntil(1_000, async () => fixture.receiver.received.length > 0);
    const delivery = await fixture.attempts(1);
    // An event that could not be signed does not count as an attempt.
    expect(delivery.status).toMatchObject({ phase: 'Delivered', attemptCount: 1 });
    expect(isSignedWith('whsec_again', fixture.receiver.received[0]!)).toBe(true);
    await eventually(async () => (await readyOf())?.status === 'True');
  });

  it("is sealed again for the controller's new key, so that the old key is no longer needed", async () => {
    const { spec } = await fixture.endpoint();
    const until = new Date(fixture.clock.now().getTime() + SECRET_OVERLAP_MS).toISOString();
    const sealedSecret = await fixture.sealed('whsec_second');
    await change({ sealedSecret, previousSealedSecret: { ...spec.sealedSecret, until } });
    const rotating = await fixture.boot({ webhooks: { keys: [NEXT_KEY, WEBHOOK_KEY] } });
    const { keyId: next } = await fixture.sealed('x', 'account', NEXT_KEY);
    await eventually(async () => (await keyIdOf()) === next);
    const { publishedKey } = loadWebhooksConfig({});
    const published = await eventually(
      async () => (await findPublishedKey(fixture.controller.kubernetes, publishedKey)) ?? false,
    );
    expect(published.id).toBe(next);
    await rotating.stop();

    await fixture.boot({ webhooks: { keys: [NEXT_KEY] } });
    await fixture.inForce();
    await fixture.controller.gatewayJob();
    const [event] = await fixture.received(1);
    expect(isSignedWith('whsec_second', event!)).toBe(true);
    expect(isSignedWith(SECRET_TEXT, event!, 'x-trifold-signature-previous')).toBe(true);
  });
});

it("An account's endpoints above its limit receive events if they are among the oldest; the one named account always does", async () => {
  const names = Array.from({ length: MAX_ENDPOINTS }, (_, index) => `hook-${String(index).padStart(2, '0')}`);
  for (const name of names) await fixture.endpoint({ name, url: fixture.receiver.url(`/${name}`) });
  fixture.clock.advance(1_000);
  await fixture.endpoint({ name: 'account', url: fixture.receiver.url('/account') });
  await fixture.boot();
  for (const name of ['account', ...names]) await fixture.inForce(name);
  expect(await readyOf()).toMatchObject({ status: 'True' });
  expect(await readyOf(names.at(-2))).toMatchObject({ status: 'True' });
  expect(await readyOf(names.at(-1))).toMatchObject({ status: 'False', reason: 'TooManyEndpoints' });
  await fixture.controller.gatewayJob();
  const told = (await fixture.received(MAX_ENDPOINTS)).map(({ path }) => path);
  expect(told.toSorted()).toEqual(['account', ...names.slice(0, -1)].map((name) => `/${name}`));
});

it('An endpoint that is deleted receives nothing more: its deliveries fail, and a new endpoint with the same name gets none of them', async () => {
  fixture.answering(503);
  await fixture.boot();
  await fixture.activeEndpoint();
  await fixture.attempted();
  await fixture.endpoints.delete('default', 'account');
  await fixture.activeEndpoint({ url: fixture.receiver.url('/new') });
  const delivery = await fixture.delivery(({ status }) => status?.phase === 'Failed');
  expect(delivery.status).toMatchObject({ lastError: { code: 'endpoint_deleted' }, attemptCount: 1 });
  fixture.clock.advance(MINUTE);
  await fixture.inForce();
  expect(fixture.receiver.received).toHaveLength(1);
});

it('An endpoint whose URL changes receives waiting deliveries at its new URL', async () => {
  fixture.receiver.answer = ({ path }, response) => void response.writeHead(path === '/' ? 503 : 200).end();
  await fixture.boot();
  await fixture.activeEndpoint();
  await fixture.attempted();
  await change({ url: fixture.receiver.url('/new') });
  await fixture.inForce();
  fixture.clock.advance(MINUTE);
  expect((await fixture.attempts(2)).status).toMatchObject({ phase: 'Delivered' });
  expect(fixture.receiver.at('/new')).toHaveLength(1);
});

it.each(['while it is watched', 'while no controller runs'])(
  'An endpoint whose URL changes has no state from its old URL, %s',
  async (when) => {
    fixture.answering(503);
    const service = await fixture.boot({ webhooks: { retrySchedule: [0, 1_000, 1_000] } });
    await fixture.activeEndpoint();
    await fixture.attempted();
    for (let attempt = 2; attempt <= 3; attempt += 1) await fixture.nextDue();
    await eventually(async () => (await readyOf())?.reason === 'Failing');
    const isWatched = when === 'while it is watched';
    if (!isWatched) await service.stop();
    await change({ url: fixture.receiver.url('/new') });
    if (!isWatched) await fixture.boot();
    const endpoint = await fixture.inForce();
    expect(await readyOf()).toMatchObject({ status: 'True', reason: 'NotTried' });
    expect(endpoint.status).toMatchObject({ failures: 0 });
    expect(endpoint.status?.failingSince).toBeUndefined();
    const expected = { status: 'active', failing_since: null, last_delivery: null };
    expect(settingsViewOf(endpoint)).toMatchObject(expected);
  },
);

describe('The endpoint status', () => {
  it('reports a failure, with its start and its reason, and the recovery', async () => {
    fixture.answering(503);
    const service = await fixture.boot();
    const failingFor = async () =>
      Number(/^trifold_webhook_failing_seconds (\S+)$/m.exec(await service.metrics.render())?.[1]);
    await fixture.activeEndpoint();
    expect(await readyOf()).toMatchObject({ status: 'True', reason: 'NotTried' });
    await fixture.attempted();
    await fixture.nextDue();
    await fixture.nextDue();
    await eventually(async () => (await readyOf())?.reason === 'Failing');
    // The two waits, one minute and five minutes.
    expect(await failingFor()).toBeGreaterThanOrEqual(360);
    const { status } = await fixture.endpoints.get('default', 'account');
    expect(status).toMatchObject({ failures: 3, failingSince: '2026-11-21T12:00:00.000Z', pending: 1 });
    expect(status?.lastDelivery).toMatchObject({ delivered: false, status: 503, code: 'http_error' });
    expect((await readyOf())?.message).toContain('the endpoint returned 503');
    fixture.receiver.answer = (_request, response) => void response.end();
    await fixture.nextDue();
    await fixture.clock.passUntil(5_000, async () => {
      const after = await fixture.endpoints.get('default', 'account');
      return after.status?.pending === 0 && (await readyOf())?.reason === 'Delivering';
    });
    expect((await fixture.endpoints.get('default', 'account')).status?.failingSince).toBeUndefined();
    expect(await failingFor()).toBe(0);
  });

  it('reports a failure for days, even without waiting deliveries and under another controller', async () => {
    fixture.answering(410);
    const first = await fixture.boot();
    await fixture.activeEndpoint();
    await fixture.attempted();
    for (let attempt = 2; attempt <= 7; attempt += 1) await fixture.nextDue();
    // A response saying that the endpoint is gone counts like any other failure.
    await fixture.delivery(({ status }) => status?.phase === 'Failed');
    await first.stop();
    fixture.clock.advance(48 * 60 * MINUTE);
    await fixture.boot();
    const shown = await fixture.clock.passUntil(5_000, async () => {
      const { failing_since, last_delivery, pending, status, message } = settingsViewOf(
        await fixture.endpoints.get('default', 'account'),
      );
      return pending === 0 && { failing_since, status, message, answered: last_delivery?.status };
    });
    expect(shown).toMatchObject({
      status: 'failing',
      failing_since: '2026-11-21T12:00:00.000Z',
      answered: 410,
      message: expect.stringContaining('the endpoint returned 410') as string,
    });
    const ready = await readyOf();
    expect(ready).toMatchObject({ status: 'False', reason: 'Failing' });
    // The third failure caused this, and nothing has changed it since.
    expect(ready?.lastTransitionTime.slice(0, 16)).toBe('2026-11-21T12:06');
  });

  it('reports that plain HTTP is not allowed', async () => {
    await fixture.boot();
    await fixture.activeEndpoint({ url: 'http://hooks.example.com/' });
    expect(await readyOf()).toMatchObject({ status: 'False', reason: 'UrlRejected' });
  });
});

describe('An endpoint test', () => {
  const testDelivery = async () => testOf(await fixture.endpoint());

  it('is sent immediately, whether or not the controller has seen the endpoint before', async () => {
    await fixture.boot();
    await testDelivery();
    const delivery = await fixture.attempts(1);
    expect(delivery.status).toMatchObject({ phase: 'Delivered', attempts: [{ status: 200, answer: 'ok' }] });
    expect(fixture.receiver.received[0]?.headers['x-trifold-event']).toBe('webhook.test');
    expect(isSignedWith(SECRET_TEXT, fixture.receiver.received[0]!)).toBe(true);
  });

  it('is not retried if it fails', async () => {
    fixture.receiver.answer = (_request, response) => void response.writeHead(500).end('sorry');
    await fixture.boot();
    await testDelivery();
    const delivery = await fixture.attempts(1);
    expect(delivery.status).toMatchObject({ phase: 'Failed', attempts: [{ status: 500, answer: 'sorry' }] });
  });
});

it.each([
  [200, 10 * MINUTE],
  [500, 60 * MINUTE],
])('The delivery log keeps an outcome of %d for its retention', async (status, expected) => {
  fixture.answering(status);
  await fixture.boot({ webhooks: { keepDeliveredMs: 10 * MINUTE, keepFailedMs: 60 * MINUTE } });
  await testOf(await fixture.endpoint());
  await fixture.attempts(1);
  fixture.clock.advance(expected - 1);
  for (let looks = 0; looks < 5; looks += 1) expect(await fixture.all()).toHaveLength(1);
  fixture.clock.advance(1);
  await eventually(async () => (await fixture.all()).length === 0);
});

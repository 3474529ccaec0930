import {
  deliveryOf,
  eventIdOf,
  MOST_ENDPOINTS,
  newId,
  SECRET_OVERLAP_MS,
  type WebhookEndpoint,
  type WebhookEvent,
} from '@trifold/crds';
import { settingsViewOf } from '@trifold/api-gateway/webhooks/endpoint-view.ts';
import type { ApiTransport } from '@trifold/platform/kubernetes/client/transport.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/conditions.ts';
import { isSignedWith, SECRET_TEXT, WebhookWorld } from './webhook-world.ts';

const FOREVER = new Promise<never>(() => undefined);
const MINUTE = 60_000;

let world: WebhookWorld;
beforeEach(async () => {
  world = await WebhookWorld.create();
});
afterEach(() => world.destroy());

const readyOf = async (name = 'account') => {
  const { status } = await world.endpoints.get('default', name);
  return status?.conditions?.find(({ type }) => type === 'Ready');
};

/** Sends a test to the endpoint, as the gateway does. */
const testOf = async ({ metadata: { name, uid } }: WebhookEndpoint) => {
  const createdAt = world.world.clock.now();
  const event: WebhookEvent<'webhook.test'> = {
    id: newId('evt', createdAt),
    type: 'webhook.test',
    createdAt,
    data: { endpoint: name },
  };
  const target = { endpointRef: { name, uid } };
  return world.deliveries.create(deliveryOf('default', event, target, { once: true }));
};

describe('an endpoint that hangs', () => {
  it('delays no other, and takes no more than its share of connections', async () => {
    world.receiver.answer = ({ path }, response) => {
      if (path !== '/hanging') response.end();
    };
    await world.boot({ webhooks: { concurrency: 16, endpointConcurrency: 2 } });
    await world.endpoint({ name: 'account', url: world.receiver.url('/hanging') });
    await world.endpoint({ name: 'hook-1', url: world.receiver.url('/working') });
    for (const name of ['account', 'hook-1']) await world.inForce(name);
    const count = 12;
    for (let made = 0; made < count; made += 1) await world.world.gatewayJob();
    await eventually('the other has everything', async () => world.receiver.at('/working').length === count, {
      intervalMs: 5,
    });
    expect(world.receiver.at('/hanging')).toHaveLength(2);
  });

  it('delays neither other endpoints of its account nor a test of itself', async () => {
    world.receiver.answer = ({ path }, response) => {
      if (!path.startsWith('/hanging')) response.end();
    };
    await world.boot({ webhooks: { concurrency: 24, endpointConcurrency: 2 } });
    await world.endpoint({ name: 'account', url: world.receiver.url('/hanging-0') });
    await world.endpoint({ name: 'hook-1', url: world.receiver.url('/hanging-1') });
    for (const name of ['account', 'hook-1']) await world.inForce(name);
    for (let made = 0; made < 4; made += 1) await world.world.gatewayJob();
    await world.received(4);

    await world.endpoint({ name: 'hook-2', url: world.receiver.url('/working') });
    await world.inForce('hook-2');
    const count = 6;
    for (let made = 0; made < count; made += 1) await world.world.gatewayJob();
    await eventually('the other has everything', async () => world.receiver.at('/working').length === count, {
      intervalMs: 5,
    });
    for (const path of ['/hanging-0', '/hanging-1']) expect(world.receiver.at(path)).toHaveLength(2);
    await testOf(await world.inForce());
    await eventually('it is tested', async () => world.receiver.at('/hanging-0').length === 3, {
      intervalMs: 5,
    });
  });

  it('gets two attempts at a time as long as nothing is known about it, and its share from the first success on', async () => {
    const answers: (() => void)[] = [];
    world.receiver.answer = ({ path }, response) => {
      if (path === '/other') response.end();
      else answers.push(() => response.end());
    };
    await world.boot({ webhooks: { endpointConcurrency: 4 } });
    await world.endpoint({ name: 'account', url: world.receiver.url('/new') });
    await world.endpoint({ name: 'hook-1', url: world.receiver.url('/other') });
    for (const name of ['account', 'hook-1']) await world.inForce(name);
    const callbackURL = world.receiver.url('/callback');
    for (let made = 0; made < 8; made += 1) await world.world.gatewayJob({ callbackURL });
    const has = (path: string, count: number) =>
      eventually(`${count} at ${path}`, async () => world.receiver.at(path).length === count, {
        intervalMs: 5,
      });
    await has('/other', 8);
    for (const path of ['/new', '/callback']) await has(path, 2);
    for (const answer of answers.splice(0)) answer();
    // Two that are answered, and then four at once.
    for (const path of ['/new', '/callback']) await has(path, 6);
  });
});

describe('callbacks that hang', () => {
  it('take two connections for each host, and delay neither other hosts nor events to endpoints', async () => {
    world.receiver.answer = ({ path }, response) => {
      if (!path.startsWith('/hanging')) response.end();
    };
    await world.boot();
    for (let made = 0; made < 10; made += 1) {
      await world.world.gatewayJob({ callbackURL: world.receiver.url(`/hanging?${made}`) });
    }
    await world.received(2);
    await eventually('the others wait', async () => (await world.all()).length === 10, { intervalMs: 5 });
    await world.endpoint({ url: world.receiver.url('/endpoint') });
    await world.inForce();
    const count = 5;
    for (let made = 0; made < count; made += 1) {
      await world.world.gatewayJob({ callbackURL: world.receiver.url('/working', 'localhost') });
    }
    await eventually('all others are there', async () => world.receiver.received.length === 2 + 2 * count, {
      intervalMs: 5,
    });
    for (const path of ['/working', '/endpoint']) expect(world.receiver.at(path)).toHaveLength(count);
  });
});

describe('the secret of an endpoint', () => {
  const rotate = async (name = 'webhook-second', text = 'whsec_second') => {
    const endpoint = await world.endpoints.get('default', 'account');
    await world.secret(name, text, endpoint.spec.secretRef.name);
    const until = new Date(world.world.clock.now().getTime() + SECRET_OVERLAP_MS).toISOString();
    const previousSecretRef = { name: endpoint.spec.secretRef.name, until };
    const spec = { ...endpoint.spec, secretRef: { name }, previousSecretRef };
    await world.endpoints.replace({ ...endpoint, spec });
    return previousSecretRef.name;
  };

  it('signs beside the new one for 24 hours after a rotation, and is deleted then', async () => {
    await world.boot();
    await world.endpoint();
    await world.inForce();
    const before = await rotate();
    await world.inForce();
    await world.world.gatewayJob();
    const [during] = await world.received(1);
    expect(isSignedWith('whsec_second', during!)).toBe(true);
    expect(isSignedWith(SECRET_TEXT, during!, 'x-trifold-signature-previous')).toBe(true);
    expect(await world.secrets.find('default', before)).toBeDefined();

    world.world.clock.advance(SECRET_OVERLAP_MS);
    await eventually('it is deleted', async () => !(await world.secrets.find('default', before)));
    await world.world.gatewayJob();
    const [, after] = await world.received(2);
    expect(isSignedWith('whsec_second', after!)).toBe(true);
    expect(after?.headers['x-trifold-signature-previous']).toBeUndefined();
  });

  it('ends at once, and is deleted, when there is another rotation within these 24 hours', async () => {
    await world.boot();
    await world.endpoint();
    await world.inForce();
    const first = await rotate();
    await world.inForce();
    const second = await rotate('webhook-third', 'whsec_third');
    await world.inForce();
    await eventually('the first is deleted', async () => !(await world.secrets.find('default', first)));
    await world.world.gatewayJob();
    const [during] = await world.received(1);
    expect(isSignedWith('whsec_third', during!)).toBe(true);
    expect(isSignedWith('whsec_second', during!, 'x-trifold-signature-previous')).toBe(true);
    expect(await world.secrets.find('default', second)).toBeDefined();
  });

  it('is deleted after several rotations of which no controller has seen any, also by one that is killed', async () => {
    const { spec } = await world.endpoint();
    for (const number of [2, 3, 4, 5]) await rotate(`webhook-${number}`, `whsec_${number}`);
    const names = [spec.secretRef.name, ...[2, 3, 4, 5].map((number) => `webhook-${number}`)];
    const left = async () => {
      const found = await Promise.all(names.map((name) => world.secrets.find('default', name)));
      return found.flatMap((secret) => secret?.metadata.name ?? []);
    };
    let deletions = 0;
    const dying = (inner: ApiTransport): ApiTransport => ({
      send: (request) => {
        const counts = request.method === 'DELETE' && request.path.includes('/secrets/');
        if (deletions > 1) return FOREVER;
        if (counts) deletions += 1;
        return deletions > 1 ? FOREVER : inner.send(request);
      },
    });
    await world.boot({ wrap: { transport: dying }, dead: () => deletions > 1 });
    await eventually('it dies between two of them', async () => deletions > 1);
    expect(await left()).toEqual(names.slice(1));
    await world.boot();
    await eventually('those that sign are left', async () => (await left()).length === 2);
    expect(await left()).toEqual(['webhook-4', 'webhook-5']);
  });

  it('is waited for when it comes later than the endpoint', async () => {
    await world.boot();
    const spec = { url: world.receiver.url(), secretRef: { name: 'late' } };
    await world.endpoints.create({ metadata: { name: 'account', namespace: 'default' }, spec });
    await world.inForce();
    expect(await readyOf()).toMatchObject({ status: 'False', reason: 'SecretMissing' });
    await world.world.gatewayJob();
    await world.delivery('there is a delivery', () => true);
    await world.secret('late', 'whsec_late');
    await eventually('it is sent', async () => {
      world.world.clock.advance(1_000);
      return world.receiver.received.length > 0;
    });
    const delivery = await world.attempts(1);
    // What could not be signed was no attempt.
    expect(delivery.status).toMatchObject({ phase: 'Delivered', attemptCount: 1 });
    expect(isSignedWith('whsec_late', world.receiver.received[0]!)).toBe(true);
    await eventually('the endpoint is ready', async () => {
      world.world.clock.advance(1_000);
      return (await readyOf())?.status === 'True';
    });
  });

  it('is not taken from, nor deleted as, a Secret that is something else', async () => {
    await world.boot();
    const data = { secret: Buffer.from('database-password').toString('base64') };
    await world.secrets.create({
      metadata: { name: 'database', namespace: 'default' },
      type: 'Opaque',
      data,
    });
    await world.secret('own', 'whsec_own');
    const until = '2026-11-21T11:00:00Z';
    await world.endpoints.create({
      metadata: { name: 'hook-1', namespace: 'default' },
      spec: {
        url: world.receiver.url(),
        secretRef: { name: 'own' },
        previousSecretRef: { name: 'database', until },
      },
    });
    await world.endpoints.create({
      metadata: { name: 'hook-2', namespace: 'default' },
      spec: { url: world.receiver.url(), secretRef: { name: 'database' } },
    });
    await world.inForce('hook-1');
    await world.inForce('hook-2');
    expect(await readyOf('hook-2')).toMatchObject({ reason: 'SecretMissing' });
    expect(await world.secrets.find('default', 'database')).toBeDefined();
  });
});

describe('the endpoints of an account that has more than it may', () => {
  it('are told of events: its own, though it is the youngest, and the oldest of the others', async () => {
    const names = Array.from(
      { length: MOST_ENDPOINTS },
      (_, index) => `hook-${String(index).padStart(2, '0')}`,
    );
    for (const name of names) await world.endpoint({ name, url: world.receiver.url(`/${name}`) });
    world.world.clock.advance(1_000);
    await world.endpoint({ name: 'account', url: world.receiver.url('/account') });
    await world.boot();
    for (const name of ['account', ...names]) await world.inForce(name);
    expect(await readyOf()).toMatchObject({ status: 'True' });
    expect(await readyOf(names.at(-2))).toMatchObject({ status: 'True' });
    expect(await readyOf(names.at(-1))).toMatchObject({ status: 'False', reason: 'TooManyEndpoints' });
    await world.world.gatewayJob();
    const told = (await world.received(MOST_ENDPOINTS)).map(({ path }) => path);
    expect(told.toSorted()).toEqual(['account', ...names.slice(0, -1)].map((name) => `/${name}`));
  });
});

describe('an endpoint that is deleted', () => {
  it('is sent nothing any more: what waits is given up, and another of its name gets nothing of it', async () => {
    world.receiver.answer = (_request, response) => void response.writeHead(503).end();
    await world.boot();
    await world.endpoint();
    await world.inForce();
    await world.world.gatewayJob();
    await world.attempts(1);
    await world.endpoints.delete('default', 'account');
    await world.endpoint({ url: world.receiver.url('/new') });
    await world.inForce();
    const delivery = await world.delivery('it is given up', ({ status }) => status?.phase === 'Failed');
    expect(delivery.status).toMatchObject({ lastError: { code: 'endpoint_deleted' }, attemptCount: 1 });
    world.world.clock.advance(MINUTE);
    await world.inForce();
    expect(world.receiver.received).toHaveLength(1);
  });
});

describe('an endpoint that moves', () => {
  it('gets at its new place what waits', async () => {
    world.receiver.answer = ({ path }, response) => void response.writeHead(path === '/' ? 503 : 200).end();
    await world.boot();
    await world.endpoint();
    await world.inForce();
    await world.world.gatewayJob();
    await world.attempts(1);
    const endpoint = await world.endpoints.get('default', 'account');
    await world.endpoints.replace({
      ...endpoint,
      spec: { ...endpoint.spec, url: world.receiver.url('/new') },
    });
    await world.inForce();
    world.world.clock.advance(MINUTE);
    expect((await world.attempts(2)).status).toMatchObject({ phase: 'Delivered' });
    expect(world.receiver.at('/new')).toHaveLength(1);
  });
});

describe('the status of an endpoint', () => {
  it('tells that it fails, since when and why, and that it is back', async () => {
    world.receiver.answer = (_request, response) => void response.writeHead(503).end();
    const service = await world.boot();
    const failingFor = async () =>
      Number(/^trifold_webhook_failing_seconds (\S+)$/m.exec(await service.metrics.render())?.[1]);
    await world.endpoint();
    await world.inForce();
    expect(await readyOf()).toMatchObject({ status: 'True', reason: 'NotTried' });
    await world.world.gatewayJob();
    await world.attempts(1);
    await world.nextDue();
    await world.nextDue();
    await eventually('it is shown', async () => (await readyOf())?.reason === 'Failing');
    // The two waits of a minute and of five.
    expect(await failingFor()).toBeGreaterThanOrEqual(360);
    const { status } = await world.endpoints.get('default', 'account');
    expect(status).toMatchObject({ failures: 3, failingSince: '2026-11-21T12:00:00.000Z', pending: 1 });
    expect(status?.lastDelivery).toMatchObject({ delivered: false, status: 503, code: 'http_error' });
    expect((await readyOf())?.message).toContain('it answered 503');
    world.receiver.answer = (_request, response) => void response.end();
    await world.nextDue();
    await eventually('it is shown to be back', async () => {
      world.world.clock.advance(5_000);
      const after = await world.endpoints.get('default', 'account');
      return after.status?.pending === 0 && (await readyOf())?.reason === 'Delivering';
    });
    const back = await world.endpoints.get('default', 'account');
    expect(back.status?.failingSince).toBeUndefined();
    expect(await failingFor()).toBe(0);
  });

  it('tells for days that it fails, also when nothing waits any more and another controller leads', async () => {
    world.receiver.answer = (_request, response) => void response.writeHead(410).end();
    const first = await world.boot();
    await world.endpoint();
    await world.inForce();
    await world.world.gatewayJob();
    await world.attempts(1);
    for (let attempt = 2; attempt <= 7; attempt += 1) await world.nextDue();
    // An answer that says that it is gone for good is as good as any other failure.
    await world.delivery('it is given up', ({ status }) => status?.phase === 'Failed');
    await first.stop();
    world.world.clock.advance(48 * 60 * MINUTE);
    await world.boot();
    const shown = await eventually('it is shown', async () => {
      world.world.clock.advance(5_000);
      const { failing_since, last_delivery, pending, status, message } = settingsViewOf(
        await world.endpoints.get('default', 'account'),
      );
      return pending === 0 && { failing_since, status, message, answered: last_delivery?.status };
    });
    expect(shown).toMatchObject({
      status: 'failing',
      failing_since: '2026-11-21T12:00:00.000Z',
      answered: 410,
      message: expect.stringContaining('it answered 410') as string,
    });
    const ready = await readyOf();
    expect(ready).toMatchObject({ status: 'False', reason: 'Failing' });
    // It became so with the third failure, and was not made anything else since.
    expect(ready?.lastTransitionTime.slice(0, 16)).toBe('2026-11-21T12:06');
  });

  it('tells that plain HTTP is not allowed', async () => {
    await world.boot();
    await world.endpoint({ url: 'http://hooks.example.com/' });
    await world.inForce();
    expect(await readyOf()).toMatchObject({ status: 'False', reason: 'UrlRefused' });
  });
});

describe('a test of an endpoint', () => {
  const testDelivery = async () => testOf(await world.endpoint());

  it('is sent at once, whether or not the controller has seen the endpoint before', async () => {
    await world.boot();
    await testDelivery();
    const delivery = await world.attempts(1);
    expect(delivery.status).toMatchObject({ phase: 'Delivered', attempts: [{ status: 200, answer: 'ok' }] });
    expect(world.receiver.received[0]?.headers['x-trifold-event']).toBe('webhook.test');
    expect(isSignedWith(SECRET_TEXT, world.receiver.received[0]!)).toBe(true);
  });

  it('is not tried again when it fails', async () => {
    world.receiver.answer = (_request, response) => void response.writeHead(500).end('sorry');
    await world.boot();
    await testDelivery();
    const delivery = await world.attempts(1);
    expect(delivery.status).toMatchObject({ phase: 'Failed', attempts: [{ status: 500, answer: 'sorry' }] });
  });
});

describe('the log', () => {
  it.each([
    [200, { keepDeliveredMs: 10 * MINUTE, keepFailedMs: 60 * MINUTE }, 10 * MINUTE],
    [500, { keepDeliveredMs: 10 * MINUTE, keepFailedMs: 60 * MINUTE }, 60 * MINUTE],
  ])('of an outcome of %d is kept for its time', async (status, kept, expected) => {
    world.receiver.answer = (_request, response) => void response.writeHead(status).end();
    await world.boot({ webhooks: { ...kept, retrySchedule: [0] } });
    await world.endpoint();
    const event: WebhookEvent<'webhook.test'> = {
      id: eventIdOf('webhook.test', { uid: 'x', at: world.world.clock.now() }),
      type: 'webhook.test',
      createdAt: world.world.clock.now(),
      data: { endpoint: 'account' },
    };
    const { uid } = (await world.endpoints.get('default', 'account')).metadata;
    await world.deliveries.create(deliveryOf('default', event, { endpointRef: { name: 'account', uid } }));
    await world.attempts(1);
    world.world.clock.advance(expected - 1);
    for (let looks = 0; looks < 5; looks += 1) expect(await world.all()).toHaveLength(1);
    world.world.clock.advance(1);
    await eventually('it is deleted', async () => (await world.all()).length === 0);
  });
});

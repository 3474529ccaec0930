import { describe, expect, it } from 'vitest';
import { API_KEY, SCOPES } from '@trifold/crds';
import { hashKey } from '@trifold/platform/records/api-keys/key-material.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import type { ApiRequest } from '@trifold/platform/kubernetes/client/transport.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { intercepting } from '@trifold/test-support/faults/intercepting.ts';
import { SlowWatch } from '@trifold/test-support/faults/slow-watch.ts';
import { GatewayFixture } from '../testing/gateway-fixture.ts';

interface Created {
  readonly id: string;
  readonly key: string;
}

const gateway = await GatewayFixture.shared();

const create = async (body: object, key = gateway.key) =>
  gateway.call('POST', '/v1/api-keys', { body: { name: 'Key', ...body }, key });
const made = async (body: object, key = gateway.key) => (await create(body, key)).json<Created>();
const resource = async (id: string, account = 'acme') =>
  gateway.kubernetes.resource(API_KEY).find(account, id);

describe('POST /v1/api-keys', () => {
  it('returns the key once and stores only its hash and its last four characters', async () => {
    const description = 'For the mailing.';
    const response = await create({ name: 'Mailing', description, scopes: ['templates:read', 'usage:read'] });
    expect(response.statusCode).toBe(201);
    const { id, key } = response.json<Created>();
    expect(response.json()).toEqual({
      id: expect.stringMatching(/^key-[0-9a-z]{26}$/),
      name: 'Mailing',
      description,
      type: 'live',
      scopes: ['templates:read', 'usage:read'],
      key: expect.stringMatching(/^tf_live_[A-Za-z0-9]{43}$/),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(response.headers.location).toBe(`/v1/api-keys/${id}`);
    expect(response.headers['cache-control']).toBe('no-store');
    const kept = await resource(id);
    expect(kept?.spec).toEqual({
      name: 'Mailing',
      description,
      scopes: ['templates:read', 'usage:read'],
      mode: 'live',
      sha256: hashKey(key),
      lastFour: key.slice(-4),
    });
    expect(JSON.stringify(kept)).not.toContain(key.slice(8));
    const { key: _key, ...shown } = response.json<Created>();
    const read = await gateway.call('GET', `/v1/api-keys/${id}`);
    expect(read.json()).toEqual({ ...shown, last_four: key.slice(-4), last_used_at: null });
  });

  it('grants every scope when the body has no scopes', async () => {
    expect((await create({})).json()).toMatchObject({ scopes: [...SCOPES], description: null, type: 'live' });
  });

  it.each([
    ['an unknown scope', { scopes: ['templates:read', 'templates:erase'] }, '/scopes/1'],
    ['a duplicate scope', { scopes: ['usage:read', 'usage:read'] }, '/scopes'],
    ['an empty list of scopes', { scopes: [] }, '/scopes'],
    ['an unknown type', { type: 'production' }, '/type'],
    ['a blank name', { name: '  ' }, '/name'],
    ['a missing name', { name: undefined }, '/name'],
    ['a name that is too long', { name: 'x'.repeat(201) }, '/name'],
    ['a description that is too long', { description: 'x'.repeat(2001) }, '/description'],
    ['a key chosen by the caller', { key: `tf_live_${'a'.repeat(43)}` }, '/key'],
  ])('rejects %s with 400', async (_what, body, path) => {
    const response = await create(body);
    expect(response.json()).toMatchObject({ statusCode: 400, code: 'invalid_request', details: [{ path }] });
  });

  it('rejects a scope that the calling key lacks', async () => {
    const { key } = await made({ scopes: ['api-keys:write', 'templates:read'] });
    const response = await create({ scopes: ['templates:read', 'usage:read'] }, key);
    expect(response.json()).toMatchObject({
      statusCode: 403,
      error: 'Forbidden',
      code: 'scope_not_held',
      message: expect.stringContaining('usage:read'),
      details: [{ path: '/scopes/1', message: expect.stringContaining('usage:read') }],
    });
    expect(response.json()).not.toHaveProperty('missingScopes');
    expect((await create({ scopes: ['templates:read', 'api-keys:write'] }, key)).statusCode).toBe(201);
  });

  it('rejects a body without scopes when the calling key lacks a scope', async () => {
    const { key } = await made({ scopes: SCOPES.filter((scope) => scope !== 'usage:read') });
    const response = await create({}, key);
    expect(response.json()).toMatchObject({
      statusCode: 403,
      code: 'scope_not_held',
      details: [{ path: '/scopes', message: expect.stringContaining('usage:read') }],
    });
  });

  it('lets a test key create only test keys', async () => {
    const test = await gateway.mint({ mode: 'test' }, true);
    const rejected = { statusCode: 403, code: 'live_key_required', details: [{ path: '/type' }] };
    expect((await create({ type: 'live' }, test)).json()).toMatchObject(rejected);
    for (const body of [{ type: 'test' }, {}]) {
      const response = await create(body, test);
      expect(response.json()).toMatchObject({ type: 'test', key: expect.stringMatching(/^tf_test_/) });
    }
  });
});

it('GET /v1/api-keys returns keys newest first, page by page, without their secrets', async () => {
  const apart = await GatewayFixture.forTest();
  const ids: string[] = [];
  for (let count = 0; count < 5; count++) {
    const response = await apart.call('POST', '/v1/api-keys', { body: { name: `Key ${count}` } });
    ids.unshift(response.json<Created>().id);
  }
  const first = (await apart.call('GET', '/v1/api-keys?limit=2')).json();
  const after = `?cursor=${first.pagination.next_cursor}`;
  const entries = [...first.data, ...(await apart.call('GET', `/v1/api-keys${after}`)).json().data];
  expect(entries.map(({ id }) => id)).toEqual([...ids, expect.any(String)]);
  for (const entry of entries) {
    expect(Object.keys(entry).sort()).toEqual(
      ['created_at', 'description', 'id', 'last_four', 'last_used_at', 'name', 'scopes', 'type'].sort(),
    );
  }
  for (const path of ['/v1/api-keys', '/v1/keys']) {
    const found = (await apart.call('GET', `${path}?q=key%203`)).json();
    expect(found).toMatchObject({ data: [{ id: ids[1] }], pagination: { total_count: 1 } });
  }
});

it('GET /v1/api-keys shows keys created with kubectl under their resource names', async () => {
  const keys = gateway.kubernetes.resource(API_KEY);
  const spec = { name: 'By hand', mode: 'live', sha256: 'a'.repeat(64), lastFour: 'a'.repeat(4) } as const;
  await keys.create({ metadata: { name: 'by-hand', namespace: 'acme' }, spec: { ...spec, scopes: [] } });
  const one = (await gateway.call('GET', '/v1/api-keys/by-hand')).json();
  expect(one).toMatchObject({ id: 'by-hand', name: 'By hand', scopes: [], last_four: 'aaaa' });
  const { data } = (await gateway.call('GET', '/v1/api-keys?limit=100')).json();
  expect(data).toContainEqual(one);
});

it.each(['key-unknown', 'Not%20a%20name', '..%2f..'])(
  'GET /v1/api-keys/:id returns 404 for the ID %s',
  async (id) => {
    for (const method of ['GET', 'DELETE'] as const) {
      const response = await gateway.call(method, `/v1/api-keys/${id}`);
      expect(response.json()).toMatchObject({ statusCode: 404, code: 'api_key_not_found' });
    }
  },
);

describe('DELETE /v1/api-keys/:id', () => {
  it('revokes the key before responding', async () => {
    for (let count = 0; count < 20; count++) {
      const { id, key } = await made({ scopes: ['templates:read'] });
      expect((await gateway.call('DELETE', `/v1/api-keys/${id}`)).json()).toEqual({ id, deleted: true });
      const rejected = await gateway.call('GET', '/v1/templates', { key });
      expect(rejected.json()).toMatchObject({ statusCode: 401, code: 'invalid_key' });
    }
  });

  it('lets a test key revoke test keys but not live keys', async () => {
    const test = await made({ type: 'test' });
    const live = await made({ type: 'live' });
    const rejected = await gateway.call('DELETE', `/v1/api-keys/${live.id}`, { key: test.key });
    expect(rejected.statusCode).toBe(403);
    expect(rejected.json()).toMatchObject({ code: 'live_key_required' });
    expect((await gateway.call('GET', '/v1/templates', { key: live.key })).statusCode).toBe(200);
    const other = await made({ type: 'test' });
    expect((await gateway.call('DELETE', `/v1/api-keys/${other.id}`, { key: test.key })).statusCode).toBe(
      200,
    );
  });

  it('revokes the key at every gateway without waiting for a timer', async () => {
    const clock = new FakeClock();
    const apart = await GatewayFixture.forTest({ clock });
    const another = await apart.startAnother();
    const response = await apart.call('POST', '/v1/api-keys', { body: { name: 'x' } });
    const { id, key } = response.json<Created>();
    const status = async () =>
      (await apart.call('GET', '/v1/templates', { key, gateway: another })).statusCode;
    await eventually(async () => (await status()) === 200);
    expect((await apart.call('DELETE', `/v1/api-keys/${id}`)).statusCode).toBe(200);
    await eventually(async () => (await status()) === 401);
  });
});

it('A gateway whose API key watch lags accepts its new key as soon as the response arrives', async () => {
  const watch = new SlowWatch('apikeys');
  const apart = await GatewayFixture.forTest({ clock: new FakeClock(), intercept: watch.transport });
  watch.hold();
  const { key } = (await apart.call('POST', '/v1/api-keys', { body: { name: 'x' } })).json<Created>();
  expect((await apart.call('GET', '/v1/templates', { key })).statusCode).toBe(200);
  watch.tell(Infinity);
});

it('A gateway whose API key watch lags never accepts a deleted key again, even if a late event arrives', async () => {
  const watch = new SlowWatch('apikeys');
  const apart = await GatewayFixture.forTest({ clock: new FakeClock(), intercept: watch.transport });
  const { id, key } = (await apart.call('POST', '/v1/api-keys', { body: { name: 'x' } })).json<Created>();
  const status = async () => (await apart.call('GET', '/v1/templates', { key })).statusCode;
  expect(await status()).toBe(200);
  watch.hold();
  const before = watch.told;
  await apart.kubernetes
    .resource(API_KEY)
    .patch({ namespace: 'acme', name: id }, { metadata: { annotations: { changed: 'before' } } });
  expect((await apart.call('DELETE', `/v1/api-keys/${id}`)).statusCode).toBe(200);
  expect(await status()).toBe(401);
  watch.tell(1);
  await eventually(() => watch.told === before + 1);
  for (let looks = 0; looks < 50; looks += 1) expect(await status()).toBe(401);
  watch.tell(Infinity);
});

it('/v1/keys behaves like /v1/api-keys for every method', async () => {
  const response = await gateway.call('POST', '/v1/keys', { body: { name: 'Alias' } });
  expect(response.statusCode).toBe(201);
  const { id } = response.json<Created>();
  expect(response.headers.location).toBe(`/v1/keys/${id}`);
  const [one, same] = await Promise.all(
    ['keys', 'api-keys'].map(async (path) => (await gateway.call('GET', `/v1/${path}/${id}`)).json()),
  );
  expect(one).toEqual(same);
  const [page] = (await gateway.call('GET', '/v1/keys?limit=1')).json().data;
  expect(page).toEqual(one);
  expect((await gateway.call('DELETE', `/v1/keys/${id}`)).json()).toEqual({ id, deleted: true });
  expect((await gateway.call('GET', `/v1/api-keys/${id}`)).statusCode).toBe(404);
});

const isStatusWrite = ({ method, path }: ApiRequest) => method === 'PATCH' && path.endsWith('/status');

it("Recording an API key's last use does not delay or fail requests when the write fails", async () => {
  const clock = new FakeClock();
  const rejected = Promise.withResolvers<void>();
  const apart = await GatewayFixture.start({
    clock,
    intercept: intercepting(async (request) => {
      if (!isStatusWrite(request)) return;
      rejected.resolve();
      // Hangs until the request is aborted.
      await new Promise<never>((_resolve, reject) => {
        request.signal?.addEventListener('abort', () => reject(new Error('given up')));
      });
    }),
  });
  expect((await apart.call('GET', '/v1/templates')).statusCode).toBe(200);
  clock.advance(1_000);
  await rejected.promise;
  expect((await apart.call('GET', '/v1/templates')).statusCode).toBe(200);
  expect((await apart.call('GET', '/v1/api-keys')).json().data[0].last_used_at).toBeNull();
  // A gateway that is stopping aborts the write after a second.
  const stopped = apart.stop();
  const over = stopped.then(() => true);
  await clock.passUntil(1_000, async () => Promise.race([over, Promise.resolve(false)]));
});

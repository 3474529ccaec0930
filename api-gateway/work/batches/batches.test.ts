import { describe, expect, it } from 'vitest';
import { documentKeyOfId } from '@trifold/crds';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { ITEMS, ScriptedBatches } from '../../testing/scripted-batches.ts';

const HOUR = 3_600_000;

const clock = new FakeClock();
const gateway = await GatewayFixture.shared({ clock });
const batches = new ScriptedBatches(gateway, await gateway.template());
const { template_id } = batches;

describe('POST /v1/generate/batch', () => {
  it('returns 202 with the pending batch', async () => {
    const response = await batches.send();
    expect(response.statusCode).toBe(202);
    const now = clock.now();
    expect(response.json()).toEqual({
      id: expect.stringMatching(/^bat-[0-9a-z]{26}$/),
      status: 'pending',
      template_id,
      template_version: 1,
      request_id: response.headers['x-request-id'],
      format: 'pdf',
      total: 3,
      completed: 0,
      failed: 0,
      created_at: now.toISOString(),
      expires_at: new Date(now.getTime() + 24 * HOUR).toISOString(),
      status_url: `/v1/generate/batch/${response.json().id}`,
    });
  });

  it('creates one resource that refers to the data of its items', async () => {
    const id = await batches.accepted({ options: { page_size: 'a4' } });
    const { metadata, spec } = await batches.get(id);
    const prefix = `${documentKeyOfId('acme', id)}/`;
    expect(spec).toMatchObject({
      templateRef: { name: template_id },
      revision: expect.stringMatching(/^[0-9a-f]{64}$/),
      version: 1,
      itemsRef: { prefix, size: ITEMS.reduce((sum, { data }) => sum + JSON.stringify(data).length, 0) },
      total: 3,
      format: 'pdf',
      options: { pageSize: 'a4' },
      mode: 'live',
      keyId: expect.stringMatching(/^key-/),
      expiresAt: new Date(clock.now().getTime() + 24 * HOUR).toISOString(),
    });
    expect(metadata.labels).toEqual({ 'trifold.dev/items': '3' });
    expect(await batches.data(id)).toEqual(ITEMS.map(({ data }) => data));
  });

  it('creates one batch for an Idempotency-Key, and returns 202 with its current status to repetitions', async () => {
    const send = async () => batches.send({}, { headers: { 'idempotency-key': 'run-17' } });
    const first = await send();
    expect(first.statusCode, first.body).toBe(202);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    const { id } = first.json<{ id: string }>();
    const again = await send();
    expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([202, 'true']);
    expect(again.json()).toEqual(first.json());
    await batches.finish(id);
    expect((await send()).json()).toMatchObject({ id, status: 'completed', completed: 3 });
    await batches.remove(id);
    const last = await send();
    expect([last.statusCode, last.json().id, last.json().status]).toEqual([202, id, 'completed']);
    expect((await batches.all()).map(({ metadata }) => metadata.name)).not.toContain(id);
  });

  it('accepts 100 items and marks a batch created with a test key as a test', async () => {
    const items = Array.from({ length: 100 }, (_, index) => ({ data: { index } }));
    const response = await batches.send({ items }, { key: await gateway.mint({ mode: 'test' }, true) });
    expect(response.json()).toMatchObject({ total: 100, status: 'pending' });
    const { id } = response.json<{ id: string }>();
    expect((await batches.get(id)).spec).toMatchObject({ mode: 'test', total: 100 });
    expect(await batches.data(id)).toEqual(items.map(({ data }) => data));
  });

  const second = (item: object) => ({ items: [{ data: {} }, item] });
  const tooMany = Array.from({ length: 101 }, () => ({ data: {} }));
  it.each([
    ['no items', { items: [] }, '/items', 'must have at least 1 item'],
    ['101 items', { items: tooMany }, '/items', 'at most 100 items'],
    ['missing items', { items: undefined }, '/items', 'is required'],
    ['an item without data', second({}), '/items/1/data', 'is required'],
    ['an unknown field of an item', second({ data: {}, async: true }), '/items/1/async', 'not a known field'],
    ['metadata', second({ data: {}, metadata: { a: 'x'.repeat(1017) } }), '/items/1/metadata', '1024 bytes'],
    ['dots', second({ data: {}, filename: '..' }), '/items/1/filename', 'no characters that are allowed'],
    ['no format', { format: undefined }, '/format', 'is required'],
    ['an unknown format', { format: 'epub' }, '/format', 'must be one of'],
    ['no template', { template_id: undefined }, '/template_id', 'is required'],
    ['an unknown field', { async: true }, '/async', 'not a known field'],
    ['a webhook_url', { webhook_url: 'https://example.com' }, '/webhook_url', 'not a known field'],
    ['invalid options', { options: { page_size: 'a7' } }, '/options/page_size', 'must be one of'],
  ])('returns 400 for %s', async (_what, members, path, message) => {
    const response = await batches.send(members);
    expect(response.statusCode, response.body).toBe(400);
    expect(response.json()).toMatchObject({
      code: 'invalid_request',
      details: [{ path, message: expect.stringContaining(message) }],
    });
  });

  it.each(['DELETE', 'PUT'] as const)(
    'returns 405 and does not treat the path as an ID: %s',
    async (method) => {
      const response = await gateway.call(method, '/v1/generate/batch');
      expect([response.statusCode, response.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
    },
  );
});

import { templateHistoryPrefix, TEMPLATE } from '@trifold/crds';
import { ObjectStoreError } from '@trifold/platform/object-store/port.ts';
import { describe, expect, it, vi } from 'vitest';
import { GatewayFixture } from '../testing/gateway-fixture.ts';

const lines: string[] = [];
const gateway = await GatewayFixture.shared({ log: (line) => lines.push(line) });

const LETTER = {
  name: 'Letter',
  description: 'To a friend',
  html: '<p>Dear {{name}}</p>',
  css: 'p { color: red }',
  schema: { fields: [{ name: 'name', type: 'string' }] },
  default_options: { page_size: 'a4' },
  email: { subject: 'To {{name}}' },
};
const LARGE = `<p>${'x'.repeat(70_000)}</p>`;
const create = async (body: object = LETTER) => {
  const response = await gateway.call('POST', '/v1/templates', { body });
  expect(response.statusCode, response.body).toBe(201);
  return response.json();
};
const patch = async (id: string, body: object) => {
  const response = await gateway.call('PATCH', `/v1/templates/${id}`, { body });
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};
const versions = async (id: string, query = '') =>
  (await gateway.call('GET', `/v1/templates/${id}/versions${query}`)).json();
const version = async (id: string, number: number | string) =>
  gateway.call('GET', `/v1/templates/${id}/versions/${number}`);
const restore = async (id: string, number: number | string) =>
  gateway.call('POST', `/v1/templates/${id}/versions/${number}/restore`);
const resource = async (id: string) => gateway.kubernetes.resource(TEMPLATE).get('acme', id);

it('GET /v1/templates/:id/versions orders by number and continues after the cursor', async () => {
  const { id } = await create();
  for (let number = 2; number <= 11; number++) await patch(id, {});
  const first = await versions(id, '?limit=3');
  expect(first.data).toMatchObject([{ version: 11 }, { version: 10 }, { version: 9 }]);
  const second = await versions(id, `?limit=3&cursor=${first.pagination.next_cursor}`);
  expect(second.data).toMatchObject([{ version: 8 }, { version: 7 }, { version: 6 }]);
  expect(second.pagination).toMatchObject({ has_more: true, total_count: 11 });
  const other = await create();
  const response = await versions(other.id, `?cursor=${first.pagination.next_cursor}`);
  expect(response).toMatchObject({ statusCode: 400, code: 'invalid_cursor' });
});

it('GET /v1/templates/:id/versions returns 404 after the template is deleted', async () => {
  const { id } = await create();
  await gateway.call('DELETE', `/v1/templates/${id}`);
  expect(await versions(id)).toMatchObject({ code: 'template_not_found' });
  expect((await version(id, 1)).json()).toMatchObject({ code: 'template_not_found' });
});

it.each(['2', '0', '-1', '01', '1.0', '1e0', 'x', '9'.repeat(40), '..%2f1'])(
  'GET /v1/templates/:id/versions/:version returns 404 for version %s',
  async (number) => {
    const { id } = await create();
    for (const response of [await version(id, number), await restore(id, number)]) {
      expect(response.json()).toMatchObject({ statusCode: 404, code: 'version_not_found' });
    }
  },
);

describe('POST /v1/templates/:id/versions/:version/restore', () => {
  it('creates a new version with the whole content of the old one', async () => {
    const created = await create();
    await patch(created.id, { name: 'Other', description: null, css: null, html: LARGE, status: 'archived' });
    const response = await restore(created.id, 1);
    expect(response.statusCode, response.body).toBe(200);
    const restored = response.json();
    expect(restored).toEqual({ ...created, version: 3, updated_at: restored.updated_at });
    expect(restored.updated_at > created.updated_at).toBe(true);
    expect((await gateway.call('GET', `/v1/templates/${created.id}`)).json()).toEqual(restored);
    expect((await resource(created.id)).spec).not.toHaveProperty('sourceRef');
    expect((await versions(created.id)).data).toMatchObject([
      { version: 3, change: 'restored', by: 'key' },
      { version: 2, change: 'updated' },
      { version: 1, change: 'created' },
    ]);
  });

  it('rejects content that a PATCH rejects', async () => {
    const { id } = await create();
    const templates = gateway.kubernetes.resource(TEMPLATE);
    const key = { namespace: 'acme', name: id };
    const broken = await templates.patch(key, { spec: { html: '{{#if}}' } });
    // The current version exists before its copy.
    expect((await version(id, 2)).json()).toMatchObject({ html: '{{#if}}' });
    const { html = '', ...spec } = broken.spec;
    const { namespace = '', uid } = broken.metadata;
    await gateway.store.put(
      `${templateHistoryPrefix(namespace, uid)}2`,
      JSON.stringify({ template: { ...broken, spec }, source: { html } }),
    );
    await patch(id, { html: '<p></p>' });
    const rejected = { statusCode: 422, code: 'template_does_not_compile' };
    expect((await restore(id, 2)).json()).toMatchObject(rejected);
    expect((await resource(id)).metadata.generation).toBe(3);
  });

  it('is applied after concurrent changes, one version each', async () => {
    const { id } = await create();
    const rename = gateway.call('PATCH', `/v1/templates/${id}`, { body: { name: 'Two' } });
    const responses = await Promise.all([restore(id, 1), rename, restore(id, 1)]);
    const numbers = responses.map((response) => response.json<{ version: number }>().version);
    expect(new Set(numbers)).toEqual(new Set([2, 3, 4]));
  });
});

describe('If-Match', () => {
  const update = async (id: string, ifMatch: string) =>
    gateway.call('PATCH', `/v1/templates/${id}`, { body: { name: 'N' }, headers: { 'if-match': ifMatch } });

  it.each(['"1"', '1', '*'])('of %s accepts version 1', async (ifMatch) => {
    const { id } = await create();
    expect((await update(id, ifMatch)).json()).toMatchObject({ version: 2 });
  });

  it('of another version returns 412 and changes nothing', async () => {
    const { id } = await create();
    for (const ifMatch of ['"2"', '7']) {
      expect((await update(id, ifMatch)).json()).toMatchObject({ statusCode: 412, code: 'version_conflict' });
    }
    expect((await resource(id)).metadata.generation).toBe(1);
  });

  it('ignores changes that do not create a version', async () => {
    const { id } = await create();
    const templates = gateway.kubernetes.resource(TEMPLATE);
    await templates.patch({ namespace: 'acme', name: id }, { metadata: { labels: { a: 'b' } } });
    expect((await update(id, '"1"')).statusCode).toBe(200);
  });

  it.each(['', '"1', '1"', 'W/"1"', '"1", "2"', '0', '-1', '"a"', '1'.repeat(40)])(
    'of %j returns 400',
    async (ifMatch) => {
      const { id } = await create();
      expect((await update(id, ifMatch)).json()).toMatchObject({ statusCode: 400, code: 'invalid_request' });
    },
  );
});

it('A history that cannot be stored does not cause a save to fail', async () => {
  const put = vi
    .spyOn(gateway.store, 'put')
    .mockRejectedValue(new ObjectStoreError('unavailable', 'the store is away'));
  const { id } = await create();
  expect(await patch(id, { name: 'Saved' })).toMatchObject({ name: 'Saved', version: 2 });
  put.mockRestore();
  expect((await versions(id)).data).toEqual([]);
  expect(lines.join('')).toContain('failed to store a template version');
});

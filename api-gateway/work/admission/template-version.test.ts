import { BATCH, GENERATION_JOB, TEMPLATE } from '@trifold/crds';
import { RevisionStore } from '@trifold/platform/templating/revisions/revision.ts';
import { intercepting } from '@trifold/test-support/faults/intercepting.ts';
import { describe, expect, it, vi } from 'vitest';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';

const FIELDS = [{ name: 'greeting', type: 'string', default: 'Dear' }];
const FIRST = {
  name: 'First',
  html: `<p>{{greeting}} ${'x'.repeat(70_000)}</p>`,
  css: 'p {}',
  schema: { fields: FIELDS },
  default_options: { margins: { left: '5in' } },
};
const SECOND = {
  name: 'Second',
  html: '<p>second</p>',
  css: null,
  schema: { fields: [{ name: 'number', type: 'string', required: true }] },
  default_options: null,
};

const gateway = await GatewayFixture.shared();
const template_id = (await gateway.call('POST', '/v1/templates', { body: FIRST })).json().id;
await gateway.call('PATCH', `/v1/templates/${template_id}`, { body: SECOND });

const generate = async (more: object, options: { key?: string; id?: string } = {}) => {
  const body = { template_id: options.id ?? template_id, data: {}, async: true, ...more };
  return gateway.call('POST', '/v1/generate', { body, ...(options.key && { key: options.key }) });
};

async function jobOf(response: Awaited<ReturnType<typeof generate>>) {
  expect(response.statusCode, response.body).toBe(202);
  const { id } = response.json<{ id: string }>();
  return gateway.kubernetes.resource(GENERATION_JOB).get('acme', id);
}

describe('A request that names a template version', () => {
  it('uses the HTML, schema and default options of that version', async () => {
    const { spec, metadata } = await jobOf(await generate({ version: 1 }));
    expect(spec).toMatchObject({ version: 1, data: { greeting: 'Dear' } });
    const created = new Date(metadata.creationTimestamp);
    const revision = await new RevisionStore(gateway.store).load('acme', spec.revision ?? '', created);
    expect(revision?.content).toMatchObject({ displayName: 'First', html: FIRST.html, css: 'p {}' });
    const rejected = await generate({ version: 1, options: { margins: { right: '4in' } } });
    expect(rejected.json()).toMatchObject({ code: 'options_invalid' });
  });

  it('uses the saved version if the request names it or does not name a version', async () => {
    expect((await generate({})).json()).toMatchObject({ code: 'data_invalid' });
    const data = { number: '7' };
    for (const version of [undefined, 2]) {
      expect((await jobOf(await generate({ version, data }))).spec).toMatchObject({ version: 2, data });
    }
  });

  it('reads a version and its template once, and only metadata afterwards', async () => {
    const accepted: (string | undefined)[] = [];
    const own = await GatewayFixture.forTest({
      intercept: intercepting(({ path, headers }) => {
        if (/\/templates\/./.test(path)) accepted.push(headers?.['accept']);
      }),
    });
    const id = await own.template(FIRST);
    await own.call('PATCH', `/v1/templates/${id}`, { body: SECOND });
    const request = { body: { template_id: id, version: 1, data: {}, async: true } };
    expect((await own.call('POST', '/v1/generate', request)).statusCode).toBe(202);
    accepted.length = 0;
    const read = vi.spyOn(own.store, 'read');
    expect((await own.call('POST', '/v1/generate', request)).statusCode).toBe(202);
    expect(read.mock.calls.filter(([key]) => key.startsWith('history/'))).toEqual([]);
    expect(accepted).toEqual([expect.stringContaining('PartialObjectMetadata')]);
  });

  it('creates a batch with that version', async () => {
    const body = { template_id, version: 1, format: 'pdf', items: [{ data: {} }] };
    const response = await gateway.call('POST', '/v1/generate/batch', { body });
    expect(response.statusCode, response.body).toBe(202);
    const batch = await gateway.kubernetes.resource(BATCH).get('acme', response.json().id);
    expect(batch.spec).toMatchObject({ version: 1 });
    const missing = await gateway.call('POST', '/v1/generate/batch', { body: { ...body, version: 3 } });
    expect(missing.json()).toMatchObject({ statusCode: 422, code: 'version_not_found' });
  });

  it.each([3, Number.MAX_SAFE_INTEGER])('returns 422 for the unknown version %s', async (version) => {
    expect((await generate({ version })).json()).toMatchObject({
      statusCode: 422,
      code: 'version_not_found',
    });
  });

  it.each([0, -1, 1.5, '1', null])('returns 400 for the version %j', async (version) => {
    expect((await generate({ version })).json()).toMatchObject({ statusCode: 400, code: 'invalid_request' });
  });

  it('generates a document only if the saved version is not archived', async () => {
    const id = (await gateway.call('POST', '/v1/templates', { body: FIRST })).json<{ id: string }>().id;
    await gateway.call('PATCH', `/v1/templates/${id}`, { body: { status: 'archived' } });
    expect((await generate({ version: 1 }, { id })).json()).toMatchObject({ code: 'template_archived' });
    await gateway.call('PATCH', `/v1/templates/${id}`, { body: { status: 'active' } });
    expect((await jobOf(await generate({ version: 2 }, { id }))).spec).toMatchObject({ version: 2 });
  });
});

describe('A published version', () => {
  const publish = async (id: string, version: unknown) =>
    gateway.call('POST', `/v1/templates/${id}/publish`, { body: { version } });
  const created = async (body: object = FIRST) =>
    (await gateway.call('POST', '/v1/templates', { body })).json<{ id: string }>().id;

  it('is used by documents, batches and emails that do not name a version', async () => {
    const id = await created({ ...FIRST, email: { subject: 'First' } });
    expect((await publish(id, 1)).json()).toMatchObject({ version: 1, published_version: 1 });
    await gateway.call('PATCH', `/v1/templates/${id}`, { body: { ...SECOND, email: { subject: 'Second' } } });
    expect((await jobOf(await generate({}, { id }))).spec).toMatchObject({ version: 1 });
    const named = await generate({ version: 2, data: { number: '7' } }, { id });
    expect((await jobOf(named)).spec).toMatchObject({ version: 2 });
    const email = await gateway.call('POST', '/v1/emails/compile', { body: { template_id: id, data: {} } });
    expect(email.json()).toMatchObject({ subject: 'First' });
    const batch = await gateway.call('POST', '/v1/generate/batch', {
      body: { template_id: id, format: 'pdf', items: [{ data: {} }] },
    });
    expect(batch.statusCode, batch.body).toBe(202);
  });

  it('is stored on publication if it had not been stored before', async () => {
    const id = await created();
    await gateway.store.deletePrefix('history/');
    await publish(id, 1);
    await gateway.call('PATCH', `/v1/templates/${id}`, { body: { html: '<p>second</p>' } });
    expect((await jobOf(await generate({}, { id }))).spec).toMatchObject({ version: 1 });
  });

  it.each([
    [2, 422, 'version_not_found'],
    [0, 400, 'invalid_request'],
    ['1', 400, 'invalid_request'],
    [undefined, 400, 'invalid_request'],
  ])('cannot be %j: returns %i', async (version, statusCode, code) => {
    expect((await publish(await created(), version)).json()).toMatchObject({ statusCode, code });
  });

  it('returns 422 if it was set with kubectl and is not stored', async () => {
    const id = await created();
    const annotations = { 'trifold.dev/published-version': 'seven' };
    const templates = gateway.kubernetes.resource(TEMPLATE);
    await templates.patch({ namespace: 'acme', name: id }, { metadata: { annotations } });
    expect((await generate({}, { id })).json()).toMatchObject({ statusCode: 422, code: 'version_not_found' });
    expect((await gateway.call('GET', `/v1/templates/${id}`)).json()).not.toHaveProperty('published_version');
  });
});

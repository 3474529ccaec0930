import { GENERATION_JOB, revisionKey, revisionTimeOf } from '@trifold/crds';
import { describe, expect, it, vi } from 'vitest';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';

const TEMPLATE = {
  html: '<p>{{name}}</p>',
  css: 'p { color: teal }',
  schema: { fields: [{ name: 'currency', type: 'string', default: 'EUR' }] },
  default_options: { page_size: 'a5' },
  name: 'Greeting',
};
const REQUEST = { template: TEMPLATE, data: { name: 'Ada' }, async: true };

const gateway = await GatewayFixture.shared();

const generate = async (body: object) => gateway.call('POST', '/v1/generate', { body });

async function jobOf(response: { statusCode: number; body: string; json(): { id: string } }) {
  expect(response.statusCode, response.body).toBe(202);
  return gateway.kubernetes.resource(GENERATION_JOB).get('acme', response.json().id);
}

describe('A template in the request', () => {
  it('becomes a stored revision, which is all that the job refers to', async () => {
    const response = await generate(REQUEST);
    expect(response.json()).toMatchObject({ status: 'pending', template_id: null });
    const job = await jobOf(response);
    expect(job.spec).toMatchObject({ data: { name: 'Ada', currency: 'EUR' } });
    for (const member of ['templateRef', 'template', 'version']) expect(job.spec).not.toHaveProperty(member);
    const key = revisionKey('acme', job.spec.revision ?? '', revisionTimeOf(job));
    const revision = await gateway.store.read(key);
    expect(JSON.parse(String(revision))).toEqual({
      displayName: 'Greeting',
      html: TEMPLATE.html,
      css: TEMPLATE.css,
      schema: TEMPLATE.schema,
      defaultOptions: { pageSize: 'a5' },
    });
    const status = await gateway.call('GET', `/v1/generate/${job.metadata.name}`);
    expect(status.json().template_id).toBeNull();
    expect((await gateway.call('GET', '/v1/generate')).json().data).toMatchObject([
      { template_id: null, id: status.json().id },
    ]);
    expect((await gateway.call('GET', '/v1/generate?q=Greeting')).json().data).toEqual([]);
  });

  it('is stored and checked once while its content does not change', async () => {
    const put = vi.spyOn(gateway.store, 'put');
    const named = async (name: string) =>
      jobOf(await generate({ ...REQUEST, template: { ...TEMPLATE, name } }));
    const [first, again, other] = [await named('One'), await named('One'), await named('Two')];
    expect(again.spec.revision).toBe(first.spec.revision);
    expect(other.spec.revision).not.toBe(first.spec.revision);
    expect(put.mock.calls.filter(([key]) => key.startsWith('revisions/'))).toHaveLength(2);
  });

  it('also requires the templates:write scope', async () => {
    const key = await gateway.mint({ scopes: ['documents:generate'] }, true);
    for (const [path, body] of [
      ['/v1/generate', REQUEST],
      ['/v1/generate/batch', { template: TEMPLATE, format: 'pdf', items: [{ data: {} }] }],
    ] as const) {
      const response = await gateway.call('POST', path, { body, key });
      const rejected = [401, { missingScopes: ['templates:write'] }];
      expect([response.statusCode, response.json()]).toMatchObject(rejected);
    }
  });

  it.each([
    ['neither it nor an ID', {}, '/template_id'],
    ['it and an ID', { template: TEMPLATE, template_id: 'tpl-1' }, '/template'],
    ['a version', { template: TEMPLATE, version: 1 }, '/version'],
    ['an unknown member', { template: { html: 'x', email: {} } }, '/template/email'],
    ['no html', { template: { css: 'x' } }, '/template/html'],
    [
      'an option without its companions',
      { template: { html: 'x', default_options: { page_size: 'custom' } } },
      '/template/default_options/width',
    ],
    [
      'margins that leave no room',
      { template: { html: 'x', default_options: { margins: '140mm' } } },
      '/template/default_options/margins',
    ],
  ])('gets 400 with the field for %s', async (_what, members, path) => {
    const response = await generate({ data: {}, ...members });
    expect(response.statusCode, response.body).toBe(400);
    expect(response.json().details[0].path).toBe(path);
  });

  it('gets 422 with the field, line and column if it would be invalid as a saved template', async () => {
    const html = await generate({ template: { html: '<p>\n{{#each x}}' }, data: {} });
    expect([html.statusCode, html.json()]).toMatchObject([
      422,
      { code: 'template_does_not_compile', line: 2, details: [{ path: '/template/html' }] },
    ]);
    const header = { content: '{{#if}}', height: '10mm' };
    const defaults = await generate({ template: { html: 'x', default_options: { header } }, data: {} });
    expect(defaults.json()).toMatchObject({
      code: 'template_does_not_compile',
      details: [{ path: '/template/default_options/header/content' }],
    });
    const schema = { fields: [{ name: 'a', type: 'string', pattern: '(' }] };
    const wrong = await generate({ template: { html: 'x', schema }, data: {} });
    expect([wrong.statusCode, wrong.json()]).toMatchObject([
      422,
      { code: 'invalid_schema', details: [{ path: '/template/schema/fields/0/pattern' }] },
    ]);
    const data = await generate({ ...REQUEST, data: { currency: 7 } });
    expect(data.json()).toMatchObject({ code: 'data_invalid', details: [{ path: '/data/currency' }] });
    const large = await generate({ template: { html: 'x'.repeat(1024 * 1024), css: 'y' }, data: {} });
    expect(large.json().code).toBe('template_too_large');
  });
});

import { describe, expect, it } from 'vitest';
import { TEMPLATE } from '@trifold/crds';
import { GatewayFixture } from '../testing/gateway-fixture.ts';

const FULL = {
  name: 'Full',
  html: '<p>{{v}}</p>',
  description: 'what it is for',
  css: 'p { margin: 0 }',
  schema: { fields: [{ name: 'v', type: 'string', required: true }] },
  default_options: { page_size: 'a4' },
  email: { subject: 'For {{v}}', preheader: 'Read {{v}}', text: 'Dear {{v}}' },
} as const;
const REMOVABLE = ['description', 'css', 'schema', 'default_options', 'email'] as const;

const gateway = await GatewayFixture.shared();

const specOf = async (id: string) => (await gateway.kubernetes.resource(TEMPLATE).get('acme', id)).spec;

describe('null in PATCH /v1/templates/:id', () => {
  it.each(REMOVABLE)('removes %s and nothing else, and creates a new version', async (member) => {
    const id = await gateway.template(FULL);
    const response = await gateway.call('PATCH', `/v1/templates/${id}`, { body: { [member]: null } });
    expect(response.statusCode, response.body).toBe(200);
    expect(response.json()).toMatchObject({ ...FULL, [member]: null, version: 2 });
    expect((await gateway.call('GET', `/v1/templates/${id}`)).json()).toEqual(response.json());
    expect(await specOf(id)).not.toHaveProperty(member === 'default_options' ? 'defaultOptions' : member);
  });

  it('removes the CSS of a source stored outside the resource', async () => {
    const html = `<p>${'x'.repeat(100_000)}</p>`;
    const id = await gateway.template({ ...FULL, html });
    const response = await gateway.call('PATCH', `/v1/templates/${id}`, { body: { css: null } });
    expect(response.json()).toMatchObject({ html, css: null });
    expect((await gateway.call('GET', `/v1/templates/${id}`)).json()).toMatchObject({ html, css: null });
  });

  it.each(['name', 'html', 'status'])('is rejected for %s, which is required', async (member) => {
    const id = await gateway.template(FULL);
    const response = await gateway.call('PATCH', `/v1/templates/${id}`, { body: { [member]: null } });
    expect(response.json()).toMatchObject({ statusCode: 400, code: 'invalid_request' });
    expect(response.json<{ message: string }>().message).toContain(`/${member} must be a string`);
  });

  it('can be written back as it was read', async () => {
    const id = await gateway.template();
    const read = (await gateway.call('GET', `/v1/templates/${id}`)).json<Record<string, unknown>>();
    const { id: _id, version: _version, created_at: _created, updated_at: _updated, ...members } = read;
    const changed = await gateway.call('PATCH', `/v1/templates/${id}`, { body: members });
    expect(changed.json()).toMatchObject({ ...members, version: 2 });
    const copy = await gateway.call('POST', '/v1/templates', { body: members });
    expect(copy.statusCode, copy.body).toBe(201);
    expect(copy.json()).toMatchObject(members);
  });
});

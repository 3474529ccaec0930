import { describe, expect, it } from 'vitest';
import { newId, TEMPLATE, type Template } from '@trifold/crds';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';

const NO_ROOM = { margins: { left: '5in', right: '3.5in' } };

const gateway = await GatewayFixture.shared();

const generate = async (template_id: string, options?: object) =>
  gateway.call('POST', '/v1/generate', { body: { template_id, data: {}, async: true, options } });

const rejectedAt = (path: string) => ({
  statusCode: 400,
  code: 'options_invalid',
  details: [{ path, message: expect.stringMatching(/left and right together leave no room/) }],
});

describe('Margins that leave no space on the page', () => {
  it('are rejected in a request', async () => {
    const id = await gateway.template();
    expect((await generate(id, NO_ROOM)).json()).toMatchObject(rejectedAt('/options/margins'));
    expect((await generate(id, { margins: '110mm' })).json()).toMatchObject(rejectedAt('/options/margins'));
    expect((await generate(id, { ...NO_ROOM, orientation: 'landscape' })).statusCode).toBe(202);
  });

  it('are rejected if they result from a request and the default options of its template', async () => {
    const id = await gateway.template({ default_options: { margins: { left: '5in' } } });
    expect((await generate(id)).statusCode).toBe(202);
    const rejected = await generate(id, { margins: { right: '4in' } });
    expect(rejected.json()).toMatchObject(rejectedAt('/options/margins/right'));
  });

  it('are rejected as the default options of a template', async () => {
    const body = { name: 'Narrow', html: '<p></p>', default_options: NO_ROOM };
    const created = await gateway.call('POST', '/v1/templates', { body });
    expect(created.json()).toMatchObject(rejectedAt('/default_options/margins'));
    const id = await gateway.template();
    const changed = await gateway.call('PATCH', `/v1/templates/${id}`, {
      body: { default_options: NO_ROOM },
    });
    expect(changed.json()).toMatchObject(rejectedAt('/default_options/margins'));
    expect((await gateway.call('GET', `/v1/templates/${id}`)).json()).toMatchObject({ version: 1 });
  });

  it('are attributed to the template if it was applied with kubectl', async () => {
    const name = newId('tpl', new Date());
    await gateway.kubernetes.resource<Template>(TEMPLATE).create({
      metadata: { name, namespace: 'acme' },
      spec: { displayName: 'Narrow', html: '<p></p>', defaultOptions: NO_ROOM },
    });
    expect((await generate(name)).json()).toMatchObject({ ...rejectedAt('/template_id'), statusCode: 422 });
    expect((await generate(name, { margins: '1in' })).statusCode).toBe(202);
  });
});

import { SCOPES, TEMPLATE } from '@trifold/crds';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Gateway } from '../gateway.ts';
import type { Page } from '../server/pagination/page.ts';
import { GatewayFixture } from '../testing/gateway-fixture.ts';
import { ScriptedController } from '../testing/scripted-controller.ts';
import type { RequestEntry } from './request-view.ts';

let clock: FakeClock;
let gateway: GatewayFixture;
let keyId: string;
beforeEach(async () => {
  clock = new FakeClock();
  const sessionSecret = 'a secret of at least 32 characters';
  gateway = await GatewayFixture.forTest({ clock, config: { sessionSecret } });
  const keys = await gateway.call('GET', '/v1/api-keys');
  keyId = keys.json<Page<{ id: string }>>().data[0]?.id ?? '';
});

async function requests(query = '', key = gateway.key, at?: Gateway): Promise<Page<RequestEntry>> {
  const response = await gateway.call('GET', `/v1/requests${query}`, { key, ...(at && { gateway: at }) });
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
}

const idOf = (response: { headers: Record<string, unknown> }) => String(response.headers['x-request-id']);

describe('GET /v1/requests', () => {
  it('lists failed requests and successful writes with all known details', async () => {
    const template_id = await gateway.template({ schema: { fields: [{ name: 'n', type: 'number' }] } });
    const invalid = await gateway.call('POST', '/v1/generate', { body: { template_id, data: { n: 'x' } } });
    const made = await gateway.call('POST', '/v1/generate', { body: { template_id, data: {}, async: true } });
    await gateway.call('GET', '/v1/templates');
    const { data, pagination } = await requests();
    expect(pagination.total_count).toBe(3);
    const common = { key_id: keyId, key_name: 'test', duration_ms: expect.any(Number) };
    expect(data).toEqual([
      {
        ...common,
        request_id: idOf(made),
        created_at: clock.now().toISOString(),
        method: 'POST',
        route: '/v1/generate',
        status: 202,
        code: null,
        resource_id: made.json().id,
        template_id,
      },
      expect.objectContaining({
        request_id: idOf(invalid),
        status: 422,
        code: 'data_invalid',
        resource_id: null,
        template_id,
      }),
      expect.objectContaining({ route: '/v1/templates', status: 201, resource_id: template_id }),
    ]);
    expect((await requests('?outcome=failed')).data.map(({ status }) => status)).toEqual([422]);
    expect((await requests('?outcome=succeeded&limit=1')).pagination.total_count).toBe(2);
    expect((await requests(`?request_id=${idOf(invalid)}`)).data).toEqual([data[1]]);
    const { next_cursor: cursor } = (await requests('?limit=2')).pagination;
    expect((await requests(`?cursor=${cursor}`)).data).toEqual([data[2]]);
    expect((await gateway.call('GET', '/v1/requests?outcome=all')).statusCode).toBe(400);
  });

  it('shows each account its own requests, and key names only with api-keys:read', async () => {
    await gateway.template();
    expect((await requests('', gateway.otherKey)).data).toEqual([]);
    const key = await gateway.mint({ scopes: ['usage:read'] }, true);
    const { data } = await requests('?outcome=succeeded', key);
    expect(data).toHaveLength(1);
    expect(data[0]).not.toHaveProperty('key_name');
    await gateway.call('DELETE', `/v1/api-keys/${keyId}`);
    const reader = await gateway.mint({ scopes: ['usage:read', 'api-keys:read'] }, true);
    expect((await requests('', reader)).data.at(-1)).toMatchObject({ key_id: keyId, key_name: null });
  });

  it("lists every gateway's requests once they are written", async () => {
    const other = await gateway.startAnother();
    const body = { name: 'x', html: 'x' };
    const first = await gateway.call('POST', '/v1/templates', { body });
    clock.advance(1);
    const second = await gateway.call('POST', '/v1/templates', { body, gateway: other });
    expect((await requests()).data.map(idOfEntry)).toEqual([idOf(first)]);
    clock.advance(1_000);
    for (const at of [gateway.gateway, other]) {
      await eventually(async () =>
        expect((await requests('', gateway.key, at)).data.map(idOfEntry)).toEqual([
          idOf(second),
          idOf(first),
        ]),
      );
    }
  });
});

const idOfEntry = ({ request_id }: RequestEntry) => request_id;

describe('The request log', () => {
  it('never contains a query, body, header or message', async () => {
    const secret = 'hush-4711';
    const headers = { 'x-note': secret, 'idempotency-key': secret };
    const template_id = await gateway.template({ name: secret, html: secret, description: secret });
    await gateway.call('POST', '/v1/generate', {
      headers,
      body: { template_id, data: { [secret]: secret }, async: true, filename: secret, metadata: { secret } },
    });
    for (const [method, path, body] of [
      ['POST', '/v1/generate', { template_id: secret, data: {} }],
      ['POST', '/v1/generate', { template_id, data: {}, [secret]: secret }],
      ['POST', '/v1/emails/compile', { template_id: secret, data: {} }],
      ['POST', '/v1/templates', `{${secret}`],
      ['PATCH', '/v1/templates/x', { name: secret, html: '{{#if}' }],
      ['POST', '/v1/hooks', { source: 'make', url: `https://example.com/${secret}` }],
      ['POST', '/v1/api-keys', { name: secret }],
      ['GET', `/v1/templates?cursor=${secret}`, undefined],
      ['GET', `/v1/generate/${gateway.key}`, undefined],
    ] as const) {
      await gateway.call(method, path, { headers, body });
    }
    const { data } = await requests();
    expect(data).toHaveLength(11);
    clock.advance(1_000);
    await eventually(async () => (await gateway.store.list('requests/')).objects.length === 1);
    const [object] = (await gateway.store.list('requests/')).objects;
    const stored = String(await gateway.store.read(object?.key ?? ''));
    expect(stored.split('\n')).toHaveLength(11);
    for (const text of [stored, JSON.stringify(data)]) {
      for (const hidden of [secret, gateway.key, 'example.com', 'not valid'])
        expect(text).not.toContain(hidden);
    }
  });

  it('omits reads and previews that succeed, the dashboard, and requests without a valid key', async () => {
    const preview = { html: 'x', data: {}, format: 'email', email: { subject: 'x' } };
    expect((await gateway.call('POST', '/v1/templates/preview', { body: preview })).statusCode).toBe(200);
    await gateway.call('GET', '/v1/usage');
    await gateway.call('GET', '/v1/nothing-here');
    const page = { host: 'localhost', origin: 'http://localhost', 'x-trifold-session': '1' };
    const signIn = { key: '', headers: page, body: { key: gateway.key } };
    const cookie = String((await gateway.call('POST', '/dashboard/session', signIn)).headers['set-cookie']);
    for (const [body, status] of [[{ name: 'x', html: 'x' }, 201] as const, [{}, 400] as const]) {
      const headers = { ...page, cookie: cookie.split(';')[0] ?? '' };
      const sent = await gateway.call('POST', '/v1/templates', { key: '', headers, body });
      expect(sent.statusCode, sent.body).toBe(status);
    }
    for (const key of ['', gateway.key.replace(/.$/, '_')])
      await gateway.call('POST', '/v1/templates', { key, body: {} });
    expect((await requests()).data).toEqual([]);
    await gateway.call('POST', '/v1/templates/preview', { body: {} });
    await gateway.call('HEAD', '/v1/templates/tpl-gone');
    expect((await requests()).data).toMatchObject([
      { method: 'HEAD', route: '/v1/templates/:id', resource_id: 'tpl-gone', status: 404 },
      { route: '/v1/templates/preview', status: 400 },
    ]);
  });

  it('names the code, the document and the template of other failures', async () => {
    const key = await gateway.mint({ scopes: SCOPES.filter((scope) => scope !== 'templates:write') }, true);
    const templates = gateway.kubernetes.resource(TEMPLATE);
    const spec = { displayName: 'Letter', html: '{{#each}' };
    await templates.create({ metadata: { name: 'broken', namespace: 'acme' }, spec });
    const generate = async (body: object, headers = {}) =>
      gateway.call('POST', '/v1/generate', { body: { data: {}, ...body }, headers });
    await gateway.call('POST', '/v1/templates', { key, body: {} });
    await generate({ template_id: 'broken' });
    await generate({ template_id: 'gone' });
    const controller = new ScriptedController(gateway);
    const template_id = await gateway.template();
    const accept = { accept: 'application/pdf' };
    const [failing, failed] = [generate({ template_id }, accept), await controller.next()];
    await controller.fail(failed);
    await failing;
    const [printing, printed] = [generate({ template_id }, accept), await controller.next()];
    await controller.complete(printed);
    await printing;
    const { data } = await requests();
    expect(data.map(({ code, resource_id, template_id: template }) => [code, resource_id, template])).toEqual(
      [
        [null, printed.metadata.name, template_id],
        ['generation_failed', failed.metadata.name, template_id],
        [null, template_id, null],
        ['template_not_found', null, null],
        ['template_does_not_compile', null, 'broken'],
        ['insufficient_scope', null, null],
      ],
    );
  });
});

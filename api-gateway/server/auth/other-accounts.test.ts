import { newId } from '@trifold/crds';
import { expect, it } from 'vitest';
import { DeliveryAccount, FAILED } from '../../testing/delivery-account.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { ScriptedBatches } from '../../testing/scripted-batches.ts';
import { ScriptedController } from '../../testing/scripted-controller.ts';
import { ROUTE_SCOPES } from './scopes.ts';

type Method = Parameters<GatewayFixture['call']>[0];
/** Paths of a resource kind, its ID prefix, and an example ID. */
type Own = readonly [path: RegExp, prefix: Parameters<typeof newId>[0], id: string];

const ROUTES = Object.keys(ROUTE_SCOPES).map((route) => {
  const [method, template] = route.split(' ') as [Method, string];
  return { route, method, template };
});
/** Request bodies of the routes that have an ID and need a body. */
const BODIES: Readonly<Record<string, object>> = {
  'PATCH /v1/templates/:id': { name: 'Mine now' },
  'PUT /v1/templates/:id/samples': { samples: [] },
  'POST /v1/templates/:id/publish': { version: 1 },
  'POST /v1/templates/:id/versions/:version/preview': { data: {} },
};

const pathOf = (template: string, id: string) =>
  template.replace(':id', id).replace(/:(version|index)/, (_, name) => (name === 'index' ? '0' : '1'));

const gateway = await GatewayFixture.shared();

it("no route reaches another account's resources", async () => {
  const template_id = await gateway.template();
  const post = async (url: string, body: object) =>
    (await gateway.call('POST', url, { body })).json<{ id: string }>().id;
  const document = await post('/v1/generate', { template_id, data: {}, async: true });
  const controller = new ScriptedController(gateway);
  await controller.complete(await controller.next());
  const batch = await post('/v1/generate/batch', { template_id, format: 'pdf', items: [{ data: {} }] });
  await new ScriptedBatches(gateway).finish(batch);
  const hook = { source: 'make', url: 'https://hooks.example.com/' };
  await post('/v1/webhooks/settings', { url: hook.url });
  const own: Own[] = [
    [/^\/v1\/templates/, 'tpl', template_id],
    [/^\/v1\/generate\/batch/, 'bat', batch],
    [/^\/v1\/generate/, 'gen', document],
    [/deliveries/, 'whd', await (await DeliveryAccount.make(gateway, 'acme')).deliver({ status: FAILED })],
    [/^\/v1\/hooks/, 'hook', await post('/v1/hooks', hook)],
    [/keys/, 'key', await post('/v1/api-keys', { name: 'Mine' })],
  ];
  const key = gateway.otherKey;
  const found = await read(own);

  for (const { route, method, template } of ROUTES.filter((one) => one.template.includes(':id'))) {
    const [, prefix, id] = own.find(([path]) => path.test(template)) as Own;
    const unknown = newId(prefix, gateway.clock.now());
    const responses = [];
    for (const each of [id, unknown]) {
      const response = await gateway.call(method, pathOf(template, each), { key, body: BODIES[route] });
      const { request_id: _, ...rest } = JSON.parse(response.body.replaceAll(each, 'it')) as Record<
        string,
        unknown
      >;
      responses.push({ ...rest, status: response.statusCode });
    }
    expect(responses[0], route).toEqual(responses[1]);
    // Deleting a hook succeeds whether or not it exists.
    expect(responses[0]?.status, route).toBe(route === 'DELETE /v1/hooks/:id' ? 200 : 404);
  }
  for (const [url, more] of [
    ['/v1/generate', { data: {} }],
    ['/v1/generate/batch', { format: 'pdf', items: [{ data: {} }] }],
    ['/v1/emails/compile', { data: {} }],
  ] as const) {
    const response = await gateway.call('POST', url, { key, body: { template_id, ...more } });
    expect(response.json(), url).toMatchObject({ statusCode: 404, code: 'template_not_found' });
  }
  for (const list of ['templates', 'generate', 'generate/batch', 'hooks', 'webhooks/deliveries']) {
    const url = `/v1/${list}`;
    expect((await gateway.call('GET', url, { key })).json(), url).toMatchObject({ data: [] });
  }
  for (const [method, url, status] of [
    ['GET', '/v1/webhooks/settings', 404],
    ['POST', '/v1/webhooks/settings/test', 404],
    ['DELETE', '/v1/webhooks/settings', 200],
    ['POST', '/v1/webhooks/deliveries/retry', 202],
  ] as const) {
    expect((await gateway.call(method, url, { key })).statusCode, url).toBe(status);
  }
  const keys = (await gateway.call('GET', '/v1/keys', { key })).json<{ data: { name: string }[] }>();
  expect(keys.data.map(({ name }) => name)).toEqual(['test']);
  expect(await read(own)).toEqual(found);
});

/** Returns the owner's view of all objects. */
async function read(own: readonly Own[]): Promise<unknown[]> {
  const responses = [await gateway.call('GET', '/v1/webhooks/settings')];
  for (const [path, , id] of own) {
    const route = ROUTES.find(
      ({ method, template }) => method === 'GET' && path.test(template) && template.endsWith('/:id'),
    );
    responses.push(await gateway.call('GET', pathOf(route?.template ?? '', id)));
  }
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(responses.map(() => 200));
  return responses.map((response) => response.json<unknown>());
}

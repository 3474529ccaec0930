import { API_KEY, TEMPLATE, type ApiKey, type Template } from '@trifold/crds';
import { eventually } from '@trifold/test-support/eventually.ts';
import { losingCreates } from '@trifold/test-support/faults/losing-writes.ts';
import { SlowWatch } from '@trifold/test-support/faults/slow-watch.ts';
import { describe, expect, it } from 'vitest';
import type { GatewayConfig } from '../../config.ts';
import { GatewayFixture, type FixtureOptions } from '../../testing/gateway-fixture.ts';

let gateway: GatewayFixture;

interface Limited {
  readonly path: string;
  readonly setting: 'maxTemplates' | 'maxKeys';
  readonly code: string;
  readonly plural: string;
  readonly body: object;
  /** Objects that a fixture account has from the start. */
  readonly before: number;
}
const TEMPLATES = { path: '/v1/templates', setting: 'maxTemplates', code: 'too_many_templates' } as const;
const KEYS = { path: '/v1/api-keys', setting: 'maxKeys', code: 'too_many_api_keys' } as const;
const LIMITED: readonly Limited[] = [
  { ...TEMPLATES, plural: 'templates', body: { name: 'Letter', html: '<p></p>' }, before: 0 },
  { ...KEYS, plural: 'apikeys', body: { name: 'Key' }, before: 1 },
];

describe.each(LIMITED)('The quota for $plural', ({ path, setting, code, plural, body, before }) => {
  const start = async (more: number, options: FixtureOptions = {}) => {
    const config: Partial<GatewayConfig> = { [setting]: before + more };
    gateway = await GatewayFixture.forTest({ ...options, config });
  };
  const create = async (key = gateway.key) => gateway.call('POST', path, { body, key });
  const created = async (times: number) => {
    const responses = await Promise.all(Array.from({ length: times }, () => create()));
    return responses.filter(({ statusCode }) => statusCode === 201);
  };

  it('rejects another creation with 409, states both numbers and does not affect other accounts', async () => {
    await start(2);
    expect(await created(2)).toHaveLength(2);
    const most = before + 2;
    expect((await create()).json()).toMatchObject({
      statusCode: 409,
      code,
      message: expect.stringMatching(new RegExp(`has ${most} .* the limit is ${most}\\. Delete`)),
    });
    expect((await create(gateway.otherKey)).statusCode).toBe(201);
  });

  it('applies to concurrent requests and before the watch shows new resources', async () => {
    const watch = new SlowWatch(plural);
    await start(3, { intercept: (transport) => watch.transport(transport) });
    watch.hold();
    expect(await created(20)).toHaveLength(3);
    expect(await created(2)).toHaveLength(0);
  });

  it('admits another creation after a deletion or a failed request', async () => {
    await start(1, { intercept: losingCreates(plural, 'before') });
    expect((await create()).statusCode).toBe(503);
    const { id } = (await create()).json<{ id: string }>();
    expect((await create()).statusCode).toBe(409);
    expect((await gateway.call('DELETE', `${path}/${id}`)).statusCode).toBe(200);
    expect((await create()).statusCode).toBe(201);
  });

  it('counts resources created with kubectl or by other gateways', async () => {
    await start(2);
    const another = await gateway.startAnother();
    expect((await gateway.call('POST', path, { body, gateway: another })).statusCode).toBe(201);
    const metadata = { name: 'by-hand', namespace: 'acme' };
    if (setting === 'maxKeys') {
      const key = { name: 'By hand', mode: 'test', sha256: 'a'.repeat(64), lastFour: 'aaaa' } as const;
      const spec: ApiKey['spec'] = { ...key, scopes: [] };
      await gateway.kubernetes.resource(API_KEY).create({ metadata, spec });
    } else {
      const spec: Template['spec'] = { displayName: 'By hand', html: '<p></p>' };
      await gateway.kubernetes.resource(TEMPLATE).create({ metadata, spec });
    }
    await eventually(async () => expect((await create()).statusCode).toBe(409));
    expect(await created(1)).toHaveLength(0);
  });

  it('has no limit if the setting is 0', async () => {
    await start(-before);
    expect(await created(5)).toHaveLength(5);
  });
});

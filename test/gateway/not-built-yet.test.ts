import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SCOPES, type Scope } from '@trifold/crds';
import { GatewayFixture } from './gateway-fixture.ts';

/** Endpoints that the interface has and this version has not, with the scope each will need. */
const NOT_BUILT = [
  ['POST', '/v1/webhooks/settings', 'webhooks:write'],
  ['GET', '/v1/webhooks/settings', 'webhooks:read'],
  ['DELETE', '/v1/webhooks/settings', 'webhooks:write'],
  ['POST', '/v1/webhooks/settings/test', 'webhooks:write'],
  ['GET', '/v1/webhooks/deliveries', 'webhooks:read'],
  ['GET', '/v1/webhooks/deliveries/whd-1', 'webhooks:read'],
  ['POST', '/v1/webhooks/deliveries/whd-1/retry', 'webhooks:write'],
  ['POST', '/v1/hooks', 'webhooks:write'],
  ['DELETE', '/v1/hooks/hook-1', 'webhooks:write'],
] as const;

let gateway: GatewayFixture;
const without = new Map<Scope, string>();
beforeAll(async () => {
  gateway = await GatewayFixture.start();
  for (const scope of SCOPES) {
    without.set(scope, await gateway.mint({ scopes: SCOPES.filter((other) => other !== scope) }, true));
  }
});
afterAll(async () => gateway.stop());

describe.each(NOT_BUILT)('%s %s, which is not built yet,', (method, path, scope) => {
  it('says so to a key that may use it, before it looks at the body', async () => {
    const body = method === 'POST' ? '{ not read' : undefined;
    const answer = await gateway.call(method, path, { body });
    expect(answer.json()).toMatchObject({
      statusCode: 422,
      code: 'not_supported_yet',
      message: expect.stringMatching(/ not supported yet/),
    });
  });

  it('needs a key, and its scope', async () => {
    expect((await gateway.call(method, path, { key: '' })).json()).toMatchObject({ code: 'missing_key' });
    const refused = await gateway.call(method, path, { key: without.get(scope)! });
    expect(refused.statusCode).toBe(401);
    expect(refused.json()).toMatchObject({ missingScopes: [scope] });
  });
});

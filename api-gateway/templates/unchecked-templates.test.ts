import { expect, it, vi } from 'vitest';
import { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { ChildProcessError } from '@trifold/platform/child-process/child-process-error.ts';
import { GatewayFixture } from '../testing/gateway-fixture.ts';

let gateway: GatewayFixture;

it.each([
  ['too many checks of the account wait', new ChildProcessError('pool_full')],
  ['the check process dies', new ChildProcessError('ended')],
])('POST /v1/templates returns 503 with Retry-After if %s', async (_what, error) => {
  const checkPool = new CheckPool();
  vi.spyOn(checkPool, 'ask').mockRejectedValue(error);
  gateway = await GatewayFixture.forTest({ checkPool });
  const body = { name: 'Long', html: 'y'.repeat(2_000) };
  const response = await gateway.call('POST', '/v1/templates', { body });
  expect(response.statusCode).toBe(503);
  expect(response.json()).toMatchObject({ code: 'unavailable' });
  expect(response.headers['retry-after']).toBe('1');
});

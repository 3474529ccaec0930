import { afterEach, expect, it, vi } from 'vitest';
import { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { ChildEnded } from '@trifold/platform/child-process/bounded-child.ts';
import { PoolFullError } from '@trifold/platform/child-process/bounded-pool.ts';
import { GatewayFixture } from '../testing/gateway-fixture.ts';

let gateway: GatewayFixture;
afterEach(() => gateway.stop());

it.each([
  ['too many checks of the account wait', new PoolFullError()],
  ['the process of the check is lost', new ChildEnded(false)],
])('POST /v1/templates returns 503 with Retry-After when %s', async (_what, error) => {
  const checkPool = new CheckPool();
  vi.spyOn(checkPool, 'ask').mockRejectedValue(error);
  gateway = await GatewayFixture.start({ checkPool });
  const body = { name: 'Long', html: 'y'.repeat(2_000) };
  const answer = await gateway.call('POST', '/v1/templates', { body });
  expect(answer.statusCode).toBe(503);
  expect(answer.json()).toMatchObject({ code: 'unavailable' });
  expect(answer.headers['retry-after']).toBe('1');
});

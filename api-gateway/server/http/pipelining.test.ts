import { afterAll, expect, it } from 'vitest';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { RawConnections } from '../../testing/raw-connections.ts';

const gateway = await GatewayFixture.shared();
const connections = await RawConnections.listen(gateway);
afterAll(async () => {
  connections.close();
});

/** Sends requests on one connection without waiting for responses. */
function pipeline(count: number, path = '/v1/templates') {
  const connection = connections.getUnread(Array.from({ length: count }, () => path));
  connection.socket.resume();
  return connection;
}

it('Pipelined requests are served up to 32 at a time, repeatedly', async () => {
  const connection = pipeline(32);
  await eventually(() => connection.statuses().length === 32);
  connection.socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await eventually(() => connection.statuses().length === 33);
  expect(new Set(connection.statuses())).toEqual(new Set([200]));
});

it.each(['/v1/templates', '/%zz', `/v1/templates/${'x'.repeat(1_000)}`])(
  'Pipelined requests lose their connection if there are more: %.20s',
  async (path) => {
    const connection = pipeline(2_000, path);
    await systemClock.withTimeout(() => connection.closed, 30_000);
    expect(connection.statuses().length).toBeLessThanOrEqual(32);
  },
);

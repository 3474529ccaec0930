import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { RawConnections } from '../../testing/raw-connections.ts';
import type { RawConnection } from '@trifold/test-support/http/raw-connection.ts';

const MiB = 1024 * 1024;
const BODY = { 'content-length': 8 * MiB };

const clock = new FakeClock();
const gateway = await GatewayFixture.shared({ clock });
const connections = await RawConnections.listen(gateway);
afterAll(async () => {
  connections.close();
});

const answered = async (connection: RawConnection, status: number) =>
  eventually(() => connection.received().endsWith('}') && connection.statuses()[0] === status);
const closed = async (connection: RawConnection) => systemClock.withTimeout(() => connection.closed, 30_000);

describe('A request that is rejected before its body has arrived', () => {
  it.each([
    [401, '/v1/templates', ''],
    [404, '/v1/nothing', undefined],
    [405, '/v1/openapi.json', undefined],
    [400, '/v1/templates/%zz', undefined],
    [415, '/v1/templates', undefined],
  ])('gets %i with Connection: close, and its connection ends after its body', async (status, path, key) => {
    const headers = { 'content-length': 1000, ...(status === 415 && { 'content-type': 'text/plain' }) };
    const connection = connections.post(path, headers, key);
    await answered(connection, status);
    expect(connection.received()).toMatch(/^connection: close\r$/im);
    connection.socket.write(Buffer.alloc(1000, ' '));
    await closed(connection);
    expect(connection.statuses()).toEqual([status]);
  });

  it('gets one response when the client stops in the middle of the body', async () => {
    const connection = connections.post('/v1/nothing', BODY);
    await answered(connection, 404);
    connection.socket.end('x');
    await closed(connection);
    expect(connection.statuses()).toEqual([404]);
  });

  it('loses its connection when it sends more than 1 MiB after the response', async () => {
    const accepted = once(gateway.gateway.app.server, 'connection');
    const connection = connections.post('/v1/templates', BODY);
    const [served] = (await accepted) as [Socket];
    await answered(connection, 413);
    connection.socket.write(Buffer.alloc(8 * MiB - 1, ' '));
    await closed(connection);
    expect(served.bytesRead).toBeLessThan(1.5 * MiB);
  });

  it('loses its connection two seconds after the response', async () => {
    const connection = connections.post('/v1/nothing', BODY);
    await answered(connection, 404);
    clock.advance(1_900);
    connection.socket.write(Buffer.alloc(100, ' '));
    expect(connection.socket.closed).toBe(false);
    clock.advance(100);
    await closed(connection);
  });

  it('keeps its connection when its body has arrived', async () => {
    const connection = connections.open();
    connection.socket.write('POST /v1/nothing HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n{}');
    await answered(connection, 404);
    connection.socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await eventually(() => connection.statuses().length === 2);
    expect(connection.statuses()).toEqual([404, 200]);
  });
});

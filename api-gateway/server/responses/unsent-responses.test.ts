import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { RawConnections } from '../../testing/raw-connections.ts';
import type { RawConnection } from '@trifold/test-support/http/raw-connection.ts';

const MiB = 1024 * 1024;
/** 4.4 MB, without a key. */
const SCRIPT = '/docs/api/js/scalar.js';

let clock: FakeClock;
let gateway: GatewayFixture;
let connections: RawConnections;
let large: string;
beforeEach(async () => {
  clock = new FakeClock();
  gateway = await GatewayFixture.forTest({ clock });
  connections = await RawConnections.listen(gateway);
  large = `/v1/templates/${await gateway.template({ html: `<p>${'x'.repeat(MiB - 100)}` })}`;
});
afterEach(() => connections.close());

const unread = (paths: readonly string[], key?: string) => connections.getUnread(paths, key);
const times = (count: number, path: string) => Array.from({ length: count }, () => path);
const several = (connectionCount: number, paths: number) =>
  Array.from({ length: connectionCount }, () => unread(times(paths, large)));

const unsentBytes = async () => gateway.metric('unsent_response_bytes');

/** Resolves when the gateway has handled every request that it has read. */
async function settled(): Promise<number> {
  let before = -1;
  return eventually(
    async () => {
      const bytes = await unsentBytes();
      const isSettled = bytes === before && bytes > 0;
      before = bytes;
      return isSettled && bytes;
    },
    { intervalMs: 500 },
  );
}

/** Returns a promise that resolves when the gateway has closed its next connection. */
function nextConnection(): () => Promise<unknown> {
  const accepted = once(gateway.gateway.app.server, 'connection') as Promise<[Socket]>;
  return async () => {
    const [socket] = await accepted;
    return eventually(() => socket.destroyed);
  };
}

const answered = async (connection: RawConnection, count: number) =>
  eventually(() => connection.statuses().length === count);

describe('Unread responses', () => {
  it('are limited to 64 MiB per API key; further requests get 429, and other keys are not affected', async () => {
    const pipelines = several(16, 10);
    const held = await settled();
    expect(held).toBeGreaterThan(40 * MiB);
    expect(held).toBeLessThan(80 * MiB);
    const template = await gateway.template({ html: 'x'.repeat(MiB - 100) }, gateway.otherKey);
    const other = await gateway.call('GET', `/v1/templates/${template}`, { key: gateway.otherKey });
    expect(other.statusCode).toBe(200);
    for (const { socket } of pipelines) socket.resume();
    await eventually(() => pipelines.every((one) => one.socket.closed || one.statuses().length === 10));
    const statuses = new Set(pipelines.flatMap((one) => one.statuses()));
    expect(statuses).toEqual(new Set([200, 429]));
    expect(pipelines.map((one) => one.received()).join('')).toContain('"code":"too_many_downloads"');
    await eventually(async () => (await unsentBytes()) === 0);
    expect((await gateway.call('GET', large)).statusCode).toBe(200);
  });

  it('are limited to 8 MiB per connection without a key', async () => {
    const connection = unread(times(8, SCRIPT), '');
    expect(await settled()).toBeLessThan(10 * MiB);
    connection.socket.resume();
    await answered(connection, 8);
    expect(new Set(connection.statuses())).toEqual(new Set([200, 429]));
  });

  it('are limited to 64 MiB for all connections without a key, without affecting keys and probes', async () => {
    const scripts = Array.from({ length: 24 }, () => unread(times(2, SCRIPT), ''));
    expect(await settled()).toBeLessThan(80 * MiB);
    expect((await gateway.call('GET', SCRIPT, { key: '' })).json()).toMatchObject({ code: 'unavailable' });
    const [keyed, probe] = [unread([large]), unread(['/healthz'], '')];
    for (const { socket } of [keyed, probe]) socket.resume();
    await answered(keyed, 1);
    await answered(probe, 1);
    expect([...keyed.statuses(), ...probe.statuses()]).toEqual([200, 200]);
    for (const { socket } of scripts) socket.destroy();
    await eventually(async () => (await unsentBytes()) === 0);
  });

  it('count even if small when the kernel does not accept them, and then close their connection', async () => {
    const small = `/v1/templates/${await gateway.template({ html: 'x'.repeat(60_000) })}`;
    const served: Socket[] = [];
    gateway.gateway.app.server.on('connection', (socket: Socket) => served.push(socket));
    for (let count = 0; count < 40; count += 1) unread([...times(4, large), ...times(28, small)]);
    expect(await settled()).toBeLessThan(80 * MiB);
    await eventually(() => served.some(({ destroyed }) => destroyed));
  });

  it('do not count for HEAD or when the kernel accepts them', async () => {
    const connection = connections.open();
    for (const method of ['HEAD', 'GET']) {
      connection.socket.write(
        `${method} ${large} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${gateway.key}\r\n\r\n`,
      );
    }
    await eventually(() => connection.received().length > MiB);
    await eventually(async () => (await unsentBytes()) === 0);
    expect(connection.statuses()).toEqual([200, 200]);
  });
});

it('A client that reads too slowly loses its connection when it stays below 32 KiB per second after ten seconds', async () => {
  const closed = nextConnection();
  unread(times(16, large));
  await settled();
  clock.advance(10_000);
  await nextTurn();
  expect(await unsentBytes()).toBeGreaterThan(0);
  // Data that the kernel has accepted counts as read.
  clock.advance(600_000);
  await closed();
  await eventually(async () => (await unsentBytes()) === 0);
});

it('A client that reads too slowly keeps its connection while it reads', async () => {
  const connection = unread(times(16, large));
  await settled();
  for (let second = 0; second < 120 && connection.statuses().length < 16; second += 1) {
    const before = connection.socket.bytesRead;
    connection.socket.resume();
    await eventually(() => connection.socket.bytesRead > before || connection.statuses().length === 16, {
      intervalMs: 1,
    });
    connection.socket.pause();
    clock.advance(1_000);
  }
  connection.socket.resume();
  await answered(connection, 16);
  expect(new Set(connection.statuses())).toEqual(new Set([200]));
});

import type { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '@trifold/test-support/eventually.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { RawConnections } from '../../testing/raw-connections.ts';
import type { RawConnection } from '@trifold/test-support/http/raw-connection.ts';
import { ScriptedBatches } from '../../testing/scripted-batches.ts';

const LARGE = Buffer.alloc(20 * 1024 * 1024, 'pdf ');

let clock: FakeClock;
let gateway: GatewayFixture;
let batches: ScriptedBatches;
let connections: RawConnections;
let batch: string;
/** Open streams of the object store. */
let streams: Readable[];
beforeEach(async () => {
  clock = new FakeClock();
  gateway = await GatewayFixture.forTest({ clock });
  batches = new ScriptedBatches(gateway, await gateway.template());
  connections = await RawConnections.listen(gateway);
  batch = `/v1/generate/batch/${await finishedBatch()}`;
  streams = [];
  const found = gateway.store.get.bind(gateway.store);
  vi.spyOn(gateway.store, 'get').mockImplementation(async (key) => {
    const object = await found(key);
    if (object) streams.push(object.body);
    return object;
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  connections.close();
});

async function finishedBatch(): Promise<string> {
  const id = await batches.accepted();
  await batches.finish(id, new Map([0, 1, 2].map((index) => [index, LARGE])));
  return id;
}

const open = () => streams.filter((stream) => !stream.destroyed);
const waiting = (path: string) => connections.getUnread([path]);
const statusOf = async (connection: RawConnection) => {
  connection.socket.resume();
  await eventually(() => connection.statuses().length > 0);
  return connection.statuses()[0];
};

/** Opens the maximum number of downloads per key without reading any. */
async function fill(): Promise<RawConnection[]> {
  const paths = ['/items/0/download', '/items/1/download', '/download', '/items/2/download'];
  const unread = [...paths, ...paths].map((path) => waiting(batch + path));
  await eventually(() => open().length === 8);
  return unread;
}

describe('Unread downloads of an API key', () => {
  it('are limited to eight: another download gets 429 after two seconds', async () => {
    await fill();
    for (const path of ['/items/0/download', '/download']) {
      const rejected = waiting(batch + path);
      const before = clock.pending;
      await eventually(() => clock.pending > before);
      clock.advance(2_000);
      expect(await statusOf(rejected)).toBe(429);
      expect(rejected.received()).toContain('"code":"too_many_downloads"');
    }
    expect(open()).toHaveLength(8);
  });

  it('free their slot for a waiting download when they end', async () => {
    const [first] = await fill();
    const next = waiting(`${batch}/items/0/download`);
    first?.socket.destroy();
    expect(await statusOf(next)).toBe(200);
  });

  it('end if the client reads nothing for a minute', async () => {
    await fill();
    // The kernel accepts the first megabytes of each download at its own speed.
    await clock.passUntil(60_000, () => open().length === 0);
    expect(await statusOf(waiting(`${batch}/items/0/download`))).toBe(200);
  });

  it('do not limit requests without a stream', async () => {
    await fill();
    const url = `${batch}/items/0/download`;
    const head = await gateway.call('HEAD', url);
    expect(head.statusCode).toBe(200);
    const headers = { 'if-none-match': String(head.headers.etag) };
    expect((await gateway.call('GET', url, { headers })).statusCode).toBe(304);
  });
});

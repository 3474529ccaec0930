import { afterEach, describe, expect, it } from 'vitest';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { GatewayFixture, type FixtureOptions } from '../../testing/gateway-fixture.ts';
import { chunksOf, RawConnections } from '../../testing/raw-connections.ts';
import type { RawConnection } from '@trifold/test-support/http/raw-connection.ts';
import { systemClock } from '@trifold/platform/async/clock.ts';

const MiB = 1024 * 1024;
let gateway: GatewayFixture;
let connections: RawConnections;

async function start(options: FixtureOptions = {}): Promise<void> {
  gateway = await GatewayFixture.forTest(options);
  connections = await RawConnections.listenOnPort(gateway);
}
afterEach(() => connections.close());

/** Sends a request's headers without its body. */
const begin = (...request: Parameters<RawConnections['post']>) => connections.post(...request);

const beginBatch = (bytes: number, key?: string) =>
  begin('/v1/generate/batch', { 'content-length': bytes }, key);

const bytesInFlight = async () => gateway.metric('request_body_bytes');

const inFlight = async (bytes: number) => eventually(async () => (await bytesInFlight()) === bytes);

const answered = async (upload: RawConnection, status: number) =>
  eventually(() => upload.received().startsWith(`HTTP/1.1 ${status} `));

describe('Unfinished uploads', () => {
  it("are limited to their key's budget; further uploads get 429 before they send a body", async () => {
    await start({ config: { keyBodyBudgetBytes: 64 * MiB, bodyBudgetBytes: 128 * MiB } });
    const uploads = Array.from({ length: 24 }, () => beginBatch(16 * MiB));
    await eventually(() => uploads.filter(({ received }) => received() !== '').length === 20);
    expect(await bytesInFlight()).toBe(64 * MiB);
    for (const { received } of uploads.filter(({ received }) => received() !== '')) {
      expect(received()).toMatch(/^HTTP\/1\.1 429 /);
      expect(received()).toMatch(/^retry-after: 1\r$/im);
      expect(received()).toContain('"code":"too_many_uploads"');
    }
  });

  it('are limited to the shared budget of all keys; further uploads get 503', async () => {
    await start({ config: { keyBodyBudgetBytes: 16 * MiB, bodyBudgetBytes: 40 * MiB } });
    const third = await gateway.mint({ account: 'other' }, true);
    const first = [beginBatch(16 * MiB), beginBatch(16 * MiB, gateway.otherKey)];
    await inFlight(32 * MiB);
    const rejected = beginBatch(16 * MiB, third);
    await answered(rejected, 503);
    expect(rejected.received()).toMatch(/^retry-after: 1\r$/im);
    expect(first.map(({ received }) => received())).toEqual(['', '']);
  });

  it('leave room for small bodies, even from the same key', async () => {
    await start({ config: { keyBodyBudgetBytes: 16 * MiB, bodyBudgetBytes: 16 * MiB } });
    beginBatch(16 * MiB);
    await inFlight(16 * MiB);
    const body = { name: 'small', html: 'x'.repeat(60_000) };
    for (const key of [gateway.key, gateway.otherKey]) {
      expect((await gateway.call('POST', '/v1/templates', { body, key })).statusCode).toBe(201);
    }
  });

  it('do not start when the gateway rejects a client that waits for 100 Continue', async () => {
    await start({ config: { keyBodyBudgetBytes: 16 * MiB, bodyBudgetBytes: 16 * MiB } });
    const path = '/v1/generate/batch';
    const headers = { 'content-length': 16 * MiB, expect: '100-continue' };
    const taken = begin(path, headers);
    await answered(taken, 100);
    const rejected = begin(path, headers);
    await systemClock.withTimeout(() => rejected.closed, 10_000);
    expect(rejected.received()).toMatch(/^HTTP\/1\.1 429 /);
  });
});

describe('The reserved bytes of a body', () => {
  const OWN = { keyBodyBudgetBytes: 16 * MiB, bodyBudgetBytes: 16 * MiB };
  const body = (bytes: number) => Buffer.alloc(bytes, ' ');
  const ENDS: [string, (upload: RawConnection) => unknown][] = [
    ['its request is answered with an error', ({ socket }) => socket.write(body(MiB))],
    ['its client disconnects before the body', ({ socket }) => socket.destroy()],
    [
      'its client disconnects in the middle of the body',
      ({ socket }) => socket.write(body(MiB / 2), () => socket.destroy()),
    ],
    ['its client resets the connection', ({ socket }) => socket.resetAndDestroy()],
  ];

  it.each(ENDS)('are released when %s', async (_what, end) => {
    await start({ config: OWN });
    const uploads = Array.from({ length: 8 }, () => beginBatch(MiB));
    await inFlight(8 * MiB);
    for (const upload of uploads) end(upload);
    await inFlight(0);
  });

  it('are released when the response is sent', async () => {
    await start({ config: OWN });
    for (let count = 0; count < 20; count++) {
      const html = 'x'.repeat(900_000);
      const response = await gateway.call('POST', '/v1/templates', { body: { name: 'large', html } });
      expect(response.statusCode).toBe(201);
    }
    expect(await bytesInFlight()).toBe(0);
  });

  it('are not released while a synchronous request waits for its document', async () => {
    await start({ clock: new FakeClock(), config: OWN });
    const template_id = await gateway.template();
    const text = JSON.stringify({ template_id, data: { name: 'x'.repeat(1000) } });
    const upload = begin('/v1/generate', { 'content-length': text.length });
    upload.socket.write(text);
    await eventually(async () => (await gateway.metric('waiting_requests')) === 1);
    expect(await bytesInFlight()).toBe(text.length);
    upload.socket.destroy();
    await inFlight(0);
  });
});

describe('A chunked body', () => {
  const chunk = (bytes: number) => `${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`;
  const CHUNKED = { 'transfer-encoding': 'chunked' };

  it('counts the bytes received so far and is rejected when it exceeds the budget', async () => {
    await start({ config: { keyBodyBudgetBytes: 16 * MiB, bodyBudgetBytes: 16 * MiB } });
    beginBatch(12 * MiB);
    await inFlight(12 * MiB);
    const chunked = begin('/v1/generate/batch', CHUNKED);
    chunked.socket.write(chunk(3 * MiB));
    await inFlight(15 * MiB);
    expect(chunked.received()).toBe('');
    chunked.socket.write(chunk(2 * MiB));
    await answered(chunked, 429);
    await inFlight(12 * MiB);
    await systemClock.withTimeout(() => chunked.closed, 10_000);
    expect(chunked.received()).toMatch(/^connection: close\r$/im);
  });

  it('arrives intact in chunks of one byte', async () => {
    await start();
    const text = JSON.stringify({ name: 'Pieces', html: `<p>${'Wörter '.repeat(1000)}</p>` });
    const upload = begin('/v1/templates', CHUNKED);
    upload.socket.write(chunksOf(text, 1));
    await answered(upload, 201);
    const id = /"id":"([^"]+)"/.exec(upload.received())?.[1];
    const { html } = (await gateway.call('GET', `/v1/templates/${id}`)).json<{ html: string }>();
    expect(html).toBe(`<p>${'Wörter '.repeat(1000)}</p>`);
  });
});

it('A body in many chunks is rejected when it has more than 10,000 chunks plus one for every 64 bytes', async () => {
  await start();
  const upload = begin('/v1/templates', { 'transfer-encoding': 'chunked' });
  upload.socket.write(chunksOf(' '.repeat(10_500), 1));
  await answered(upload, 400);
  expect(upload.received()).toContain('The body has too many chunks');
  expect(upload.received()).toMatch(/^connection: close\r$/im);
});

it('A body in many chunks is accepted with any number of 64-byte chunks', async () => {
  await start();
  const upload = begin('/v1/templates', { 'transfer-encoding': 'chunked' });
  const body = { name: 'Chunks', html: `<p>${'x'.repeat(1_000_000)}` };
  upload.socket.write(chunksOf(JSON.stringify(body), 64));
  await answered(upload, 201);
});

it('A slow upload gets 408 and loses its connection when it stays below the minimum rate', async () => {
  const clock = new FakeClock();
  await start({ clock });
  const upload = beginBatch(MiB);
  upload.socket.write(' '.repeat(128 * 1024));
  await inFlight(MiB);
  clock.advance(10_000);
  // 128 KiB satisfies the rate for four seconds after the ten-second grace period.
  clock.advance(3_000);
  expect(upload.received()).toBe('');
  clock.advance(3_000);
  await answered(upload, 408);
  // The rest of the body may keep arriving for two seconds.
  clock.advance(2_000);
  await systemClock.withTimeout(() => upload.closed, 10_000);
  expect(upload.received()).toMatch(/^connection: close\r$/im);
  expect(upload.received()).toContain('"code":"request_timeout"');
  await inFlight(0);
});

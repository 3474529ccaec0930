import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { GatewayFixture, type FixtureOptions } from '../../testing/gateway-fixture.ts';
import { systemClock } from '@trifold/platform/service/clock.ts';

const MiB = 1024 * 1024;
let gateway: GatewayFixture;
let port: number;
const sockets: Socket[] = [];

async function start(options: FixtureOptions = {}): Promise<void> {
  gateway = await GatewayFixture.start(options);
  await gateway.gateway.app.listen({ host: '127.0.0.1', port: 0 });
  port = (gateway.gateway.app.server.address() as AddressInfo).port;
}
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await gateway.stop();
});

interface Upload {
  readonly socket: Socket;
  /** Returns the answer received so far. */
  readonly answer: () => string;
  readonly closed: Promise<void>;
}

/** Sends the head of a request without its body. */
function begin(path: string, headers: Record<string, string | number>, key = gateway.key): Upload {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.on('data', (piece: Buffer) => (text += piece.toString('latin1')));
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const all = { host: 'x', authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  return { socket, answer: () => text, closed };
}

const beginBatch = (bytes: number, key?: string) =>
  begin('/v1/generate/batch', { 'content-length': bytes }, key);

async function bytesInFlight(): Promise<number> {
  const { body } = await gateway.call('GET', '/metrics');
  return Number(/^trifold_gateway_request_body_bytes (\d+)$/m.exec(body)?.[1]);
}

const inFlight = async (bytes: number) => eventually(async () => (await bytesInFlight()) === bytes);

const answered = async (upload: Upload, status: number) =>
  eventually(() => upload.answer().startsWith(`HTTP/1.1 ${status} `));

describe('Unfinished uploads', () => {
  it('hold at most the budget of their key; further uploads get 429 before they send a body', async () => {
    await start({ config: { keyBodyBudgetBytes: 64 * MiB, bodyBudgetBytes: 128 * MiB } });
    const uploads = Array.from({ length: 24 }, () => beginBatch(16 * MiB));
    await eventually(() => uploads.filter(({ answer }) => answer() !== '').length === 20);
    expect(await bytesInFlight()).toBe(64 * MiB);
    for (const { answer } of uploads.filter(({ answer }) => answer() !== '')) {
      expect(answer()).toMatch(/^HTTP\/1\.1 429 /);
      expect(answer()).toMatch(/^retry-after: 1\r$/im);
      expect(answer()).toContain('"code":"too_many_uploads"');
    }
  });

  it('hold at most the budget of all keys together; further uploads get 503', async () => {
    await start({ config: { keyBodyBudgetBytes: 16 * MiB, bodyBudgetBytes: 40 * MiB } });
    const third = await gateway.mint({ account: 'other' }, true);
    const first = [beginBatch(16 * MiB), beginBatch(16 * MiB, gateway.otherKey)];
    await inFlight(32 * MiB);
    const refused = beginBatch(16 * MiB, third);
    await answered(refused, 503);
    expect(refused.answer()).toMatch(/^retry-after: 1\r$/im);
    expect(first.map(({ answer }) => answer())).toEqual(['', '']);
  });

  it('leave room for small bodies, also of the same key', async () => {
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
    const refused = begin(path, headers);
    await systemClock.withTimeout(() => refused.closed, 10_000);
    expect(refused.answer()).toMatch(/^HTTP\/1\.1 429 /);
  });
});

describe('A rejected upload', () => {
  it('receives its response although it sends the whole body, and its connection stays usable', async () => {
    await start({ config: { keyBodyBudgetBytes: 16 * MiB, bodyBudgetBytes: 16 * MiB } });
    beginBatch(16 * MiB);
    await inFlight(16 * MiB);
    const refused = beginBatch(8 * MiB);
    refused.socket.write(Buffer.alloc(8 * MiB, ' '));
    refused.socket.write('GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    await systemClock.withTimeout(() => refused.closed, 30_000);
    expect(refused.answer()).toMatch(/^HTTP\/1\.1 429 [^]*HTTP\/1\.1 200 /);
  });
});

describe('Release of the bytes of a body', () => {
  const OWN = { keyBodyBudgetBytes: 16 * MiB, bodyBudgetBytes: 16 * MiB };
  const body = (bytes: number) => Buffer.alloc(bytes, ' ');
  const ENDS: [string, (upload: Upload) => unknown][] = [
    ['its request is answered with an error', ({ socket }) => socket.write(body(MiB))],
    ['its client disconnects before the body', ({ socket }) => socket.destroy()],
    [
      'its client disconnects in the middle of the body',
      ({ socket }) => socket.write(body(MiB / 2), () => socket.destroy()),
    ],
    ['its client resets the connection', ({ socket }) => socket.resetAndDestroy()],
  ];

  it.each(ENDS)('happens when %s', async (_what, end) => {
    await start({ config: OWN });
    const uploads = Array.from({ length: 8 }, () => beginBatch(MiB));
    await inFlight(8 * MiB);
    for (const upload of uploads) end(upload);
    await inFlight(0);
  });

  it('happens when its request is answered', async () => {
    await start({ config: OWN });
    for (let count = 0; count < 20; count++) {
      const html = 'x'.repeat(900_000);
      const answer = await gateway.call('POST', '/v1/templates', { body: { name: 'large', html } });
      expect(answer.statusCode).toBe(201);
    }
    expect(await bytesInFlight()).toBe(0);
  });

  it('does not happen while a synchronous request waits for its document', async () => {
    await start({ clock: new FakeClock(), config: OWN });
    const template_id = await gateway.template();
    const text = JSON.stringify({ template_id, data: { name: 'x'.repeat(1000) } });
    const upload = begin('/v1/generate', { 'content-length': text.length });
    upload.socket.write(text);
    const metrics = async () => (await gateway.call('GET', '/metrics')).body;
    await eventually(async () => (await metrics()).includes('trifold_gateway_waiting_requests 1'));
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
    expect(chunked.answer()).toBe('');
    chunked.socket.write(chunk(2 * MiB));
    await answered(chunked, 429);
    await inFlight(12 * MiB);
    await systemClock.withTimeout(() => chunked.closed, 10_000);
    expect(chunked.answer()).toMatch(/^connection: close\r$/im);
  });

  it('arrives intact in pieces of one byte', async () => {
    await start();
    const text = JSON.stringify({ name: 'Pieces', html: `<p>${'Wörter '.repeat(3000)}</p>` });
    const pieces = [...Buffer.from(text, 'utf8')].map((byte) =>
      Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')]),
    );
    const upload = begin('/v1/templates', CHUNKED);
    upload.socket.write(Buffer.concat([...pieces, Buffer.from('0\r\n\r\n')]));
    await answered(upload, 201);
    const id = /"id":"([^"]+)"/.exec(upload.answer())?.[1];
    const { html } = (await gateway.call('GET', `/v1/templates/${id}`)).json<{ html: string }>();
    expect(html).toBe(`<p>${'Wörter '.repeat(3000)}</p>`);
  });
});

describe('A slow upload', () => {
  it('gets 408 and loses its connection when it stays below the minimum rate', async () => {
    const clock = new FakeClock();
    await start({ clock, config: { minUploadRate: 1024 } });
    const upload = beginBatch(MiB);
    upload.socket.write(' '.repeat(4096));
    await inFlight(MiB);
    clock.advance(10_000);
    // 4 KiB satisfy the rate for four seconds after the grace period of ten.
    clock.advance(3_000);
    expect(upload.answer()).toBe('');
    clock.advance(3_000);
    await systemClock.withTimeout(() => upload.closed, 10_000);
    expect(upload.answer()).toMatch(/^HTTP\/1\.1 408 /);
    expect(upload.answer()).toMatch(/^connection: close\r$/im);
    expect(upload.answer()).toContain('"code":"request_timeout"');
    await inFlight(0);
  });

  it('has no minimum speed when the rate is 0', async () => {
    const clock = new FakeClock();
    await start({ clock, config: { minUploadRate: 0 } });
    const text = JSON.stringify({ name: 'Slow', html: 'x' });
    const upload = begin('/v1/templates', { 'content-length': text.length });
    upload.socket.write(text.slice(0, 5));
    await inFlight(text.length);
    clock.advance(50_000);
    upload.socket.write(text.slice(5));
    await answered(upload, 201);
  });
});

import { AddressGuard } from '@trifold/platform/outbound/address-guard.ts';
import { parseAddressRange } from '@trifold/platform/settings/address-range.ts';
import { OutboundClient, type OutboundClientOptions } from '@trifold/platform/outbound/outbound-client.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { silentPort } from './silent-port.ts';
import { RECEIVER_HOST, WebhookReceiver, type ReceiverOptions } from '../support/http/webhook-receiver.ts';

const START = Date.parse('2026-11-21T12:00:00Z');
const THIS_MACHINE = new AddressGuard([parseAddressRange('127.0.0.1')]);

let receiver: WebhookReceiver;
let clock: FakeClock;
const others: { stop(): Promise<void> }[] = [];

beforeEach(async () => {
  receiver = await WebhookReceiver.start();
  clock = new FakeClock(new Date(START));
});
afterEach(() => Promise.all([receiver, ...others.splice(0)].map((each) => each.stop())));

/** Creates a client that resolves the receiver to this machine. */
function clientOf(options: Partial<OutboundClientOptions> = {}): OutboundClient {
  return new OutboundClient({
    guard: THIS_MACHINE,
    resolver: { resolve: async () => ['127.0.0.1'] },
    clock,
    allowHttp: false,
    userAgent: 'Trifold-Webhooks/test',
    authorities: receiver.authority,
    ...options,
  });
}

const post = (url = receiver.url(), options: Partial<OutboundClientOptions> = {}, signal?: AbortSignal) =>
  clientOf(options).post({ url, headers: { 'content-type': 'application/json' }, body: '{"a":1}' }, signal);

async function anotherReceiver(options: ReceiverOptions): Promise<WebhookReceiver> {
  const other = await WebhookReceiver.start(options);
  others.push(other);
  return other;
}

/** Starts a server that sends these bytes to each client. */
async function speaking(bytes: string): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(bytes));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  others.push({ stop: () => new Promise((resolve) => server.close(() => resolve())) });
  return (server.address() as AddressInfo).port;
}

it('A request to an endpoint is one POST with the body, its length, the headers and a user agent', async () => {
  const result = await post(receiver.url('/hook?tenant=7'));
  expect(result).toMatchObject({ status: 200, answer: 'ok' });
  expect(result.error).toBeUndefined();
  expect(result.durationMs).toBeGreaterThanOrEqual(0);
  expect(receiver.received).toHaveLength(1);
  expect(receiver.received[0]).toMatchObject({ method: 'POST', path: '/hook?tenant=7', body: '{"a":1}' });
  expect(receiver.received[0]?.headers).toMatchObject({
    host: `${RECEIVER_HOST}:${receiver.port}`,
    'content-type': 'application/json',
    'content-length': '7',
    'user-agent': 'Trifold-Webhooks/test',
    connection: 'close',
  });
});

it('A request to one of two addresses survives if this process is busy while it connects', async () => {
  const busy = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  const resolve = async () => {
    // After the microtasks that begin the connection.
    process.nextTick(busy);
    return ['127.0.0.1', '::1'];
  };
  const guard = new AddressGuard(['127.0.0.1', '::1'].map(parseAddressRange));
  expect(await post(receiver.url(), { guard, resolver: { resolve } })).toMatchObject({ status: 200 });
});

describe('A response', () => {
  it.each([200, 201, 202, 204, 226, 299])('of %d is a success', async (status) => {
    receiver.answer = (_request, response) => void response.writeHead(status).end();
    const result = await post();
    expect(result).toMatchObject({ status });
    expect(result.error).toBeUndefined();
  });

  it.each([300, 301, 302, 303, 304, 307, 308])(
    'of %d is a failure, and the client does not follow the redirect',
    async (status) => {
      receiver.answer = ({ path }, response) => {
        response.writeHead(path === '/' ? status : 200, { location: receiver.url('/elsewhere') }).end();
      };
      expect(await post()).toMatchObject({ status, error: { code: 'redirected' } });
      expect(receiver.received.map(({ path }) => path)).toEqual(['/']);
    },
  );

  it.each([400, 401, 404, 410, 429, 451, 499, 500, 502, 503, 504, 599, 600, 999])(
    'of %d is a failure',
    async (status) => {
      receiver.answer = (_request, response) => void response.writeHead(status).end('no');
      expect(await post()).toMatchObject({ status, answer: 'no', error: { code: 'http_error' } });
    },
  );

  it('of 100, 102 or 103 is interim: the final response counts', async () => {
    receiver.answer = (_request, response, socket) => {
      socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n');
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n');
      response.writeHead(201).end('made');
    };
    const result = await post();
    expect(result).toMatchObject({ status: 201, answer: 'made' });
    expect(result.error).toBeUndefined();
  });

  it('of 101 is a failure', async () => {
    receiver.answer = (_request, _response, socket) =>
      void socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
    expect(await post()).toMatchObject({ error: { code: 'answer_invalid' } });
  });

  it.each([
    ['not HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', 'not valid HTTP'],
    ['60 KB headers', `HTTP/1.1 200 OK\r\nset-cookie: ${'x'.repeat(60_000)}\r\n\r\n`, 'larger than 16 KiB'],
  ])('that is %s is a failure with the reason', async (_, bytes, reason) => {
    const port = await speaking(bytes);
    const { error } = await post(`http://${RECEIVER_HOST}:${port}/`, { allowHttp: true });
    expect(error).toMatchObject({ code: 'answer_invalid', message: expect.stringContaining(reason) });
  });

  it.each(['000', '001', '099', '1000', '99', '-20'])('with status %s is invalid', async (status) => {
    receiver.answer = (_request, _response, socket) =>
      void socket.end(`HTTP/1.1 ${status} X\r\ncontent-length: 0\r\n\r\n`);
    const result = await post();
    expect(result).toMatchObject({ error: { code: 'answer_invalid' } });
    expect(result.status).toBeUndefined();
  });

  it('sets a delay with Retry-After, in seconds or as a date', async () => {
    const after = async (value: string) => {
      receiver.answer = (_request, response) => void response.writeHead(503, { 'retry-after': value }).end();
      return (await post()).retryAfterMs;
    };
    expect(await after('120')).toBe(120_000);
    expect(await after(new Date(clock.now().getTime() + 3_600_000).toUTCString())).toBe(3_600_000);
    expect(await after('Sat, 01 Jan 2000 00:00:00 GMT')).toBe(0);
    for (const digits of [11, 17, 4_000]) expect(await after('9'.repeat(digits))).toBe(86_400_000);
    expect(await after('0'.repeat(20))).toBe(0);
    expect(await after('soon')).toBeUndefined();
    expect(await after('-5')).toBeUndefined();
  });
});

describe('The recorded response body', () => {
  const saying = async (body: string | Buffer) => {
    receiver.answer = (_request, response) => void response.end(body);
    return (await post()).answer;
  };

  it.each([
    ['is limited to 1 KiB', 'x'.repeat(5000), 'x'.repeat(1024)],
    ['does not end in the middle of a character', 'é'.repeat(1023), 'é'.repeat(512)],
    ['is shorter if its last character does not fit', `a${'é'.repeat(1023)}`, `a${'é'.repeat(511)}`],
    ['is text for any body', Buffer.from([0x61, 0xff, 0x00, 0x1b, 0x5b, 0x0a]), 'a\ufffd\ufffd\ufffd[\n'],
  ])('%s', async (_what, body, recorded) => {
    expect(await saying(body)).toBe(recorded);
  });

  it('does not wait for the end of an endless body: the client closes the connection', async () => {
    let written = 0;
    receiver.answer = (_request, response, socket) => {
      const chunk = 'y'.repeat(16_384);
      const more = () => {
        if (socket.destroyed) return;
        written += chunk.length;
        if (response.write(chunk)) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    };
    expect(await post()).toMatchObject({ status: 200, answer: 'y'.repeat(1024) });
    await eventually(async () => receiver.openConnections === 0);
    expect(written).toBeLessThan(16 * 1024 * 1024);
  });

  it('does not delay the result of a successful status', async () => {
    receiver.answer = (_request, response) => void response.writeHead(200).write('begun');
    let done = false;
    const result = post().finally(() => (done = true));
    await eventually(async () => receiver.received.length === 1);
    await clock.passUntil(500, async () => done);
    expect(clock.now().getTime()).toBeLessThan(START + 30_000);
    expect((await result).error).toBeUndefined();
    expect(await result).toMatchObject({ status: 200 });
  });

  it('can still be arriving when the request times out: the status counts', async () => {
    receiver.answer = (_request, response) => void response.writeHead(200).write('begun');
    const result = post(receiver.url(), { timeoutMs: 1000 });
    // The time limits for the request and the body.
    await eventually(() => clock.pending === 2);
    clock.advance(1000);
    expect(await result).toMatchObject({ status: 200 });
    expect((await result).error).toBeUndefined();
  });

  it('can be cut off after a successful status', async () => {
    receiver.answer = (_request, response, socket) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('begun', () => socket.destroy());
    };
    const result = await post();
    expect(result).toMatchObject({ status: 200 });
    expect(result.error).toBeUndefined();
  });
});

describe('An endpoint failure', () => {
  it('occurs after 30 seconds without a response', async () => {
    receiver.answer = () => undefined;
    const result = post();
    await eventually(async () => receiver.received.length === 1);
    clock.advance(29_999);
    expect(receiver.openConnections).toBe(1);
    clock.advance(1);
    expect(await result).toMatchObject({ error: { code: 'timeout' } });
    expect((await result).status).toBeUndefined();
    await eventually(async () => receiver.openConnections === 0);
  });

  it('occurs after 30 seconds if the DNS lookup hangs', async () => {
    let asking: AbortSignal | undefined;
    const resolve = (_name: string, signal?: AbortSignal) => {
      asking = signal;
      return new Promise<never>(() => undefined);
    };
    const result = post(receiver.url(), { resolver: { resolve } });
    clock.advance(30_000);
    expect(await result).toMatchObject({ error: { code: 'timeout' } });
    // Other callers may be waiting for the resolver.
    expect(asking?.aborted).toBe(true);
  });

  it('occurs if the endpoint closes the connection without a response', async () => {
    receiver.answer = (_request, _response, socket) => void socket.destroy();
    expect(await post()).toMatchObject({ error: { code: 'connection_reset' } });
  });

  it('occurs if no process listens', async () => {
    const silent = await silentPort(receiver.port);
    others.push(silent);
    const result = await post(`https://${RECEIVER_HOST}:${silent.port}/`);
    expect(result).toMatchObject({ error: { code: 'connection_refused' } });
  });

  it('occurs if the name has no address', async () => {
    const unknown = Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
    for (const resolve of [() => Promise.reject(unknown), async () => []]) {
      const result = await post(receiver.url(), { resolver: { resolve } });
      expect(result).toMatchObject({ error: { code: 'dns_failed' } });
    }
  });

  it('occurs for plain HTTP, unless it is allowed', async () => {
    const plain = await anotherReceiver({ plain: true });
    expect(await post(plain.url())).toMatchObject({ error: { code: 'http_not_allowed' } });
    expect(plain.received).toEqual([]);
    expect(await post(plain.url(), { allowHttp: true })).toMatchObject({ status: 200 });
  });
});

describe('A TLS certificate', () => {
  it.each<[string, ReceiverOptions]>([
    ['from an unknown issuer', {}],
    ['for another name', { hosts: ['other.example.com'] }],
    ['that has expired', { certifiedAt: new Date('2001-01-01T00:00:00Z') }],
  ])('%s is rejected', async (_what, options) => {
    const other = await anotherReceiver(options);
    const authorities = Object.keys(options).length > 0 ? other.authority : receiver.authority;
    expect(await post(other.url(), { authorities })).toMatchObject({ error: { code: 'tls_failed' } });
    expect(other.received).toEqual([]);
  });

  it('is verified even if Node is configured not to verify it', async () => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const other = await anotherReceiver({});
      expect(await post(other.url())).toMatchObject({ error: { code: 'tls_failed' } });
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });

  it('is required, so a server without TLS fails', async () => {
    const plain = await anotherReceiver({ plain: true });
    const result = await post(`https://${RECEIVER_HOST}:${plain.port}/`);
    expect(result).toMatchObject({ error: { code: 'tls_failed' } });
  });
});

describe('A private address', () => {
  const nowhere = { guard: new AddressGuard() };

  it.each(['10.1.2.3', 'fd00::1'])('is rejected when a name resolves to it: %s', async (address) => {
    const result = await post(receiver.url(), { ...nowhere, resolver: { resolve: async () => [address] } });
    expect(result).toMatchObject({ error: { code: 'address_forbidden' } });
    // The error must not reveal a network's host names.
    expect(result.error?.message).not.toContain(address);
    expect(receiver.received).toEqual([]);
  });

  it.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.0.0.1.',
    '[::1]',
    '[::ffff:7f00:1]',
    '0',
  ])('is rejected as the host, in any notation: %s', async (host) => {
    const result = await post(receiver.url('/', host), nowhere);
    expect(result).toMatchObject({ error: { code: 'address_forbidden' } });
    expect(receiver.received).toEqual([]);
  });

  it('is ignored if the name also has a public address', async () => {
    const resolver = { resolve: async () => ['10.0.0.1', '127.0.0.1', '::1'] };
    expect(await post(receiver.url(), { resolver })).toMatchObject({ status: 200 });
  });

  it('is rejected if a second lookup returns it: the client connects to the address that it checked', async () => {
    const asked: string[] = [];
    const answers = ['127.0.0.1', '127.0.0.2'];
    const resolver = {
      resolve: async (name: string) => {
        asked.push(name);
        return [answers[asked.length - 1] ?? ''];
      },
    };
    const client = clientOf({ resolver });
    const request = { url: receiver.url(), headers: {}, body: '{}' };
    expect(await client.post(request)).toMatchObject({ status: 200 });
    // One lookup per request, not one to check and another to connect.
    expect(asked).toEqual([RECEIVER_HOST]);
    expect(await client.post(request)).toMatchObject({ error: { code: 'address_forbidden' } });
    expect(receiver.received).toHaveLength(1);
  });

  it('receives no data even if a connection to it opens', async () => {
    let asked = 0;
    // Allows the address before the connection, and denies it afterwards.
    const guard = { allows: () => (asked += 1) === 1 };
    expect(await post(receiver.url(), { guard })).toMatchObject({ error: { code: 'address_forbidden' } });
    expect(receiver.received).toEqual([]);
  });
});

it('the caller can abort a request', async () => {
  receiver.answer = () => undefined;
  const calledOff = new AbortController();
  const result = post(receiver.url(), {}, calledOff.signal);
  await eventually(async () => receiver.received.length === 1);
  calledOff.abort(new Error('the controller stops'));
  await expect(result).rejects.toThrow('the controller stops');
  await eventually(async () => receiver.openConnections === 0);
  expect(clock.pending).toBe(0);
});

import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { PDF, ScriptedController } from '../../testing/scripted-controller.ts';
import { systemClock } from '@trifold/platform/async/clock.ts';

let gateway: GatewayFixture;
let controller: ScriptedController;
let port: number;
let template_id: string;
async function start(options: Parameters<typeof GatewayFixture.start>[0] = {}): Promise<void> {
  gateway = await GatewayFixture.forTest(options);
  controller = new ScriptedController(gateway);
  template_id = await gateway.template();
  await gateway.gateway.app.listen({ host: '127.0.0.1', port: 0 });
  port = (gateway.gateway.app.server.address() as AddressInfo).port;
}

interface ApiResponse {
  status: number;
  headers: IncomingMessage['headers'];
  text: string;
}

async function send(
  method: string,
  path: string,
  options: { body?: object; headers?: Record<string, string>; agent?: Agent; signal?: AbortSignal } = {},
): Promise<ApiResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<ApiResponse>();
  const type = options.body && { 'content-type': 'application/json' };
  const headers = { authorization: `Bearer ${gateway.key}`, ...type, ...options.headers };
  const { agent, signal } = options;
  const request = httpRequest(
    { port, method, path, headers, ...(agent && { agent }), ...(signal && { signal }) },
    (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    },
  );
  request.on('error', reject);
  request.end(options.body && JSON.stringify(options.body));
  return promise;
}

const generate = async (options: Parameters<typeof send>[2] = {}) =>
  send('POST', '/v1/generate', { body: { template_id, data: {} }, ...options });

it('A client that disconnects while waiting does not stop its job, which still completes', async () => {
  await start();
  const leaving = new AbortController();
  const left = generate({ signal: leaving.signal }).catch((error: Error) => error.name);
  const job = await controller.next();
  leaving.abort();
  expect(await left).toBe('AbortError');
  await eventually(async () => (await gateway.metric('waiting_requests')) === 0);
  await controller.complete(job);
  expect((await send('GET', `/v1/generate/${job.metadata.name}/download`)).text).toBe(PDF.toString());
});

it.each([
  ['longer than 600 s, the idle timeout of common load balancers, by default', {}, 'timeout=620'],
  ['as long as the setting says', { keepAliveMs: 4_000_000 }, 'timeout=4000'],
])('An idle connection is kept open %s', async (_, config, expected) => {
  await start({ config });
  expect(
    (await send('GET', '/healthz', { agent: new Agent({ keepAlive: true }) })).headers['keep-alive'],
  ).toBe(expected);
});

async function refusedConnections(): Promise<void> {
  await eventually(async () => {
    const code = await send('GET', '/healthz').catch((error: NodeJS.ErrnoException) => error.code);
    return code === 'ECONNREFUSED';
  });
}

/** Opens a connection; `answer` is everything received until the connection ends without an error. */
function openConnection(): { socket: Socket; answer: Promise<string> } {
  const socket = connect(port, '127.0.0.1');
  const { promise: answer, resolve, reject } = Promise.withResolvers<string>();
  let text = '';
  socket.on('data', (piece) => (text += piece.toString()));
  socket.on('error', reject);
  socket.on('close', () => resolve(text));
  return { socket, answer };
}

/** Opens a connection; resolves when the gateway has accepted it as `served`. */
async function acceptedConnection() {
  const accepted = once(gateway.gateway.app.server, 'connection');
  const connection = openConnection();
  const [served] = (await accepted) as [Socket];
  return { ...connection, served };
}

it('A retiring gateway serves requests on open and new connections and closes each connection after its response', async () => {
  await start();
  const request = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';
  const [silent, used] = [await acceptedConnection(), await acceptedConnection()];
  used.socket.write(request);
  await once(used.socket, 'data');
  gateway.gateway.retire();
  for (const { socket } of [silent, used]) socket.write(request);
  expect(await silent.answer).toMatch(/^HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is);
  expect(await used.answer).toMatch(/^HTTP\/1\.1 200 .*HTTP\/1\.1 200 .*\r\nconnection: close\r\n/is);
  expect(await send('GET', '/healthz')).toMatchObject({ status: 200, headers: { connection: 'close' } });
});

describe('A closing gateway', () => {
  it('finishes a request that has started and closes connections that never sent anything', async () => {
    // This clock never reaches the wait limit, so no connection is cut.
    await start({ clock: new FakeClock() });
    const { socket, answer, served } = await acceptedConnection();
    const silent = await acceptedConnection();
    socket.write('GET /v1/templates HTTP/1.1\r\nhost: x\r\n');
    await eventually(() => served.bytesRead > 0);
    const closing = gateway.gateway.close();
    expect(await systemClock.withTimeout(() => silent.answer, 30_000)).toBe('');
    await refusedConnections();
    socket.write('\r\n');
    expect(await answer).toMatch(/^HTTP\/1\.1 401 .*\r\nconnection: close\r\n/is);
    await systemClock.withTimeout(() => closing, 10_000);
  });

  it('finishes waiting requests, refuses connections, and closes idle ones', async () => {
    const clock = new FakeClock();
    await start({ clock });
    const agent = new Agent({ keepAlive: true });
    await send('GET', '/healthz', { agent });
    const silent: Socket = connect(port, '127.0.0.1');
    silent.resume();
    await once(silent, 'connect');
    const waiting = [generate(), generate({ headers: { accept: 'application/pdf' } })];
    const first = await controller.next();
    await eventually(async () => (await controller.jobs()).length === 2);
    // The manual clock does not reach the time limits: nothing is cut because it took too long.
    const closing = gateway.gateway.close();
    await refusedConnections();
    await controller.complete(first);
    await controller.complete(await controller.next());
    const responses = await Promise.all(waiting);
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    expect(responses.map(({ headers }) => headers.connection)).toEqual(['close', 'close']);
    await systemClock.withTimeout(() => closing, 10_000);
    await eventually(() => silent.closed);
    agent.destroy();
  });

  it('returns 202 to a request that waits longer than the limit', async () => {
    const clock = new FakeClock();
    await start({ clock, config: { closeWaitMs: 6_000 } });
    const waiting = generate();
    await controller.next();
    const closing = gateway.gateway.close();
    clock.advance(6_000);
    const answer = await waiting;
    expect(answer.status).toBe(202);
    expect(JSON.parse(answer.text)).toMatchObject({ status: 'processing' });
    await systemClock.withTimeout(() => closing, 10_000);
  });

  it('closes the remaining connections a second later', async () => {
    const clock = new FakeClock();
    await start({ clock, config: { closeWaitMs: 6_000 } });
    const stuck = connect(port, '127.0.0.1');
    stuck.on('error', () => {});
    const { resolve, promise } = Promise.withResolvers<void>();
    gateway.gateway.app.server.once('request', () => resolve());
    // The body never arrives.
    stuck.write(
      `POST /v1/generate HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${gateway.key}\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n`,
    );
    await promise;
    const closing = gateway.gateway.close();
    clock.advance(7_000);
    await systemClock.withTimeout(() => closing, 10_000);
  });

  it('can be closed twice, and before it listens', async () => {
    gateway = await GatewayFixture.forTest();
    await Promise.all([gateway.gateway.close(), gateway.gateway.close()]);
    await expect(gateway.call('GET', '/healthz')).rejects.toThrow('closed');
  });
});

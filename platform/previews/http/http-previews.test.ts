import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventually } from '@trifold/test-support/eventually.ts';
import { abortable } from '../../async/abortable.ts';
import { systemClock, type Clock } from '../../async/clock.ts';
import { documentFailure } from '../../errors/document-error.ts';
import { createLogger } from '../../process/logging.ts';
import { FakeClock } from '../../testing/fake-clock.ts';
import type { PreviewOutcome, PreviewRenderer, PreviewTask } from '../port.ts';
import { HttpPreviews } from './http-previews.ts';
import type { RendererAddress } from '../../settings/setting-forms.ts';
import { encodeTask, PREVIEW_PATH } from './preview-message.ts';
import { PreviewServer } from './preview-server.ts';

const TOKEN = 'a-token-of-at-least-thirty-two-characters';
const logger = createLogger({ level: 'silent', name: 'test' });
const { signal } = new AbortController();

const task: PreviewTask = {
  id: 'req-1',
  account: 'acme',
  format: 'pdf',
  template: { displayName: 'Préview', html: '<p>{{name}}</p>', defaultOptions: { pageSize: 'a4' } },
  data: Buffer.from('{"name":"Ada\\n"}'),
  options: { orientation: 'landscape' },
  createdAt: '2026-11-20T01:02:03.456Z',
  deadlineMs: 30_000,
};
const done: PreviewOutcome = {
  status: 'completed',
  file: Buffer.from([0x25, 0x0a, 0x00, 0xff]),
  warnings: [{ code: 'binding_missing', message: 'No “name”.', name: 'name' }],
  timings: { mergeMs: 1.5, printMs: 9 },
};

/** Tasks from different accounts, which prefer different renderers. */
const ofAccounts = (count = 100): PreviewTask[] =>
  Array.from({ length: count }, (_, index) => ({ ...task, account: `account-${index}` }));

/** Completes previews, or holds them after `isHolding` is set. */
class Renderer implements PreviewRenderer {
  readonly taken: { readonly task: PreviewTask; readonly signal: AbortSignal }[] = [];
  readonly released = Promise.withResolvers<PreviewOutcome>();
  isHolding = false;
  outcome = done;

  async render(given: PreviewTask, end: AbortSignal): Promise<PreviewOutcome> {
    this.taken.push({ task: given, signal: end });
    return this.isHolding ? abortable(this.released.promise, end) : this.outcome;
  }
}

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function serve(renderer = new Renderer(), clock: Clock = systemClock) {
  const logged: string[] = [];
  const destination = new PassThrough().on('data', (line: Buffer) => logged.push(line.toString()));
  const own = createLogger({ level: 'info', name: 'test', destination });
  const options = { host: '127.0.0.1', port: 0, token: TOKEN, renderer, clock, logger: own };
  const server = await PreviewServer.listen(options);
  ends.push(() => server.close());
  return { renderer, server, logged, address: { host: '127.0.0.1', port: server.port } };
}

const previewsOf = (renderers: readonly RendererAddress[], token = TOKEN) =>
  new HttpPreviews({ renderers, token, clock: systemClock, logger });

/** Renders with a clock on which a preview's maximum wait passes immediately. */
async function renderUntilItGivesUp(renderers: readonly RendererAddress[]): Promise<PreviewOutcome> {
  const clock = new FakeClock();
  const rendered = new HttpPreviews({ renderers, token: TOKEN, clock, logger }).render(task, signal);
  const ended = rendered.then(() => true);
  const passing = setInterval(() => clock.advance(100), 1);
  await ended.finally(() => clearInterval(passing));
  return rendered;
}

/** Accepts connections and passes them to the test. */
async function rawServer(onConnection: (socket: Socket) => void): Promise<RendererAddress> {
  const server = createServer((socket) => onConnection(socket.on('error', () => undefined)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => server.close());
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port };
}

describe('HttpPreviews', () => {
  it('sends the task to the renderer without schema and email and returns its file', async () => {
    const { renderer, address } = await serve();
    const template = { ...task.template, schema: { fields: [] } };
    expect(await previewsOf([address]).render({ ...task, template }, signal)).toEqual(done);
    expect(renderer.taken.map((one) => one.task)).toEqual([task]);
  });

  it('returns a renderer failure', async () => {
    const renderer = new Renderer();
    renderer.outcome = { status: 'failed', failure: documentFailure('options_invalid', 'no') };
    const { address } = await serve(renderer);
    expect(await previewsOf([address]).render(task, signal)).toEqual(renderer.outcome);
  });

  it('cancels the preview in the renderer when the caller cancels', async () => {
    const { renderer, address } = await serve();
    renderer.isHolding = true;
    const controller = new AbortController();
    const cancelled = previewsOf([address]).render(task, controller.signal);
    await eventually(() => renderer.taken.length === 1);
    controller.abort(new Error('a newer one came'));
    await expect(cancelled).rejects.toThrow('a newer one came');
    await eventually(() => renderer.taken[0]?.signal.aborted ?? false);
    renderer.isHolding = false;
    expect(await previewsOf([address]).render(task, signal)).toEqual(done);
  });

  it('prefers the same renderer for an account, and different ones for different accounts', async () => {
    const [one, two] = [await serve(), await serve()];
    const previews = previewsOf([one.address, two.address]);
    for (const own of ofAccounts(20))
      for (const again of [own, own, own]) await previews.render(again, signal);
    const accountsOf = ({ renderer }: typeof one) =>
      new Set(renderer.taken.map(({ task: { account } }) => account));
    expect(accountsOf(one).size + accountsOf(two).size).toBe(20);
    expect(Math.min(accountsOf(one).size, accountsOf(two).size)).toBeGreaterThan(0);
  });

  it('uses another renderer while one is busy, and the same one when it is free again', async () => {
    const [busy, free] = [await serve(), await serve()];
    busy.renderer.isHolding = true;
    const other = { ...task, account: 'other' };
    const held = Promise.all([task, other].map((own) => previewsOf([busy.address]).render(own, signal)));
    await eventually(() => busy.renderer.taken.length === 2);
    const both = previewsOf([busy.address, free.address]);
    for (const own of ofAccounts(8)) expect(await both.render(own, signal)).toEqual(done);
    expect(free.renderer.taken).toHaveLength(8);
    const waiting = previewsOf([busy.address]).render(task, signal);
    busy.renderer.released.resolve(done);
    expect(await Promise.all([held, waiting])).toEqual([[done, done], done]);
    expect(busy.renderer.taken).toHaveLength(3);
  });

  it('accepts one preview per account, and in the meantime one from another account', async () => {
    const { renderer, address } = await serve();
    renderer.isHolding = true;
    const previews = previewsOf([address]);
    const held = previews.render(task, signal);
    await eventually(() => renderer.taken.length === 1);
    renderer.isHolding = false;
    expect(await previews.render({ ...task, account: 'other' }, signal)).toEqual(done);
    expect(await renderUntilItGivesUp([address])).toEqual({ status: 'busy' });
    renderer.released.resolve(done);
    expect(await held).toEqual(done);
  });

  it('retries busy renderers at growing intervals', async () => {
    const { renderer, address } = await serve();
    renderer.outcome = { status: 'busy' };
    const clock = new FakeClock();
    const pauses: number[] = [];
    // Time passes only in pauses.
    vi.spyOn(clock, 'sleep').mockImplementation(async (ms) => {
      pauses.push(ms);
      clock.advance(ms);
    });
    const previews = new HttpPreviews({ renderers: [address], token: TOKEN, clock, logger });
    expect(await previews.render(task, signal)).toEqual({ status: 'busy' });
    expect(pauses[0]).toBeLessThanOrEqual(50);
    expect(renderer.taken.length).toBeLessThan(20);
  });

  it('reports that no renderer is available if no process is listening or a name has no address', async () => {
    const { server, address } = await serve();
    await server.close();
    const unknown = { host: 'renderer.invalid', port: 9091 };
    expect(await renderUntilItGivesUp([address, unknown])).toMatchObject({
      status: 'failed',
      failure: { code: 'no_renderer', retryable: true },
    });
  });

  it('uses another renderer if one does not respond', async () => {
    const { address } = await serve();
    const sockets: Socket[] = [];
    const silent = await rawServer((socket) => sockets.push(socket));
    const clock = new FakeClock();
    const previews = new HttpPreviews({ renderers: [silent, address], token: TOKEN, clock, logger });
    for (const own of ofAccounts()) {
      if (sockets.length > 0) break;
      const outcome = previews.render(own, signal);
      await Promise.race([outcome, eventually(() => sockets.length > 0)]);
      clock.advance(2_000);
      expect(await outcome).toEqual(done);
    }
    expect(sockets.length).toBeGreaterThan(0);
    sockets.forEach((socket) => socket.destroy());
  });

  it('fails without trying another renderer if a renderer exits during the preview', async () => {
    const { renderer, address } = await serve();
    const accepted: Buffer[] = [];
    const dying = await rawServer((socket) => {
      socket.once('data', () => socket.write('HTTP/1.1 100 Continue\r\n\r\n'));
      socket.on('data', (piece: Buffer) => {
        if (!piece.includes('"id":"req-1"')) return;
        accepted.push(piece);
        socket.destroy();
      });
    });
    const previews = previewsOf([dying, address]);
    for (const own of ofAccounts()) {
      const before = renderer.taken.length;
      const outcome = await previews.render(own, signal);
      if (accepted.length === 0) continue;
      const failure = { code: 'renderer_lost', retryable: true };
      expect(outcome).toMatchObject({ status: 'failed', failure });
      expect(renderer.taken).toHaveLength(before);
      return;
    }
    expect.unreachable();
  });

  it('moves a preview from a renderer that is stopping to another one', async () => {
    const [stopping, other] = [await serve(), await serve()];
    stopping.renderer.isHolding = true;
    // Holds the preview that starts here, whichever renderer is asked first.
    other.renderer.isHolding = true;
    const rendered = previewsOf([stopping.address, other.address]).render(task, signal);
    await eventually(() => stopping.renderer.taken.length + other.renderer.taken.length === 1);
    const [first, second] = stopping.renderer.taken.length === 1 ? [stopping, other] : [other, stopping];
    second.renderer.isHolding = false;
    await first.server.close();
    expect(await rendered).toEqual(done);
    expect(second.renderer.taken).toHaveLength(1);
  });

  it('fails with a wrong token, which renderers reject', async () => {
    const { renderer, address } = await serve();
    const outcome = await previewsOf([address], `${TOKEN}x`).render(task, signal);
    expect(outcome).toMatchObject({ status: 'failed', failure: { message: 'the renderer returned 401' } });
    expect(renderer.taken).toEqual([]);
  });
});

describe('PreviewServer', () => {
  const { line, bytes } = encodeTask(task);
  const message = Buffer.concat([line, bytes]);
  const post = async (port: number, body: Buffer | string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${PREVIEW_PATH}`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${TOKEN}`, ...headers },
    });

  it('requires the right token, method and path', async () => {
    const { server, renderer } = await serve();
    for (const authorization of ['', 'Bearer ', `Bearer ${TOKEN}x`, TOKEN]) {
      expect((await post(server.port, message, { authorization })).status).toBe(401);
    }
    const url = `http://127.0.0.1:${server.port}`;
    expect((await fetch(url + PREVIEW_PATH)).status).toBe(404);
    expect((await fetch(`${url}/`, { method: 'POST' })).status).toBe(404);
    expect(renderer.taken).toEqual([]);
    expect((await post(server.port, message)).status).toBe(200);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', 'x\n'],
    ['JSON without an end of line', '{}'],
    ['a JSON text', '"x"\n'],
    ['an unknown format', line.toString().replace('"pdf"', '"doc"')],
    ['a deadline beyond the limit', line.toString().replace('30000', '60001')],
  ])('rejects a message with %s', async (_what, body) => {
    const { server, renderer } = await serve();
    expect((await post(server.port, body)).status).toBe(400);
    expect(renderer.taken).toEqual([]);
  });

  it('does not accept another preview until the file is read, and closes the connection after ten seconds', async () => {
    const renderer = new Renderer();
    // More bytes than the kernel ever buffers for a response that no client reads.
    renderer.outcome = { ...done, file: Buffer.alloc(128 * 2 ** 20) };
    const clock = new FakeClock();
    const { server } = await serve(renderer, clock);
    const socket = connect(server.port, '127.0.0.1').on('error', () => undefined);
    socket.pause();
    const head = `POST ${PREVIEW_PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Length: ${message.length}\r\n\r\n`;
    socket.write(Buffer.concat([Buffer.from(head), message]));
    await eventually(() => renderer.taken.length === 1 && clock.pending === 1);
    const rejected = await post(server.port, message);
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '1']);
    clock.advance(10_000);
    renderer.outcome = done;
    await eventually(async () => (await post(server.port, message)).status === 200);
    socket.destroy();
  });

  it('rejects a message with an unknown or excessive length before it arrives', async () => {
    const { server } = await serve();
    for (const length of ['Transfer-Encoding: chunked', `Content-Length: ${300 * 2 ** 20}`]) {
      const socket = connect(server.port, '127.0.0.1');
      const head = `POST ${PREVIEW_PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\n${length}\r\n\r\n`;
      socket.write(head);
      const [response] = (await once(socket, 'data')) as [Buffer];
      expect(response.toString()).toMatch(/^HTTP\/1.1 413 /);
      socket.destroy();
    }
  });

  it('accepts the next preview if a client disconnects in the middle of a message', async () => {
    const { server, renderer, logged } = await serve();
    const socket = connect(server.port, '127.0.0.1');
    const head = `POST ${PREVIEW_PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\n`;
    socket.write(`${head}Content-Length: 100\r\nExpect: 100-continue\r\n\r\n`);
    await once(socket, 'data');
    socket.write('{');
    expect((await post(server.port, message)).status).toBe(503);
    socket.destroy();
    await eventually(async () => (await post(server.port, message)).status === 200);
    expect(renderer.taken).toHaveLength(1);
    expect(logged.filter((line) => !line.includes('"level":"info"'))).toEqual([]);
  });
});

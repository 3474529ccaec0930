import { readdirSync, statSync } from 'node:fs';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import { connect } from 'node:net';
import path from 'node:path';
import { TEMPLATE } from '@trifold/crds';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { createLogger, type Logger } from '@trifold/platform/process/logging.ts';
import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ListeningAt } from '../control-plane.ts';
import { openTestPlane, templateDraft, type TestPlane } from '../testing/plane.ts';
import { UnreadBytes } from '../store/unread-bytes.ts';
import { loadCredentials } from './credentials.ts';
import { TlsListener } from './tls-listener.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';

const TEMPLATES = '/apis/trifold.dev/v1alpha1/namespaces/default/templates';

describe('TlsListener', () => {
  let directory: string;
  let test: TestPlane;
  let at: ListeningAt;

  const listen = () =>
    test.plane.listen({ host: '127.0.0.1', port: 0, directory: path.join(directory, 'pki') });

  beforeEach(async () => {
    directory = testDirectory();
    test = await openTestPlane(':memory:', new FakeClock(new Date()));
    at = await listen();
  });
  afterEach(() => test.plane.close());

  function call(
    target: string,
    options: RequestOptions & { body?: string } = {},
  ): Promise<{ status: number; text: string }> {
    const { body, ...rest } = options;
    return new Promise((resolve, reject) => {
      const sent = request(
        `${at.url}${target}`,
        {
          ca: at.caCertificate,
          agent: false,
          headers: {
            authorization: `Bearer ${at.token}`,
            ...(body && { 'content-type': 'application/json' }),
          },
          ...rest,
        },
        (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text })).on('error', reject);
        },
      );
      sent.on('error', reject).end(body);
    });
  }

  it('is not trusted by a client without its CA', async () => {
    await expect(call('/readyz', { ca: undefined })).rejects.toThrow(/certificate/);
  });

  it.each([{}, { authorization: 'Bearer wrong' }, { authorization: 'Basic eA==' }])(
    'rejects the headers %j with 401, except for health checks',
    async (headers) => {
      const { status, text } = await call(TEMPLATES, { headers });
      expect([status, JSON.parse(text)]).toMatchObject([401, { reason: 'Unauthorized', code: 401 }]);
      expect(await call('/readyz', { headers })).toEqual({ status: 200, text: 'ok' });
    },
  );

  it('returns 415 for protobuf that it cannot decode', async () => {
    // runtime.Unknown { typeMeta { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' } }
    const body = 'k8s\0\n\x1f\n\x16coordination.k8s.io/v1\x12\x05Lease';
    const type = 'application/vnd.kubernetes.protobuf';
    const headers = { authorization: `Bearer ${at.token}`, 'content-type': type };
    const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
    const { status, text } = await call(leases, { method: 'POST', headers, body });
    expect([status, JSON.parse(text)]).toMatchObject([415, { reason: 'UnsupportedMediaType' }]);
  });

  it('streams watch events as they occur and ends the stream when the server closes', async () => {
    const received: string[] = [];
    const ended = new Promise<string>((resolve) => {
      request(
        `${at.url}${TEMPLATES}?watch=true&resourceVersion=1`,
        { ca: at.caCertificate, headers: { authorization: `Bearer ${at.token}` } },
        (response) => {
          response.setEncoding('utf8').on('data', (piece: string) => received.push(piece));
          response.on('end', () => resolve('ended')).on('error', () => resolve('cut'));
          void test.client.resource(TEMPLATE).create(templateDraft('a'));
        },
      )
        .on('error', () => resolve('cut'))
        .end();
    });
    await eventually(() => expect(received.join('')).toContain('"type":"ADDED"'));
    await test.plane.close();
    expect(await ended).toMatch(/ended|cut/);
  });

  it('closes without waiting for a client in the middle of a handshake', async () => {
    const client = connect(Number(new URL(at.url).port), '127.0.0.1');
    const ended = once(client.resume(), 'close');
    // The first bytes of a handshake that never completes.
    client.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00]));
    // This later response proves that the listener has accepted the other connection.
    expect((await call('/readyz')).status).toBe(200);
    await test.plane.close();
    await ended;
  });

  it('releases the watch of a client that disconnects', async () => {
    const before = test.clock.pending;
    const sent = request(
      `${at.url}${TEMPLATES}?watch=true`,
      { ca: at.caCertificate, headers: { authorization: `Bearer ${at.token}` } },
      (response) => response.on('error', () => undefined),
    );
    sent.on('error', () => undefined).end();
    await eventually(() => expect(test.clock.pending).toBe(before + 1));
    sent.destroy();
    await eventually(() => expect(test.clock.pending).toBe(before));
  });

  it('keeps its secrets private and reuses them after a restart', async () => {
    const pki = path.join(directory, 'pki');
    expect(readdirSync(pki).toSorted()).toEqual(['ca.crt', 'ca.key', 'server.crt', 'server.key', 'token']);
    for (const file of readdirSync(pki)) expect(statSync(path.join(pki, file)).mode & 0o777).toBe(0o600);
    expect(statSync(pki).mode & 0o777).toBe(0o700);
    const again = await listen();
    expect([again.token, again.caCertificate]).toEqual([at.token, at.caCertificate]);
  });
});

describe('TlsListener with clients that do not read', () => {
  let directory: string;
  let listener: TlsListener;
  let clock: FakeClock;
  let logger: Logger;
  let get: () => Promise<IncomingMessage>;
  const PIECE = 1024 * 1024;
  /** Of the next bodies. Without an end, because the kernel's buffers can be as large as any other. */
  let pieces: number;

  beforeEach(async () => {
    directory = testDirectory();
    clock = new FakeClock(new Date());
    pieces = Infinity;
    const credentials = await loadCredentials(directory, '127.0.0.1', clock.now());
    logger = createLogger({ level: 'silent', name: 'listener' });
    const body = async function* (pieces: number) {
      for (let piece = 0; piece < pieces; piece += 1) yield Buffer.alloc(PIECE);
    };
    const api = { send: async () => ({ status: 200, headers: {}, body: body(pieces) }) };
    listener = new TlsListener(api, credentials, { clock, logger, unread: new UnreadBytes(1.5 * PIECE) });
    const port = await listener.listen(0, '127.0.0.1');
    get = async () => {
      const options = { port, ca: credentials.caCertificate, agent: false };
      const [response] = (await once(request('https://127.0.0.1/readyz', options).end(), 'response')) as [
        IncomingMessage,
      ];
      return response.on('error', () => undefined);
    };
  });
  afterEach(() => listener.close());

  it('closes the connection of a client that stops reading', async () => {
    const response = await get();
    await eventually(() => expect(clock.pending).toBe(1));
    clock.advance(1000 * BOUNDS.stalledReaders.limit.value);
    expect(await isComplete(response)).toBe(false);
  });

  it("drops the slowest client's response if the total is exceeded", async () => {
    const [info, error] = [vi.spyOn(logger, 'info'), vi.spyOn(logger, 'error')];
    const slowest = await get();
    pieces = 1;
    const next = await get();
    expect(await Promise.all([slowest, next].map(isComplete))).toEqual([false, true]);
    expect([info, error].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
  });

  it('closes connections beyond its limit', async () => {
    const { value } = BOUNDS.apiConnections.limit;
    const at = (await get()).socket.remotePort ?? 0;
    const sockets = Array.from({ length: value }, () =>
      connect(at, '127.0.0.1').on('error', () => undefined),
    );
    const closed = await Promise.race(
      sockets.map(async (socket) => once(socket.resume(), 'close').then(() => socket)),
    );
    expect(closed).toBe(sockets.at(-1));
    for (const socket of sockets) socket.destroy();
  });
});

/** Reads a response to the end. Returns whether the server has sent all of it. */
async function isComplete(response: IncomingMessage): Promise<boolean> {
  await new Promise((resolve) => response.resume().once('close', resolve));
  return response.complete;
}

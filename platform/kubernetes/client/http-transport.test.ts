import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { KubeConfig } from '@kubernetes/client-node';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { HttpTransport, loadKubeConfig, type HttpTransportOptions } from './http-transport.ts';
import type { ApiResponse } from './transport.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { testDirectory } from '@trifold/test-support/files/test-directory.ts';

const cleanups: (() => Promise<unknown> | void)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function transportTo(url: string, options?: HttpTransportOptions): HttpTransport {
  const config = new KubeConfig();
  config.loadFromClusterAndUser(
    { name: 'model', server: url, skipTLSVerify: false },
    { name: 'nobody', token: 'secret-token' },
  );
  const transport = new HttpTransport(config, options);
  cleanups.push(() => transport.close());
  return transport;
}

async function serverOf(
  handler: (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>,
): Promise<string> {
  const server = createServer((incoming, outgoing) => void handler(incoming, outgoing));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function tcpServerOf(handler: (socket: Socket) => void): Promise<string> {
  const server = createTcpServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const textOf = (response: ApiResponse) => text(response.body);

describe('HttpTransport', () => {
  it('sends the method, path, query, headers and body, and returns the status, headers and body', async () => {
    const url = await serverOf(async (incoming, outgoing) => {
      const { method, url, headers } = incoming;
      outgoing.writeHead(201, { 'X-Hello': 'u', 'set-cookie': ['a=1', 'b=2'] });
      outgoing.end(JSON.stringify({ method, url, headers, body: await text(incoming) }));
    });
    const response = await transportTo(`${url}/proxied/`).send({
      method: 'POST',
      path: '/apis/x',
      query: { labelSelector: 'a=b,c', empty: '' },
      headers: { 'content-type': 'application/json' },
      body: '{"text":"ü€😀"}',
    });
    expect(response.status).toBe(201);
    expect(response.headers).toMatchObject({ 'x-hello': 'u', 'set-cookie': 'a=1, b=2' });
    expect(JSON.parse(await textOf(response))).toMatchObject({
      method: 'POST',
      url: '/proxied/apis/x?labelSelector=a%3Db%2Cc&empty=',
      headers: { 'content-type': 'application/json', 'content-length': '20', 'user-agent': 'trifold' },
      body: '{"text":"ü€😀"}',
    });
  });

  it('sends no credentials over plain HTTP', async () => {
    const url = await serverOf((incoming, outgoing) => void outgoing.end(JSON.stringify(incoming.headers)));
    const headers = await textOf(await transportTo(url).send({ method: 'GET', path: '/' }));
    expect(headers).not.toContain('secret-token');
  });

  it('reuses one connection for sequential requests', async () => {
    const sockets = new Set<Socket>();
    const url = await serverOf((incoming, outgoing) => {
      sockets.add(incoming.socket);
      outgoing.end('{}');
    });
    const transport = transportTo(url);
    for (let time = 0; time < 20; time += 1) {
      // Aborts the signal as soon as the response is complete, as the reflector does.
      const aborting = new AbortController();
      await textOf(await transport.send({ method: 'GET', path: '/', signal: aborting.signal }));
      aborting.abort();
    }
    expect(sockets.size).toBe(1);
  });

  it('streams a body as it arrives', async () => {
    const gate = Promise.withResolvers<void>();
    const url = await serverOf(async (_, outgoing) => {
      outgoing.write('first');
      await gate.promise;
      outgoing.end('second');
    });
    const response = await transportTo(url).send({ method: 'GET', path: '/' });
    const pieces: string[] = [];
    for await (const piece of response.body) {
      pieces.push(Buffer.from(piece).toString());
      gate.resolve();
    }
    expect(pieces).toEqual(['first', 'second']);
  });

  it('closes the connection when the reader stops early', async () => {
    const closed = Promise.withResolvers<void>();
    const url = await serverOf((_, outgoing) => {
      outgoing.on('close', () => closed.resolve());
      outgoing.write('first');
    });
    const response = await transportTo(url).send({ method: 'GET', path: '/', query: { watch: 'true' } });
    for await (const piece of response.body) {
      expect(Buffer.from(piece).toString()).toBe('first');
      break;
    }
    await closed.promise;
  });

  it("rejects with the signal's reason before the request, while waiting, and during the body", async () => {
    const closed: string[] = [];
    const url = await serverOf((incoming, outgoing) => {
      outgoing.on('close', () => closed.push(incoming.url ?? ''));
      if (incoming.url === '/body') outgoing.write('first');
    });
    const transport = transportTo(url);

    const aborted = AbortSignal.abort(new Error('before'));
    await expect(transport.send({ method: 'GET', path: '/before', signal: aborted })).rejects.toThrow(
      'before',
    );

    const atOnce = new AbortController();
    const begun = transport.send({ method: 'GET', path: '/at-once', signal: atOnce.signal });
    atOnce.abort(new Error('at once'));
    await expect(begun).rejects.toThrow('at once');

    const waiting = new AbortController();
    const answer = transport.send({ method: 'GET', path: '/wait', signal: waiting.signal });
    setImmediate(() => waiting.abort(new Error('during the wait')));
    await expect(answer).rejects.toThrow('during the wait');

    const reading = new AbortController();
    const response = await transport.send({ method: 'GET', path: '/body', signal: reading.signal });
    const read = textOf(response);
    setImmediate(() => reading.abort(new Error('during the body')));
    await expect(read).rejects.toThrow('during the body');
    await eventually(() => expect(closed).toContain('/body'));
  });

  it('throws when the connection breaks before the body is complete', async () => {
    const url = await serverOf((_, outgoing) => {
      outgoing.writeHead(200, { 'content-length': '100' });
      outgoing.write('first', () => outgoing.destroy());
    });
    await expect(textOf(await transportTo(url).send({ method: 'GET', path: '/' }))).rejects.toThrow();
  });

  it('times out if the server is silent before or during the response', async () => {
    const url = await serverOf((incoming, outgoing) => {
      if (incoming.url === '/body') outgoing.write('first');
    });
    const transport = transportTo(url, { timeoutMs: 2000 });
    const response = await transport.send({ method: 'GET', path: '/body' });
    await Promise.all([
      expect(textOf(response)).rejects.toThrow('no data for 2000 ms'),
      expect(transport.send({ method: 'GET', path: '/' })).rejects.toThrow('no data for 2000 ms'),
    ]);
  });

  it('allows a watch to be silent for longer than other requests', async () => {
    let watch: ServerResponse | undefined;
    const url = await serverOf((incoming, outgoing) => {
      if (!incoming.url?.includes('watch')) return;
      outgoing.flushHeaders();
      watch = outgoing;
    });
    const transport = transportTo(url, { timeoutMs: 50 });
    const response = await transport.send({ method: 'GET', path: '/', query: { watch: 'true' } });
    const text = textOf(response);
    // Another request, started after the watch, times out first.
    await expect(transport.send({ method: 'GET', path: '/' })).rejects.toThrow('no data for');
    await expect(transport.send({ method: 'GET', path: '/' })).rejects.toThrow('no data for');
    watch?.end('still here');
    expect(await text).toBe('still here');
  });

  it('repeats a read, but never a write, if the server has just closed the connection', async () => {
    let connections = 0;
    const url = await tcpServerOf((socket) => {
      connections += 1;
      let requests = 0;
      socket.on('error', () => {});
      socket.on('data', () => {
        requests += 1;
        // Kept alive after the first request, reset on the second.
        if (requests === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
        else socket.resetAndDestroy();
      });
    });
    const transport = transportTo(url);
    const read = async () => textOf(await transport.send({ method: 'GET', path: '/' }));
    expect(await read()).toBe('ok');
    expect(await read()).toBe('ok');
    expect(connections).toBe(2);
    await expect(transport.send({ method: 'POST', path: '/', body: '{}' })).rejects.toThrow();
    expect(connections).toBe(2);
  });
});

describe('loadKubeConfig', () => {
  async function fileOf(text: string): Promise<string> {
    const folder = testDirectory();
    const file = join(folder, 'config');
    await writeFile(file, text);
    return file;
  }
  const config = `
apiVersion: v1
kind: Config
current-context: one
clusters: [{ name: one, cluster: { server: "https://one:6443" } }, { name: two, cluster: { server: "https://two:6443" } }]
contexts: [{ name: one, context: { cluster: one, user: me } }, { name: two, context: { cluster: two, user: me } }]
users: [{ name: me, user: { token: my-token } }]
`;

  it('reads the given file and context', async () => {
    const kubeconfig = await fileOf(config);
    expect(loadKubeConfig({ kubeconfig }).getCurrentCluster()?.server).toBe('https://one:6443');
    expect(loadKubeConfig({ kubeconfig, context: 'two' }).getCurrentCluster()?.server).toBe(
      'https://two:6443',
    );
  });

  it('reads the file that KUBECONFIG names', async () => {
    vi.stubEnv('KUBECONFIG', await fileOf(config));
    cleanups.push(() => void vi.unstubAllEnvs());
    expect(loadKubeConfig().getCurrentCluster()?.server).toBe('https://one:6443');
  });

  it('lists the existing contexts when the requested one does not exist', async () => {
    const kubeconfig = await fileOf(config);
    expect(() => loadKubeConfig({ kubeconfig, context: 'three' })).toThrow(
      /"three"; its contexts are: one, two/,
    );
  });

  it('names a missing file, and does not quote an unreadable one', async () => {
    expect(() => loadKubeConfig({ kubeconfig: '/nowhere/config' })).toThrow(
      /\/nowhere\/config cannot be read: ENOENT/,
    );
    const kubeconfig = await fileOf('users: [{ user: { token: my-secret-token } }\n  : : :');
    expect(() => loadKubeConfig({ kubeconfig })).toThrow(/cannot be read/);
    expect(() => loadKubeConfig({ kubeconfig })).not.toThrow(/my-secret/);
  });

  it('explains what to do if there is no configuration', async () => {
    vi.stubEnv('KUBECONFIG', '');
    vi.stubEnv('HOME', '/nowhere');
    cleanups.push(() => void vi.unstubAllEnvs());
    expect(() => loadKubeConfig()).toThrow(/set KUBECONFIG/);
  });
});

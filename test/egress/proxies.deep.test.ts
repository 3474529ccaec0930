import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { IdentityProvider } from '@trifold/api-gateway/sessions/oidc/identity-provider.ts';
import { loadOidcConfig } from '@trifold/api-gateway/sessions/oidc/oidc-config.ts';
import { systemClock } from '@trifold/platform/async/clock.ts';
import { PresignedObjects } from '@trifold/platform/object-store/s3/presigned-objects.ts';
import { loadS3Config } from '@trifold/platform/object-store/s3/s3-config.ts';
import { S3Store } from '@trifold/platform/object-store/s3/s3-store.ts';
import { AddressGuard } from '@trifold/platform/outbound/address-guard.ts';
import { OutboundClient, type OutboundClientOptions } from '@trifold/platform/outbound/outbound-client.ts';
import { loadProxies } from '@trifold/platform/outbound/proxies.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { parseAddressRange } from '@trifold/platform/settings/address-range.ts';
import { allowedResources } from '@trifold/renderer/network/allowed-resources.ts';
import { testDirectory } from '../support/files/test-directory.ts';
import { RECEIVER_HOST, WebhookReceiver } from '../support/http/webhook-receiver.ts';
import { minioProgram, startMinio } from '../support/processes/minio.ts';

const logger = createLogger({ level: 'silent', name: 'test' });

/** A forward proxy that resolves every name to this machine. `status` is its response to everything. */
async function startProxy(status?: number) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    if (status !== undefined) return void response.writeHead(status).end();
    const { port, pathname, search } = new URL(request.url ?? '');
    const { method, headers } = request;
    const forwarded = httpRequest({ host: '127.0.0.1', port, path: pathname + search, method, headers });
    forwarded.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  });
  server.on('connect', ({ url = '', headers }, socket) => {
    seen.push(`CONNECT ${url} ${headers['proxy-authorization'] ?? ''}`.trim());
    socket.on('error', () => undefined);
    if (status !== undefined) return void socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const target = connect(Number(url.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(target).pipe(socket);
    });
    target.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => server.closeAllConnections());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    seen,
    url: `http://${host}`,
    environment: { HTTP_PROXY: `http://${host}`, HTTPS_PROXY: `http://ada:pw@${host}` },
  };
}
type Proxy = Awaited<ReturnType<typeof startProxy>>;

const NOT_RESOLVED = { resolve: () => Promise.reject(new Error('ENOTFOUND')) };
const LOCAL = { resolve: async () => ['127.0.0.1'] };

describe('Webhooks through a proxy', () => {
  const receiverFor = async (plain = false) => {
    const receiver = await WebhookReceiver.start({ plain });
    onTestFinished(() => receiver.stop());
    return receiver;
  };
  const clientOf = (environment: Record<string, string>, options: Partial<OutboundClientOptions> = {}) =>
    new OutboundClient({
      guard: new AddressGuard(),
      resolver: NOT_RESOLVED,
      clock: systemClock,
      allowHttp: true,
      userAgent: 'test',
      proxies: loadProxies(environment),
      ...options,
    });
  const post = (client: OutboundClient, url: string) => client.post({ url, headers: {}, body: '{}' });

  it('reach a receiver whose name only the proxy can resolve, with TLS verified', async () => {
    const [receiver, proxy] = [await receiverFor(), await startProxy()];
    const { authority: authorities } = receiver;
    expect(await post(clientOf(proxy.environment, { authorities }), receiver.url('/a'))).toMatchObject({
      status: 200,
    });
    const credentials = `Basic ${Buffer.from('ada:pw').toString('base64')}`;
    expect(proxy.seen).toEqual([`CONNECT ${RECEIVER_HOST}:${receiver.port} ${credentials}`]);
    expect(receiver.received).toMatchObject([
      { path: '/a', headers: { host: `${RECEIVER_HOST}:${receiver.port}` } },
    ]);
    for (const name of ['authorization', 'proxy-authorization']) {
      expect(receiver.received[0]?.headers).not.toHaveProperty(name);
    }
    const untrusted = await post(clientOf(proxy.environment), receiver.url());
    expect(untrusted.error).toMatchObject({ code: 'tls_failed' });
  });

  it("reach a receiver without TLS, without recording a response body that may be the proxy's", async () => {
    const [receiver, proxy] = [await receiverFor(true), await startProxy()];
    const result = await post(clientOf(proxy.environment), receiver.url('/b?c'));
    expect(result.status).toBe(200);
    expect(result).not.toHaveProperty('answer');
    expect(proxy.seen).toEqual([`POST ${receiver.url('/b?c')}`]);
    expect(receiver.received).toMatchObject([
      { path: '/b?c', headers: { host: `${RECEIVER_HOST}:${receiver.port}` } },
    ]);
  });

  it.each([
    ['an address', 'https://169.254.169.254/', NOT_RESOLVED],
    ['an IPv6 address', 'http://[fd00::1]/', NOT_RESOLVED],
    ['this machine', 'https://localhost/', LOCAL],
    [
      'a name with a private address',
      'https://intranet.example.com/',
      { resolve: async () => ['93.184.216.34', '10.0.0.1'] },
    ],
  ])('are rejected before the proxy is contacted: %s', async (_, url, resolver) => {
    const proxy = await startProxy();
    const { error } = await post(clientOf(proxy.environment, { resolver }), url);
    expect(error).toMatchObject({ code: 'address_forbidden' });
    expect(proxy.seen).toEqual([]);
  });

  it('go directly to hosts in NO_PROXY, with the address checked', async () => {
    const [receiver, proxy] = [await receiverFor(), await startProxy()];
    const environment = { ...proxy.environment, NO_PROXY: '.example.com' };
    const { authority: authorities } = receiver;
    const guard = new AddressGuard([parseAddressRange('127.0.0.1')]);
    const options = { resolver: LOCAL, authorities };
    expect(await post(clientOf(environment, { ...options, guard }), receiver.url())).toMatchObject({
      status: 200,
    });
    const { error } = await post(clientOf(environment, options), receiver.url());
    expect([error?.code, proxy.seen]).toEqual(['address_forbidden', []]);
  });

  it.each([
    ['https', 407, 'it requires other credentials'],
    ['http', 407, 'it requires other credentials'],
    ['https', 403, 'it responded with 403'],
  ])('over %s report a proxy that responds with %i', async (scheme, status, words) => {
    const { environment } = await startProxy(status);
    const { error } = await post(clientOf(environment), `${scheme}://hooks.example.com/`);
    expect(error).toMatchObject({
      code: 'connection_failed',
      message: expect.stringContaining(words) as unknown,
    });
  });

  it.each(['http', 'https'])('over %s report an unreachable proxy', async (scheme) => {
    const dead = { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' };
    const { error } = await post(clientOf(dead), `${scheme}://hooks.example.com/`);
    expect(error).toMatchObject({ code: 'connection_failed', message: 'the proxy could not be reached' });
  });
});

it('Document resources are loaded through the proxy', async () => {
  const receiver = await WebhookReceiver.start({ plain: true });
  onTestFinished(() => receiver.stop());
  const proxy = await startProxy();
  const hosts = [{ hostname: 'cdn.example.com', port: receiver.port }];
  const common = { hosts, addresses: [], resolver: NOT_RESOLVED, clock: systemClock, logger };
  const load = allowedResources({ ...common, proxies: loadProxies(proxy.environment) })(
    new AbortController().signal,
  );
  const url = receiver.url('/logo.png', 'cdn.example.com');
  expect(await load(url)).toMatchObject({ body: Buffer.from('ok') });
  expect(proxy.seen).toEqual([`GET ${url}`]);
});

it('The OpenID Connect provider is reached through the proxy', async () => {
  const proxy = await startProxy(403);
  const config = loadOidcConfig({
    ...proxy.environment,
    TRIFOLD_OIDC_ISSUER: 'https://login.example.com',
    TRIFOLD_OIDC_CLIENT_ID: 'trifold',
    TRIFOLD_OIDC_CLIENT_SECRET: 'secret',
    TRIFOLD_OIDC_GRANTS: '[{"claim":"sub","value":"a","account":"acme","scopes":["templates:read"]}]',
    TRIFOLD_PUBLIC_URL: 'https://docs.example.com',
  });
  await expect(new IdentityProvider(config!).begin(new URL('https://docs.example.com/'))).rejects.toThrow();
  expect(proxy.seen).toEqual([expect.stringContaining('CONNECT login.example.com:443')]);
});

describe('S3 through a proxy', () => {
  const storeOf = (proxy: Proxy, environment: Record<string, string>) => {
    const config = loadS3Config({ ...proxy.environment, ...environment });
    const store = new S3Store(config, { logger });
    onTestFinished(() => store.close());
    return { config, store };
  };

  it.skipIf(!minioProgram() && !process.env['CI'])('stores and reads objects', async () => {
    const minio = await startMinio();
    onTestFinished(() => minio.stop());
    const proxy = await startProxy();
    const endpoint = minio.environment.TRIFOLD_S3_ENDPOINT.replace('127.0.0.1', 's3.example.com');
    const bucket = { TRIFOLD_S3_ENDPOINT: endpoint, TRIFOLD_S3_BUCKET: `bucket-${randomUUID()}` };
    const { config, store } = storeOf(proxy, { ...minio.environment, ...bucket });
    await store.prepare();
    const put = { key: 'out', metadata: {} };
    const { requests } = await store.presign({ read: ['in'], head: [], put }, 60_000);
    await store.put('in', 'content');
    const objects = new PresignedObjects(config.proxies);
    onTestFinished(() => objects.close());
    expect(String(await objects.open(requests).read('in'))).toBe('content');
    expect(await objects.open(requests).put('out', 'x'.repeat(2 ** 20))).toEqual({ created: true });
    expect((await store.read('out'))?.length).toBe(2 ** 20);
    expect((await store.list('')).objects.map(({ key }) => key)).toEqual(['in', 'out']);
    const path = `${endpoint}/${bucket.TRIFOLD_S3_BUCKET}/out%40`;
    const methods = proxy.seen.filter((line) => line.includes(path)).map((line) => line.split(' ')[0]);
    expect(methods).toEqual(['PUT', 'GET']);
  });

  it('names the proxy in errors, and requests STS credentials through it', async () => {
    const proxy = await startProxy(403);
    const keys = { TRIFOLD_S3_ACCESS_KEY: 'a', TRIFOLD_S3_SECRET_KEY: 'b' };
    const { store } = storeOf(proxy, { TRIFOLD_S3_ENDPOINT: 'https://s3.example.com', ...keys });
    const advice = `through the proxy ${proxy.url}: check HTTP_PROXY`;
    await expect(store.prepare()).rejects.toThrow(advice);
    const plain = storeOf(proxy, { TRIFOLD_S3_ENDPOINT: 'http://s3.example.com', ...keys }).store;
    await expect(plain.prepare()).rejects.toThrow(advice);
    const file = join(testDirectory(), 'token');
    await writeFile(file, 'token');
    const sts = { AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ENDPOINT_URL_STS: 'https://sts.example.com' };
    const { config } = storeOf(proxy, { TRIFOLD_S3_ENDPOINT: 'https://s3.example.com', ...sts });
    await expect(config.credentials()).rejects.toThrow('no credentials');
    expect(proxy.seen.at(-1)).toContain('CONNECT sts.example.com:443');
  });
});

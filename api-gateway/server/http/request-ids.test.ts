import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { sendRaw } from '@trifold/test-support/http/raw-connection.ts';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';

interface OpenApi {
  readonly paths: Record<string, Record<string, unknown>>;
}
interface LogLine {
  readonly msg: string;
  readonly request_id?: string;
  readonly route?: string;
  readonly status?: number;
}
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const lines: LogLine[] = [];
const gateway = await GatewayFixture.shared({
  config: { logRequests: true },
  log: (line) => void lines.push(JSON.parse(line) as LogLine),
});

it('every route returns the request ID in its response and its error, and logs it', async () => {
  const document = (await gateway.call('GET', '/v1/openapi.json')).json<OpenApi>();
  const routes = Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.keys(methods).map((method) => ({ template, method: method.toUpperCase() as Method })),
  );
  const others = ['/docs', '/healthz', '/readyz', '/metrics', '/nowhere', '/v1/%zz'];
  const ids = new Set<string>();
  for (const { template, method } of [
    ...routes,
    ...others.map((path) => ({ template: path, method: 'GET' as const })),
  ]) {
    for (const key of [gateway.key, '', 'tf_live_none']) {
      const path = template.replaceAll(/\{\w+\}/g, 'nothing');
      const body = method === 'POST' || method === 'PATCH' ? {} : undefined;
      // The service ignores IDs from callers and generates unique ones.
      const headers = { 'x-request-id': 'mine' };
      const response = await gateway.call(method, path, { key, body, headers });
      const id = String(response.headers['x-request-id']);
      expect(id, template).toMatch(/^req-[0-9a-z]{26}$/);
      expect(ids, template).not.toContain(id);
      ids.add(id);
      if (response.statusCode >= 400) expect(response.json(), template).toMatchObject({ request_id: id });
      const told = lines.filter(({ request_id, msg }) => request_id === id && msg === 'request');
      const line = { method, status: response.statusCode, ms: expect.any(Number) as number };
      expect(told, template).toEqual([expect.objectContaining(line)]);
    }
  }
});

const HOST = 'Host: a\r\n';

const POST = `POST /v1/generate HTTP/1.1\r\n${HOST}`;
const CHUNKED = 'transfer-encoding: chunked\r\n\r\n0\r\n\r\n';
it.each([
  ['text that is not HTTP', 'hello\r\n\r\n', 400, 'invalid_request'],
  ['a header without a name', `GET / HTTP/1.1\r\n${HOST}: y\r\n\r\n`, 400, 'invalid_request'],
  ['two lengths', `${POST}content-length: 1\r\ncontent-length: 2\r\n\r\n`, 400, 'invalid_request'],
  ['a length and chunks', `${POST}content-length: 2\r\n${CHUNKED}`, 400, 'invalid_request'],
  ['large headers', `GET / HTTP/1.1\r\n${HOST}X: ${'x'.repeat(100_000)}\r\n\r\n`, 431, 'headers_too_large'],
  ['no Host', 'GET /healthz HTTP/1.1\r\n\r\n', 400, 'invalid_request'],
  ['two Hosts', `GET /healthz HTTP/1.1\r\n${HOST}Host: b\r\n\r\n`, 400, 'invalid_request'],
  ['two Hosts in HTTP/1.0', `GET /healthz HTTP/1.0\r\n${HOST}${HOST}\r\n`, 400, 'invalid_request'],
  ['a CONNECT request', `CONNECT example.org:443 HTTP/1.1\r\n${HOST}\r\n`, 405, 'method_not_allowed'],
  ['an unknown method', `PROPFIND /v1/templates HTTP/1.1\r\n${HOST}\r\n`, 405, 'method_not_allowed'],
  ['an unknown Expect header', `${POST}Expect: wonders\r\n\r\n`, 417, 'expectation_failed'],
])('a raw request has one ID in its response and in the log: %s', async (_what, bytes, status, code) => {
  const response = await sendRaw(await address(), bytes);
  expect(response.status).toBe(status);
  const body = JSON.parse(response.body) as { request_id: string };
  expect(body).toMatchObject({ code });
  expect(response.head.toLowerCase()).toContain(`x-request-id: ${body.request_id}`);
  expect(/^allow: ./im.test(response.head)).toBe(status === 405);
  const told = lines.filter((line) => line.request_id === body.request_id && line.msg === 'request');
  expect(told).toEqual([expect.objectContaining({ status })]);
});

it('a request without Host succeeds with HTTP/1.0', async () => {
  expect((await sendRaw(await address(), 'GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200);
});

async function address(): Promise<string> {
  const { app } = gateway.gateway;
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

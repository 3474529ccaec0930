import { describe, expect, it } from 'vitest';
import { answerOf, expectError } from '../support/api.ts';
import { sendRaw, type RawAnswer } from '../support/http/raw-http.ts';
import { live, url } from './service-under-test.ts';

const HOST = `Host: ${new URL(url).host}`;
const KEY = `Authorization: Bearer ${live.key}`;
const JSON_TYPE = 'Content-Type: application/json';
const lines = (...head: string[]) => `${head.join('\r\n')}\r\n\r\n`;
const request = (...head: string[]) => lines('POST /v1/templates HTTP/1.1', HOST, KEY, JSON_TYPE, ...head);

/** Expects an error of the common shape or a closed connection, never a 5xx. */
function expectRejection(answer: RawAnswer): void {
  if (answer.status === 0) return;
  const headers = new Headers();
  const type = /^content-type: (.*)$/im.exec(answer.head)?.[1];
  if (type) headers.set('content-type', type.trim());
  const body = /^transfer-encoding: chunked/im.test(answer.head)
    ? answer.body.replaceAll(/^[0-9a-f]+\r\n|\r\n[0-9a-f]+\r\n/gi, '').trim()
    : answer.body;
  expectError(
    answerOf(answer.status, headers, Buffer.from(body)),
    [400, 401, 404, 405, 408, 411, 413, 414, 415, 417, 431, 505],
  );
}

describe('Unusual HTTP requests', () => {
  it.each<[string, string | Buffer]>([
    ['text that is not HTTP', 'hello\r\n\r\n'],
    ['a TLS greeting', Buffer.from('16030100a5010000a10303', 'hex')],
    ['an unknown version', lines('GET /v1/templates HTTP/9.9', HOST, KEY)],
    ['a missing Host header', lines('GET /v1/templates HTTP/1.1', KEY)],
    ['two different Host headers', lines('GET /v1/templates HTTP/1.1', HOST, 'Host: example.com', KEY)],
    ['a duplicate Host header', lines('GET /v1/templates HTTP/1.0', HOST, HOST, KEY)],
    ['a Content-Length that is not a number', request('Content-Length: ten') + '{"name":1}'],
    ['a negative Content-Length', request('Content-Length: -1') + '{}'],
    ['a Content-Length of 10^30', request(`Content-Length: 1${'0'.repeat(30)}`) + '{}'],
    ['a Content-Length over the limit with a short body', request('Content-Length: 999999999') + '{}'],
    ['two Content-Length headers', request('Content-Length: 2', 'Content-Length: 3') + '{}'],
    [
      'Content-Length together with chunked encoding',
      request('Content-Length: 2', 'Transfer-Encoding: chunked') + '0\r\n\r\n',
    ],
    ['an unknown Transfer-Encoding', request('Transfer-Encoding: zipped') + '{}'],
    ['an invalid chunk', request('Transfer-Encoding: chunked') + 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a body that is shorter than announced', request('Content-Length: 500') + '{"name":'],
    ['a header of 200 KB', lines('GET /v1/templates HTTP/1.1', HOST, KEY, `X-Long: ${'x'.repeat(200_000)}`)],
    [
      '10,000 headers',
      lines('GET /v1/templates HTTP/1.1', HOST, ...Array.from({ length: 10_000 }, (_, i) => `X-${i}: 1`)),
    ],
    ['a NUL in a header', lines('GET /v1/templates HTTP/1.1', HOST, 'Authorization: Bearer a\u0000b')],
    ['a header without a colon', lines('GET /v1/templates HTTP/1.1', HOST, 'Authorization')],
    ['an unknown method', lines('BREW /v1/templates HTTP/1.1', HOST, KEY)],
    ['a CONNECT request', lines('CONNECT example.com:443 HTTP/1.1', HOST, KEY)],
    [
      'an absolute URL of another host',
      lines('GET http://example.com/v1/nowhere HTTP/1.1', HOST, KEY, 'Connection: close'),
    ],
    ['a path with a space', lines('GET /v1/templates /x HTTP/1.1', HOST, KEY)],
    [
      'a path that is not ASCII',
      Buffer.from(lines('GET /v1/templates/\xff\xfe HTTP/1.1', HOST, KEY, 'Connection: close'), 'latin1'),
    ],
    [
      'an unknown Expect header',
      request('Expect: a miracle', 'Content-Length: 2', 'Connection: close') + '{}',
    ],
    [
      'an unsupported upgrade',
      lines('GET /v1/nowhere HTTP/1.1', HOST, KEY, 'Connection: Upgrade', 'Upgrade: websocket'),
    ],
  ])('the service rejects %s', async (_what, bytes) => {
    expectRejection(await sendRaw(url, bytes));
    expect((await live.get('/v1/templates?limit=1')).status).toBe(200);
  });

  it('a client that disconnects during its request has no effect on other requests', async () => {
    const { id } = await live.createTemplate();
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const stop = new AbortController();
        const gone = live.send('POST', '/v1/generate', {
          body: { template_id: id, data: {} },
          signal: stop.signal,
        });
        queueMicrotask(() => setImmediate(() => stop.abort()));
        await gone.catch(() => undefined);
      }),
    );
    await live.generate(id, { name: 'Ada' });
  });

  it('pipelined requests are answered in order', async () => {
    const ask = (path: string, ...more: string[]) => lines(`GET ${path} HTTP/1.1`, HOST, KEY, ...more);
    const { head, body } = await sendRaw(
      url,
      ask('/healthz') + ask('/v1/nowhere') + ask('/healthz', 'Connection: close'),
    );
    const statuses = [...`${head}\r\n\r\n${body}`.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => match[1]);
    expect(statuses).toEqual(['200', '404', '200']);
  });
});

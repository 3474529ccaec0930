import { describe, expect, it } from 'vitest';
import { expectError, type Answer, type SendOptions } from '../support/api.ts';
import { sendRaw } from '../support/http/raw-http.ts';
import { live, stranger, url } from './service-under-test.ts';

interface OpenApi {
  readonly paths: Record<string, Record<string, { readonly security: readonly unknown[] }>>;
}

const { paths } = (await stranger.get('/v1/openapi.json')).json<OpenApi>();
/** With unknown ids. */
const ROUTES = Object.entries(paths).flatMap(([template, methods]) =>
  Object.entries(methods).map(([method, { security }]) => ({
    name: `${method.toUpperCase()} ${template}`,
    method: method.toUpperCase(),
    path: template.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'index' ? '0' : 'nothing-01')),
    allowed: [...Object.keys(methods), ...('get' in methods ? ['head'] : [])].map((verb) =>
      verb.toUpperCase(),
    ),
    isGuarded: security.length > 0,
  })),
);
const ALL_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY'];
const BODY = '{"template_id":"nothing-01","name":"n"}';

/** Checks that the response is not a 5xx, has an id in the header, and has the same id in the body of an error. */
function expectSound(answer: Answer, method: string): void {
  expect(answer.status, answer.text).toBeLessThan(500);
  const id = answer.headers.get('x-request-id');
  expect(id).toMatch(/^req-[0-9a-z]{26}$/);
  if (answer.status < 400 || method === 'HEAD') return;
  const body = expectError(answer, answer.status);
  expect(body.request_id).toBe(id);
}

const ODD_BODIES: readonly [string, SendOptions][] = [
  ['a body that is no JSON', { body: '{"a":' }],
  [
    'a body of another type',
    { body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  ],
  ['a content type that is none', { body: BODY, headers: { 'content-type': ';;charset' } }],
  ['another charset', { body: BODY, headers: { 'content-type': 'application/json; charset=utf-16' } }],
  ['bytes that are no UTF-8', { body: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]) }],
  ['a compressed body', { body: new Uint8Array([31, 139, 8, 0]), headers: { 'content-encoding': 'gzip' } }],
  ['a body that is null', { body: 'null' }],
  ['a body that is a list', { body: '[1]' }],
  ['null bytes', { body: '{"name":"a\\u0000b","template_id":"\\u0000"}' }],
  ['a raw null byte', { body: '{"name":"a\u0000b"}' }],
  ['no media type that could be had', { headers: { accept: 'image/gif;q=0, text/*;q=x,,' } }],
  ['an Idempotency-Key that is none', { body: BODY, headers: { 'idempotency-key': 'é'.repeat(300) } }],
  ['an If-None-Match that is none', { headers: { 'if-none-match': '"unfinished, W/, *' } }],
];

const ODD_QUERIES: readonly [string, string][] = [
  ['members of the query twice', '?limit=1&limit=2&status=active&status=draft&cursor=a&cursor=b'],
  ['brackets in the query', '?limit[]=1&limit[a]=2&__proto__[x]=1&constructor=1'],
  ['bad encodings in the query', '?limit=%&cursor=%zz&status=%c0%80&from=%ff'],
  ['a null byte in the query', '?cursor=%00&limit=%00&status=%00'],
  ['a long query', `?cursor=${'x'.repeat(8000)}`],
  ['nothing but separators in the query', '?&&==&='],
];
const ODD_IDS = [
  '%',
  '%zz',
  '%c0%80',
  '%00',
  '%2f..%2f',
  '%252f',
  '%e2%80%ae',
  'x'.repeat(3000),
  '..%5c',
  ';a=b',
];

interface OddRequest {
  readonly what: string;
  readonly path: string;
  readonly options: SendOptions;
}

/** Every malformed request to a route, with a body only where the method allows one. */
function oddRequests(method: string, path: string): OddRequest[] {
  const usual = method === 'POST' || method === 'PATCH' ? { body: BODY } : {};
  return [
    ...ODD_BODIES.map(([what, { body, ...rest }]) => {
      const hasNoBody = method === 'GET' || body === undefined;
      return { what, path, options: hasNoBody ? rest : { body, ...rest } };
    }),
    ...ODD_QUERIES.map(([what, query]) => ({ what, path: path + query, options: usual })),
    ...ODD_IDS.map((id) => ({
      what: `${id.slice(0, 20)} in the path`,
      path: path.includes('nothing-01') ? path.replace('nothing-01', id) : `${path}/${id}`,
      options: usual,
    })),
  ];
}

/** Returns the problem of a response; undefined if there is none. */
async function flawOf(method: string, path: string, options: SendOptions): Promise<string | undefined> {
  try {
    expectSound(await live.send(method, path, options), method);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

describe.each(ROUTES)('$name', ({ method, path, allowed, isGuarded }) => {
  it('returns 405 with the allowed methods for every other method', async () => {
    for (const other of ALL_METHODS.filter((candidate) => !allowed.includes(candidate))) {
      const answer = await live.send(other, path);
      expectSound(answer, other);
      expect(answer.status, other).toBe(405);
      expect(answer.headers.get('allow')?.split(', ').sort(), other).toEqual([...allowed].sort());
    }
  });

  it('returns a success or a documented error for every unusual request', async () => {
    const flaws: Record<string, string> = {};
    for (const { what, path: oddPath, options } of oddRequests(method, path)) {
      const flaw = await flawOf(method, oddPath, options);
      if (flaw !== undefined) flaws[what] = flaw;
    }
    expect(flaws).toEqual({});
  });

  it('returns 401 without a valid key for any request', async () => {
    if (!isGuarded) return;
    for (const headers of [
      {},
      { authorization: 'Basic YTpi' },
      { authorization: `Bearer ${'x'.repeat(5000)}` },
    ]) {
      const answer = await stranger.send(method, path, { headers, ...(method !== 'GET' && { body: '{' }) });
      expectSound(answer, method);
      expectError(answer, 401);
    }
  });

  it('returns 431 with a request id for headers that are too large', async () => {
    const head = [
      `${method} ${path} HTTP/1.1`,
      `Host: ${new URL(url).host}`,
      `Authorization: Bearer ${live.key}`,
      `X-Long: ${'x'.repeat(100_000)}`,
    ];
    const answer = await sendRaw(url, `${head.join('\r\n')}\r\n\r\n`);
    expect(answer.status).toBe(431);
    const body = JSON.parse(answer.body) as Record<string, unknown>;
    expect(body).toMatchObject({ statusCode: 431, code: 'headers_too_large' });
    expect(answer.head.toLowerCase()).toContain(`x-request-id: ${String(body['request_id'])}`);
  });
});

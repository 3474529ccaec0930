import { describe, expect, it } from 'vitest';
import { GatewayFixture } from '../../testing/gateway-fixture.ts';
import { ScriptedController } from '../../testing/scripted-controller.ts';
import { ROUTE_SCOPES } from '../auth/scopes.ts';

const lines: string[] = [];
const gateway = await GatewayFixture.shared({ log: (line) => lines.push(line) });
const template = await gateway.template();

const generate = async (body: unknown, headers: Record<string, string> = {}) =>
  gateway.call('POST', '/v1/generate', { body, headers });
/** Returns a body of valid JSON around the given data string. */
const withData = (data: string) => `{"template_id":"${template}","async":true,"data":${data}}`;

describe('An unknown route or method', () => {
  it.each([
    '/v1',
    '/v1/',
    '/v2/templates',
    '/v1/templates/',
    '/v1/templates/a/b',
    '/V1/templates',
    '/v1/generate/batch/x/y',
    '/docs/nothing',
    '//v1/templates',
  ])('returns 404: %s', async (url) => {
    const response = await gateway.call('GET', url);
    expect(response.statusCode, response.body).toBe(404);
  });

  it('returns 405 with the allowed methods, and no CORS headers', async () => {
    const routes = [...Object.keys(ROUTE_SCOPES), 'GET /healthz'].map((route) => {
      const [method = '', template = ''] = route.split(' ');
      return { method, url: template.replaceAll(/:\w+/g, 'x') };
    });
    // /v1/generate/batch also matches /v1/generate/:id.
    const others = routes.filter(({ url }) => url !== '/v1/generate/batch');
    for (const url of new Set(others.map((one) => one.url))) {
      const known = routes.filter((one) => one.url === url).map(({ method }) => method);
      const allow = [...known, ...(known.includes('GET') ? ['HEAD'] : [])].toSorted().join(', ');
      for (const method of (['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const).filter(
        (one) => !known.includes(one),
      )) {
        const body = method === 'GET' ? undefined : '{"broken';
        const headers = { origin: 'https://example.com' };
        const response = await gateway.call(method, url, { body, headers });
        expect([response.statusCode, response.headers.allow], `${method} ${url}`).toEqual([405, allow]);
        expect(response.json()).toMatchObject({
          code: 'method_not_allowed',
          message: expect.stringContaining(allow),
        });
        expect(response.headers).not.toHaveProperty('access-control-allow-origin');
      }
    }
  });

  it.each(['/v1/templates/%', '/v1/templates/%zz', '/v1/generate/%E0%A4%A'])(
    'returns 400 for broken percent-encoding: %s',
    async (url) => {
      const response = await gateway.call('GET', url);
      const request_id = response.headers['x-request-id'];
      expect(response.json()).toMatchObject({ statusCode: 400, code: 'invalid_request', request_id });
    },
  );

  it('returns 4xx when a path segment is too long', async () => {
    const response = await gateway.call('GET', `/v1/templates/${'x'.repeat(5000)}`);
    expect([404, 414]).toContain(response.statusCode);
    expect(response.json().request_id).toMatch(/^req-/);
  });
});

describe('The body of a JSON request', () => {
  it.each([
    ['empty', ''],
    ['cut off', '{"template_id": "x"'],
    ['with an extra comma', '{"a": 1,}'],
    ['with a control character in a string', '{"a": "\u0001"}'],
    ['with two byte order marks', '\ufeff\ufeff{}'],
    ['with only brackets', '['.repeat(100_000)],
    ['with only braces', '{"a":'.repeat(100_000)],
    ['with only quotes', '"'.repeat(100_001)],
    ['with only backslashes', `"${'\\'.repeat(100_001)}`],
  ])('is rejected with 400 when it is not JSON: %s', async (_what, body) => {
    expect((await generate(body)).json()).toMatchObject({ statusCode: 400, code: 'invalid_json' });
  });

  it('is rejected with 400 when it is not UTF-8', async () => {
    const response = await generate(Buffer.from([0x22, 0xff, 0xfe, 0x22]));
    expect(response.json()).toMatchObject({ statusCode: 400, message: 'the body is not UTF-8 text' });
  });

  it('is rejected with 415 when its content type is not JSON or is nonsense', async () => {
    const forms = ['application/x-www-form-urlencoded', 'multipart/form-data'];
    for (const type of [...forms, 'text/plain', 'application/xml', 'nonsense']) {
      const response = await generate('{}', { 'content-type': type });
      expect(response.statusCode, type).toBe(415);
      expect(response.json()).toMatchObject({
        code: 'unsupported_media_type',
        message: expect.stringContaining('application/json'),
      });
    }
  });

  it('is rejected with 415 when it is compressed', async () => {
    expect((await generate('{}', { 'content-encoding': 'gzip' })).statusCode).toBe(415);
  });

  it.each(['utf-16', 'iso-8859-1', '"utf-16le"'])(
    'is rejected with 415 when its charset is %s',
    async (charset) => {
      const response = await generate(withData('{}'), {
        'content-type': `application/json; charset=${charset}`,
      });
      expect(response.statusCode).toBe(415);
    },
  );

  it('can declare its charset', async () => {
    const response = await generate(withData('{}'), { 'content-type': 'application/json; charset=utf-8' });
    expect(response.statusCode).toBe(202);
  });

  it.each(['null', '[]', '7', '"text"', 'true'])(
    'is rejected with 400 when it is not an object: %s',
    async (body) => {
      const response = await generate(body);
      expect(response.statusCode).toBe(400);
      expect(response.json().message).toContain('must be an object');
    },
  );

  it('is rejected with 400 when it is missing', async () => {
    expect((await gateway.call('POST', '/v1/generate')).statusCode).toBe(400);
  });
});

describe('The body of a route without a request body', () => {
  const WITHOUT_BODY = [
    ['POST', '/v1/webhooks/settings/test'],
    ['POST', '/v1/webhooks/deliveries/whd-1/retry'],
    ['DELETE', '/v1/templates/tpl-1'],
  ] as const;

  it.each(WITHOUT_BODY)('can be empty or an empty object: %s %s', async (method, url) => {
    for (const body of ['', '{}']) {
      expect((await gateway.call(method, url, { body })).statusCode, body).toBe(404);
    }
  });

  it.each(WITHOUT_BODY)('is rejected, not ignored, when it has any content: %s %s', async (method, url) => {
    const rejected = { statusCode: 400, code: 'invalid_request' };
    const unknown = [{ path: '/force', message: 'is not a known field' }];
    expect((await gateway.call(method, url, { body: { force: true } })).json()).toMatchObject({
      ...rejected,
      details: unknown,
    });
    expect((await gateway.call(method, url, { body: '[]' })).json()).toMatchObject(rejected);
    expect((await gateway.call(method, url, { body: '{' })).json()).toMatchObject({ code: 'invalid_json' });
  });
});

describe('JSON data', () => {
  const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;

  it.each([
    ['nested 100,000 deep', nested(100_000), 'is nested deeper than 100 levels'],
    ['deep objects', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, 'is nested deeper than 100 levels'],
    ['__proto__', '{"a":[{"__proto__":{"admin":true}}]}', '/data/a/0/__proto__ is not an allowed field name'],
    ['an escaped __proto__', '{"\\u005f_proto__":1}', '/data/__proto__ is not'],
    ['constructor', '{"constructor":{"prototype":{}}}', '/data/constructor is not an allowed field name'],
    ['a number beyond a double', '{"n":[1,1e999]}', '/data/n/1 is a number that is too large'],
    ['a negative number beyond a double', '{"n":-1e400}', '/data/n is a number that is too large'],
    ['a lone surrogate', '{"s":"a\\ud800b"}', '/data/s contains half of a surrogate pair'],
    ['a name with a lone surrogate', '{"\\udc00":1}', 'half of a surrogate pair'],
  ])('is rejected with 400 when it cannot be stored unchanged: %s', async (_what, data, message) => {
    const response = await generate(withData(data));
    expect(response.statusCode, response.body.slice(0, 500)).toBe(400);
    expect(response.json()).toMatchObject({
      code: 'invalid_json',
      message: expect.stringContaining(message),
    });
  });

  it.each([
    ['NUL in a string', '{"s":"a\\u0000b"}'],
    ['a surrogate pair', '{"s":"\\ud83e\\udd84"}'],
    ['numbers of many digits', '{"n":123456789012345678901234567890.123456789e-10,"m":-0,"o":1e-999}'],
    ['empty names', '{"":{"":1}}'],
    ['names that look like array indexes', '{"0":1,"-1":2}'],
    ['colons and braces in strings', '{"s":"{\\"a\\":[:,","t":"\\\\"}'],
    ['nesting within the limit', nested(90)],
    ['names of object methods', '{"toString":1,"hasOwnProperty":2,"valueOf":3}'],
    [
      'many members',
      JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`m${index}`, index]))),
    ],
  ])('is accepted when it can be stored unchanged: %s', async (_what, data) => {
    const response = await generate(withData(data));
    expect(response.statusCode, response.body.slice(0, 500)).toBe(202);
  });

  it('reaches the resource unchanged', async () => {
    const data = { nul: 'a\0b', unicorn: '🦄', minus: -0.5, list: [[], {}, null], '': '' };
    const { id } = (await generate({ template_id: template, data, async: true })).json();
    const jobs = await new ScriptedController(gateway).jobs();
    expect(jobs.find(({ metadata }) => metadata.name === id)?.spec.data).toEqual(data);
  });
});

describe('Unknown fields', () => {
  it.each<[object, string, string?]>([
    [{ colour: 'red' }, '/colour'],
    [{ options: { dpi: 300 } }, '/options/dpi', 'options'],
    [{ 'a/b~c': 1 }, '/a~1b~0c'],
  ])('are rejected, never dropped: %j', async (members, path, part) => {
    const response = await generate({ template_id: template, data: {}, async: true, ...members });
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toEqual([{ path, message: 'is not a known field', part }]);
  });

  it('produce at most 100 error details', async () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`x${index}`, 1]));
    expect((await generate({ template_id: template, data: {}, ...many })).json().details).toHaveLength(100);
  });

  it('are the only error details for a body with very many potentially invalid values', async () => {
    const fields = Array.from({ length: 20_000 }, () => 1);
    const response = await gateway.call('POST', '/v1/templates', {
      body: { colour: 'red', name: 'x', html: 'x', schema: { fields } },
    });
    expect(response.statusCode).toBe(400);
    expect(response.json().details).toEqual([{ path: '/colour', message: 'is not a known field' }]);
  });
});

it('The log contains neither rejected requests nor data', () => {
  expect(lines.join('')).not.toMatch(/unicorn|🦄|tf_live_[A-Za-z0-9]{43}/);
  expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
});

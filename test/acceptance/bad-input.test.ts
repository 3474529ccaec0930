import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectError, type GenerationAnswer } from '../support/api.ts';
import { live, test } from './service-under-test.ts';

const NEST = 100_000;
const WRITES = [
  ['POST', '/v1/templates'],
  ['PATCH', '/v1/templates/TEMPLATE'],
  ['POST', '/v1/generate'],
] as const;

let template: string;
beforeAll(async () => {
  template = (await live.createTemplate()).id;
});
const at = (path: string) => path.replace('TEMPLATE', template);

describe.each(WRITES)('a body sent to %s %s', (method, path) => {
  it.each([
    ['nothing', ''],
    ['half an object', '{"name": "x"'],
    ['no JSON', 'name=x'],
    ['a trailing comma', '{"name": "x",}'],
    ['something behind the object', '{"name": "x"} {}'],
    ['NaN', '{"name": NaN}'],
    ['a control character in a string', '{"name": "a\u0001b"}'],
    ['an array', '[]'],
    ['a text', '"hello"'],
    ['a number', '7'],
    ['null', 'null'],
    ['arrays that nest 100,000 deep', '['.repeat(NEST) + ']'.repeat(NEST)],
    ['objects that nest 100,000 deep', '{"a":'.repeat(NEST) + '1' + '}'.repeat(NEST)],
    ['100,000 brackets that never close', '['.repeat(NEST)],
    ['__proto__', '{"name": "x", "__proto__": {"polluted": true}}'],
    ['constructor.prototype', '{"name": "x", "constructor": {"prototype": {"polluted": true}}}'],
    ['the same member twice, once wrong', '{"template_id": "x", "template_id": 7, "name": 7, "data": {}}'],
    ['a byte order mark alone', '\uFEFF'],
  ])('that is %s is answered 400', async (_what, body) => {
    const answer = await live.send(method, at(path), {
      body,
      headers: { 'content-type': 'application/json' },
    });
    expectError(answer, 400);
  });

  it('that is not UTF-8 is answered 400 or taken with replacement characters, never 500', async () => {
    const body = Buffer.from([...Buffer.from('{"name": "'), 0xc3, 0x28, 0xff, ...Buffer.from('"}')]);
    const answer = await live.send(method, at(path), { body });
    if (answer.status >= 400) expectError(answer, 400);
    else expect(answer.json()['name']).toContain('\uFFFD');
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'nonsense',
    '',
  ])('with content type %j is answered 415 or 400', async (type) => {
    // fetch names a text body text/plain; bytes get no type of their own.
    const body = new TextEncoder().encode('{"name": "x"}');
    const answer = await live.send(method, at(path), { body, headers: { 'content-type': type } });
    expectError(answer, [400, 415]);
  });

  it('that is compressed is answered 415 or 400', async () => {
    const body = gzipSync('{"name": "x"}');
    const answer = await live.send(method, at(path), { body, headers: { 'content-encoding': 'gzip' } });
    expectError(answer, [400, 415]);
  });

  it('over the limit is answered 413 with the limit', async () => {
    const body = JSON.stringify({ name: 'x'.repeat(3 * 1024 * 1024) });
    const error = expectError(await live.send(method, at(path), { body }), 413);
    expect(error.message).toMatch(/2 ?MiB|2097152|2,097,152/);
  });

  it('in another charset is read right or refused', async () => {
    const answer = await live.send(method, at(path), {
      body: Buffer.from('{"name": "x", "nothing": 1}', 'utf16le'),
      headers: { 'content-type': 'application/json; charset=utf-16le' },
    });
    expectError(answer, [400, 415]);
  });
});

describe('data', () => {
  const inData = async (value: string) =>
    live.post('/v1/generate', `{"template_id": "${template}", "data": {"name": ${value}}}`);

  it('that nests 100,000 deep is answered 400 or 422', async () => {
    expectError(await inData('['.repeat(NEST) + ']'.repeat(NEST)), [400, 422]);
    expectError(await inData('{"a":'.repeat(NEST) + '1' + '}'.repeat(NEST)), [400, 422]);
  });

  it('that nests as deep as people do is taken', async () => {
    const answer = await inData('['.repeat(30) + ']'.repeat(30));
    expect(answer.status, answer.text).toBe(200);
  });

  it.each([
    ['a NUL character', '"a\\u0000b"'],
    ['lone surrogates', '"\\ud83d and \\udcc4"'],
    ['non-characters', '"\\ufffe\\uffff"'],
    [
      'every control character',
      JSON.stringify(String.fromCharCode(...Array.from({ length: 32 }, (_, code) => code))),
    ],
    ['a number beyond doubles', '1e400'],
    ['a number with 400 digits', '9'.repeat(400)],
    ['a tiny number', '5e-324'],
    ['null', 'null'],
    ['an empty member name', '{"": 1}'],
    ['a million characters', JSON.stringify('long '.repeat(200_000))],
    [
      '50,000 members',
      JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`m${i}`, i]))),
    ],
    ['names from Object.prototype', '{"toString": 1, "hasOwnProperty": 2, "valueOf": 3}'],
  ])('with %s gives a document or a clear answer', async (_what, value) => {
    const answer = await inData(value);
    if (answer.status >= 400) {
      expectError(answer, [400, 413, 422]);
      return;
    }
    const { status, error } = answer.json<GenerationAnswer>();
    expect(answer.status, answer.text).toBe(200);
    if (status !== 'completed') expect(error?.message, answer.text).toMatch(/\S.{8,}/);
  });

  it.each(['{"__proto__": {"polluted": true}}', '{"a": {"constructor": {"prototype": {"polluted": true}}}}'])(
    'with %s pollutes nothing',
    async (data) => {
      const { id } = await live.createTemplate({ html: '<p>[{{polluted}}{{a.polluted}}]</p>' });
      const answer = await live.post('/v1/generate', `{"template_id": "${id}", "data": ${data}}`);
      if (answer.status >= 400) expectError(answer, 400);
      expect((await live.get('/v1/templates?limit=1')).text).not.toContain('polluted');
      await live.generate(id);
    },
  );
});

describe('texts of a template', () => {
  it.each([
    ['a NUL character', 'a\u0000b'],
    ['lone surrogates', 'a\ud83db'],
    ['a line break', 'a\nb'],
    ['spaces alone', '   '],
    ['right-to-left marks', '\u202Ea\u202C'],
  ])('with %s are kept as they are or refused', async (_what, name) => {
    for (const member of [
      { name },
      { name: 'x', description: name },
      { name: 'x', html: `<p>${name}</p>` },
    ]) {
      const answer = await live.post('/v1/templates', { html: '<p></p>', ...member });
      if (answer.status >= 400) {
        expectError(answer, [400, 422]);
      } else {
        const { id } = answer.json<{ id: string }>();
        const read = await live.get(`/v1/templates/${id}`);
        expect(read.status, read.text).toBe(200);
        expect(read.json()).toEqual(answer.json());
        expect((await live.get('/v1/templates?limit=100')).status).toBe(200);
        expect((await live.post('/v1/generate', { template_id: id, data: {} })).status).toBe(200);
      }
    }
  });

  it('html and css together over 1 MiB are refused with the limit', async () => {
    const html = `<p>${'x'.repeat(700_000)}</p>`;
    const css = `/*${'y'.repeat(700_000)}*/`;
    const error = expectError(
      await live.post('/v1/templates', { name: 'Large', html, css }),
      [400, 413, 422],
    );
    expect(error.message).toMatch(/1 ?MiB|1048576|1,048,576/);
    const before = (await live.get(`/v1/templates/${template}`)).json();
    expectError(await live.patch(`/v1/templates/${template}`, { html, css }), [400, 413, 422]);
    expect((await live.get(`/v1/templates/${template}`)).json()).toEqual(before);
  });

  it('a schema with 5,000 fields is refused', async () => {
    const fields = Array.from({ length: 5000 }, (_, index) => ({ name: `f${index}`, type: 'string' }));
    expectError(
      await live.post('/v1/templates', { name: 'x', html: '<p></p>', schema: { fields } }),
      [400, 422],
    );
  });

  it('a schema that nests for ever is refused', async () => {
    let items: Record<string, unknown> = { type: 'string' };
    for (let depth = 0; depth < 3000; depth += 1) items = { type: 'array', items };
    const fields = [{ name: 'deep', type: 'array', items }];
    expectError(
      await live.post('/v1/templates', { name: 'x', html: '<p></p>', schema: { fields } }),
      [400, 422],
    );
  });

  it('a schema with the same field twice is refused or one of both counts, never 500', async () => {
    const fields = [
      { name: 'a', type: 'string' },
      { name: 'a', type: 'number' },
    ];
    const answer = await live.post('/v1/templates', { name: 'x', html: '<p></p>', schema: { fields } });
    if (answer.status >= 400) expectError(answer, [400, 422]);
    else expect(answer.status).toBe(201);
  });
});

describe('unknown routes and methods', () => {
  it.each([
    ['GET', '/nothing'],
    ['GET', '/v1'],
    ['GET', '/v2/templates'],
    ['GET', '/v1/template'],
    ['GET', '/v1/templates/a/b/c'],
    ['PUT', '/v1/templates'],
    ['DELETE', '/v1/templates'],
    ['PATCH', '/v1/templates'],
    ['POST', '/v1/templates/tpl-1'],
    ['PUT', '/v1/templates/tpl-1'],
    ['GET', '/v1/generate'],
    ['DELETE', '/v1/generate/gen-1'],
    ['POST', '/v1/generate/gen-1/download'],
    ['PROPFIND', '/v1/templates'],
    ['GET', '/healthz/x'],
    ['POST', '/healthz'],
    ['GET', '/v1/templates/%E0%A4%A'],
    ['GET', '/%'],
    ['GET', '/v1//templates'],
    ['GET', '/V1/TEMPLATES'],
    ['GET', '/v1/templates/../../etc/passwd'],
    ['GET', `/v1/${'x'.repeat(5000)}`],
  ])('%s %s is answered with an error that says so', async (method, path) => {
    const error = expectError(await live.send(method, path), [400, 404, 405, 414, 431]);
    expect(error.message).not.toBe('');
  });

  it.each(['/v1/templates', '/v1/generate/gen-unknown', '/healthz'])(
    'HEAD %s never has a body',
    async (path) => {
      const [head, get] = [await live.send('HEAD', path), await live.get(path)];
      expect(head.bytes.length).toBe(0);
      expect([get.status, 404, 405]).toContain(head.status);
    },
  );

  it('HEAD of a download is no way around the key', async () => {
    const { file_url } = await live.generate(template);
    expect((await test.send('HEAD', file_url as string)).status).toBeGreaterThanOrEqual(400);
  });

  it.each(['/v1/templates', '/v1/generate', '/nowhere'])(
    'OPTIONS %s is answered, and not with 500',
    async (path) => {
      const answer = await live.send('OPTIONS', path, {
        headers: { origin: 'https://example.com', 'access-control-request-method': 'POST' },
      });
      expect(answer.status).toBeLessThan(500);
      // Keys belong to servers (interface, "Authentication" 8): no page of a browser is let in.
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  it.each([
    ['an unknown parameter', '/v1/templates?colour=red'],
    ['a parameter twice', '/v1/templates?limit=1&limit=2'],
    ['a parameter as an array', '/v1/templates?limit[]=1'],
    ['__proto__ as a parameter', '/v1/templates?__proto__=1&__proto__[limit]=2'],
    ['half an escape', '/v1/templates?limit=%'],
    ['1,000 parameters', `/v1/templates?${Array.from({ length: 1000 }, (_, i) => `p${i}=1`).join('&')}`],
  ])('a query with %s is not a 500', async (_what, path) => {
    const answer = await live.get(path);
    if (answer.status !== 200) expectError(answer, 400);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { expectError, type GenerationAnswer } from '../support/api.ts';
import { live, test } from './service-under-test.ts';

const NEST = 100_000;

let template: string;
beforeAll(async () => {
  template = (await live.createTemplate()).id;
});

describe('Data', () => {
  const inData = async (value: string) =>
    live.post('/v1/generate', `{"template_id": "${template}", "data": {"name": ${value}}}`);

  it('is rejected with 400 or 422 if it nests 100,000 levels deep', async () => {
    expectError(await inData('['.repeat(NEST) + ']'.repeat(NEST)), [400, 422]);
    expectError(await inData('{"a":'.repeat(NEST) + '1' + '}'.repeat(NEST)), [400, 422]);
  });

  it('is accepted at a usual nesting depth', async () => {
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
  ])('with %s produces a document or a clear error', async (_what, value) => {
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
    '%s does not pollute prototypes',
    async (data) => {
      const { id } = await live.createTemplate({ html: '<p>[{{polluted}}{{a.polluted}}]</p>' });
      const answer = await live.post('/v1/generate', `{"template_id": "${id}", "data": ${data}}`);
      if (answer.status >= 400) expectError(answer, 400);
      expect((await live.get('/v1/templates?limit=1')).text).not.toContain('polluted');
      await live.generate(id);
    },
  );
});

describe('Template', () => {
  it.each([
    ['a NUL character', 'a\u0000b'],
    ['lone surrogates', 'a\ud83db'],
    ['a line break', 'a\nb'],
    ['spaces alone', '   '],
    ['right-to-left marks', '\u202Ea\u202C'],
  ])('with %s in its texts is stored unchanged or rejected', async (_what, name) => {
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

  it('with 5,000 schema fields is rejected', async () => {
    const fields = Array.from({ length: 5000 }, (_, index) => ({ name: `f${index}`, type: 'string' }));
    expectError(
      await live.post('/v1/templates', { name: 'x', html: '<p></p>', schema: { fields } }),
      [400, 422],
    );
  });

  it('with a schema nested 3,000 levels deep is rejected', async () => {
    let items: Record<string, unknown> = { type: 'string' };
    for (let depth = 0; depth < 3000; depth += 1) items = { type: 'array', items };
    const fields = [{ name: 'deep', type: 'array', items }];
    expectError(
      await live.post('/v1/templates', { name: 'x', html: '<p></p>', schema: { fields } }),
      [400, 422],
    );
  });
});

describe('HEAD and OPTIONS', () => {
  it.each(['/v1/templates', '/v1/generate/gen-unknown', '/healthz'])(
    'HEAD %s returns no body',
    async (path) => {
      const [head, get] = [await live.send('HEAD', path), await live.get(path)];
      expect(head.bytes.length).toBe(0);
      expect([get.status, 404, 405]).toContain(head.status);
    },
  );

  it('HEAD of a download requires the right key', async () => {
    const { file_url } = await live.generate(template);
    expect((await test.send('HEAD', file_url as string)).status).toBeGreaterThanOrEqual(400);
  });

  it.each(['/v1/templates', '/v1/generate', '/nowhere'])(
    'OPTIONS %s does not return a 5xx status',
    async (path) => {
      const answer = await live.send('OPTIONS', path, {
        headers: { origin: 'https://example.com', 'access-control-request-method': 'POST' },
      });
      expect(answer.status).toBeLessThan(500);
      // Keys are for servers only (interface, "Authentication" 8): browser pages get no access.
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    },
  );
});

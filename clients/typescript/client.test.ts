import { readFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { TrifoldClient } from './index.ts';
import { json, KEY, errorReply, reset, scriptedServer } from './testing/scripted-server.ts';

const { version } = JSON.parse(await readFile(new URL('package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const baseUrl = 'https://documents.example.com';

describe('TrifoldClient', () => {
  it('sends its key and JSON to paths under its base URL', async () => {
    const { received, url } = await scriptedServer([json(201, { id: 'tpl-1' })]);
    const client = new TrifoldClient({ baseUrl: `${url}/documents//`, apiKey: KEY });
    expect(await client.templates.create({ name: 'A', html: '<p>' })).toEqual({ id: 'tpl-1' });
    expect(received).toEqual([
      {
        method: 'POST',
        url: '/documents/v1/templates',
        headers: expect.objectContaining({
          authorization: `Bearer ${KEY}`,
          'user-agent': `trifold-typescript/${version}`,
          accept: 'application/json',
          'content-type': 'application/json',
        }),
        body: '{"name":"A","html":"<p>"}',
      },
    ]);
  });

  it('omits undefined query parameters and encodes the others', async () => {
    const { client, received } = await scriptedServer([json(200, { data: [], pagination: {} })]);
    await client.templates.page({ limit: 5, cursor: 'a+b/c=', status: undefined });
    expect(received[0]?.url).toBe('/v1/templates?limit=5&cursor=a%2Bb%2Fc%3D');
  });

  it.each([
    ['../api-keys', '/v1/templates/..%2Fapi-keys'],
    ['a?b#c', '/v1/templates/a%3Fb%23c'],
  ])('encodes an ID as one path segment: %s', async (id, url) => {
    const { client, received } = await scriptedServer([json(200, {})]);
    await client.templates.delete(id);
    expect(received[0]?.url).toBe(url);
  });

  it.each(['', '.', '..'])('rejects %j as an ID', async (id) => {
    const { client, received } = await scriptedServer([json(200, {})]);
    await expect(client.templates.delete(id)).rejects.toThrow(TypeError);
    expect(received).toEqual([]);
  });

  it('does not follow redirects', async () => {
    const target = await scriptedServer([json(200, {})]);
    const { client } = await scriptedServer([json(307, {}, { location: target.url })]);
    const error = expect.objectContaining({ code: 'unexpected_answer', status: 307 }) as Error;
    await expect(client.templates.get('tpl-1')).rejects.toEqual(error);
    expect(target.received).toEqual([]);
  });

  it.each(['', ' a', 'a ', 'a\nb', 'a\n', 'Ł', 'a'.repeat(256)])(
    'rejects %j as an idempotency key and as a session',
    async (value) => {
      const { client, received } = await scriptedServer([json(200, {})]);
      const generate = client.documents.generate(
        { template_id: 'tpl-1', data: {} },
        { idempotencyKey: value },
      );
      await expect(generate).rejects.toThrow(/^idempotencyKey must/);
      const preview = client.templates.preview({ html: 'a', data: {} }, { session: value });
      await expect(preview).rejects.toThrow(/^session must/);
      expect(received).toEqual([]);
    },
  );

  it('uses the given fetch function', async () => {
    const urls: unknown[] = [];
    const client = new TrifoldClient({
      baseUrl,
      apiKey: KEY,
      fetch: async (url) => {
        urls.push(url);
        return Response.json({ id: 'gen-1' });
      },
    });
    await client.documents.get('gen-1');
    expect(urls).toEqual([`${baseUrl}/v1/generate/gen-1`]);
  });
});

it.each([
  ['an invalid base URL', { baseUrl: 'documents', apiKey: KEY }],
  ['an unsupported scheme', { baseUrl: 'ftp://documents.example.com', apiKey: KEY }],
  ['a password in the base URL', { baseUrl: 'https://user:secret@documents.example.com', apiKey: KEY }],
  ['a query in the base URL', { baseUrl: `${baseUrl}?a=1`, apiKey: KEY }],
  ['an empty key', { baseUrl, apiKey: '' }],
  ['a key with a line break', { baseUrl, apiKey: `${KEY}\n` }],
  ['a negative number of retries', { baseUrl, apiKey: KEY, retries: -1 }],
  ['a timeout of half a millisecond', { baseUrl, apiKey: KEY, timeoutMs: 0.5 }],
])('The TrifoldClient constructor throws for %s without quoting the value', (_what, options) => {
  expect(() => new TrifoldClient(options)).toThrow(/^(baseUrl|apiKey|retries|timeoutMs) must/);
  expect(() => new TrifoldClient(options)).not.toThrow(/secret|Ab1Ab1/);
});

describe("A client's API key", () => {
  const everything = (value: unknown) =>
    inspect(value, { showHidden: true, depth: 20, getters: true }) + JSON.stringify(value);

  it('does not appear when the client is inspected', async () => {
    const { client } = await scriptedServer([reset]);
    expect(everything(client)).not.toContain('Ab1Ab1');
    expect(everything(client.documents)).not.toContain('Ab1Ab1');
  });

  it.each([
    ['an error response', errorReply(401, 'invalid_key')],
    ['a broken connection', reset],
    ['a response from another server', json(200, {}, { 'content-length': '1' })],
  ])('does not appear in an error: %s', async (_what, reply) => {
    const { client } = await scriptedServer([reply], { retries: 0 });
    const error: unknown = await client.templates.create({ name: 'A', html: 'B' }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(everything(error)).not.toContain('Ab1Ab1');
  });
});

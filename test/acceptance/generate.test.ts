import { beforeAll, describe, expect, it } from 'vitest';
import { expectError, type GenerationAnswer } from '../support/api.ts';
import { textOf } from '../support/files/pdf.ts';
import { live, otherAccount, sibling } from './service-under-test.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
let template: string;

beforeAll(async () => {
  template = (await live.createTemplate({ html: '<p>Hello {{name}}</p>' })).id;
});

function expectLifetime({ created_at, expires_at }: GenerationAnswer): void {
  expect(Math.abs(Date.parse(created_at) - Date.now())).toBeLessThan(10 * 60_000);
  expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(DAY_MS);
}

describe('Synchronous generation', () => {
  it('answers 200 with the stored document', async () => {
    const answer = await live.post('/v1/generate', { template_id: template, data: { name: 'Ada' } });
    expect(answer.status, answer.text).toBe(200);
    const generation = answer.json<GenerationAnswer>();
    expect(generation).toEqual({
      id: expect.stringMatching(/^\S+$/),
      status: 'completed',
      template_id: template,
      file_url: `/v1/generate/${generation.id}/download`,
      status_url: `/v1/generate/${generation.id}`,
      file_size: expect.any(Number),
      created_at: expect.any(String),
      expires_at: expect.any(String),
      render_time_ms: expect.any(Number),
      warnings: [],
    });
    expectLifetime(generation);
    expect(generation.render_time_ms).toBeGreaterThanOrEqual(0);

    const file = await live.get(generation.file_url as string);
    expect(file.status).toBe(200);
    expect(file.bytes.length).toBe(generation.file_size);
    expect(await textOf(file.bytes)).toBe('Hello Ada');
  });

  it('accepts async: false', async () => {
    await live.generate(template, { name: 'Ada' }, { async: false });
  });

  it('gives each of many concurrent documents its own data', async () => {
    const names = Array.from({ length: 24 }, (_, index) => `person-${index}-${'x'.repeat(index)}`);
    const texts = await Promise.all(
      names.map(async (name) => textOf(await live.document(template, { name }))),
    );
    expect(texts).toEqual(names.map((name) => `Hello ${name}`));
  });

  it('accepts data of half a megabyte', async () => {
    const big = (await live.createTemplate({ html: '<p>{{rows.length}} {{last}}</p>' })).id;
    const rows = Array.from({ length: 10_000 }, (_, index) => ({ index, text: `row ${index} `.repeat(4) }));
    expect(await textOf(await live.document(big, { rows, last: 'end' }))).toBe('10000 end');
  });

  it('accepts a draft template and rejects an archived one with 422', async () => {
    const { id } = await live.createTemplate({ status: 'draft' });
    await live.generate(id, { name: 'Ada' });
    await live.patch(`/v1/templates/${id}`, { status: 'archived' });
    expectError(await live.post('/v1/generate', { template_id: id, data: {} }), 422);
    await live.patch(`/v1/templates/${id}`, { status: 'active' });
    await live.generate(id, { name: 'Ada' });
  });
});

describe('Asynchronous generation', () => {
  it('answers 202 with a pending record at once, and the document completes later', async () => {
    const answer = await live.post('/v1/generate', {
      template_id: template,
      data: { name: 'Grace' },
      async: true,
    });
    expect(answer.status, answer.text).toBe(202);
    const accepted = answer.json<GenerationAnswer>();
    expect(accepted).toEqual({
      id: expect.stringMatching(/^\S+$/),
      status: 'pending',
      template_id: template,
      status_url: `/v1/generate/${accepted.id}`,
      created_at: expect.any(String),
      expires_at: expect.any(String),
    });
    expectLifetime(accepted);

    const finished = await live.finished(accepted.id);
    expect(finished).toMatchObject({ ...accepted, status: 'completed' });
    expect(finished.file_url).toBe(`/v1/generate/${accepted.id}/download`);
    const file = await live.get(finished.file_url as string);
    expect(file.bytes.length).toBe(finished.file_size);
    expect(await textOf(file.bytes)).toBe('Hello Grace');
  });

  it('passes through the states in order and never goes back', async () => {
    const order = ['pending', 'processing', 'completed'];
    const accepted = await Promise.all(
      Array.from({ length: 12 }, () =>
        live.post('/v1/generate', { template_id: template, data: {}, async: true }),
      ),
    );
    await Promise.all(
      accepted.map(async (answer) => {
        let reached = 0;
        while (reached < 2) {
          const { status } = (
            await live.get(answer.json<GenerationAnswer>().status_url)
          ).json<GenerationAnswer>();
          expect(order.indexOf(status)).toBeGreaterThanOrEqual(reached);
          reached = order.indexOf(status);
        }
      }),
    );
  });

  it('serves no file before the document is completed', async () => {
    const slow = (await live.createTemplate({ html: '{{#each rows}}<p>{{this}}</p>{{/each}}' })).id;
    const rows = Array.from({ length: 4000 }, (_, index) => index);
    const answer = await live.post('/v1/generate', { template_id: slow, data: { rows }, async: true });
    expect(answer.status, answer.text).toBe(202);
    const { id } = answer.json<GenerationAnswer>();
    const early = await live.get(`/v1/generate/${id}/download`);
    if (early.status !== 200) expectError(early, [404, 409]);
    expect((await live.finished(id)).status).toBe('completed');
    expect((await live.get(`/v1/generate/${id}/download`)).status).toBe(200);
  });

  it('answers 202 with JSON even when Accept asks for the file', async () => {
    const answer = await live.post(
      '/v1/generate',
      { template_id: template, data: {}, async: true },
      { accept: 'application/pdf' },
    );
    expect(answer.status).toBe(202);
    expect(answer.json()['status']).toBe('pending');
  });
});

describe('Accept: application/pdf', () => {
  it('streams the file', async () => {
    const answer = await live.post(
      '/v1/generate',
      { template_id: template, data: { name: 'Linus' }, filename: 'hello.pdf' },
      { accept: 'application/pdf' },
    );
    expect(answer.status, answer.text.slice(0, 300)).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/pdf');
    expect(answer.headers.get('content-disposition')).toContain('hello.pdf');
    expect(await textOf(answer.bytes)).toBe('Hello Linus');
  });

  it.each(['*/*', 'application/json', 'text/html', 'application/json, text/plain, */*'])(
    'does not apply to Accept: %s',
    async (accept) => {
      const answer = await live.post('/v1/generate', { template_id: template, data: {} }, { accept });
      expect(answer.status, answer.text.slice(0, 300)).toBe(200);
      expect(answer.json()['status']).toBe('completed');
    },
  );
});

describe('Status and download', () => {
  it('give the status to every key of the account and the file only to the key that made it', async () => {
    const { status_url, file_url } = await live.generate(template, { name: 'Ada' });
    expect((await sibling.get(status_url)).json()).toMatchObject({ status: 'completed' });
    expectError(await sibling.get(file_url as string), 403, 'different_key');

    expectError(await otherAccount.get(status_url), 404);
    expectError(await otherAccount.get(file_url as string), 404);
  });

  it.each(['gen-unknown', '..', '%00', 'a'.repeat(300), '__proto__'])(
    'answer 404 for the id %j',
    async (id) => {
      expectError(await live.get(`/v1/generate/${id}`), [400, 404]);
      expectError(await live.get(`/v1/generate/${id}/download`), [400, 404]);
    },
  );

  it('answer 404 for an unknown recent id, and 404 or 410 for an old one', async () => {
    const { id } = await live.generate(template);
    // Ids end in random characters, so this is an unknown id of the same time.
    const never = `${id.slice(0, -6)}${id.endsWith('000000') ? '111111' : '000000'}`;
    expectError(await live.get(`/v1/generate/${never}`), 404);
    expectError(await live.get(`/v1/generate/${never}/download`), 404);
    expectError(await live.get('/v1/generate/gen-01jd5xzzzzzzzzzzzzzzzzzzzz/download'), [404, 410]);
  });
});

describe('POST /v1/generate', () => {
  it('reports every invalid member at once', async () => {
    const error = expectError(
      await live.post('/v1/generate', {
        template_id: 7,
        data: {},
        async: 'yes',
        options: { page_size: 'a5', orientation: 'up' },
      }),
      400,
    );
    expect(error.details?.map(({ path }) => path).sort()).toEqual([
      '/async',
      '/options/orientation',
      '/options/page_size',
      '/template_id',
    ]);
  });
});

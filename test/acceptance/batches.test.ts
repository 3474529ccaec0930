import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectError, type Answer, type Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { readPdf, textOf } from '../support/files/pdf.ts';
import { readZip } from '../support/files/zip.ts';
import { clientWith, live, newAccount, otherAccount, sibling, test } from './service-under-test.ts';

interface ItemAnswer {
  readonly index: number;
  readonly status: string;
  readonly file_url?: string;
  readonly file_size?: number;
  readonly error?: { readonly code: string; readonly message: string };
}

interface BatchAnswer {
  readonly id: string;
  readonly status: string;
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly created_at: string;
  readonly expires_at: string;
  readonly status_url: string;
  readonly items: readonly ItemAnswer[];
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Loops forever if an item requests it, until its renderer stops it. */
const MAY_FAIL = '{{#if bad}}{{#*inline "a"}}{{> a}}{{/inline}}{{> a}}{{else}}Hello {{name}}{{/if}}';

let template_id: string;
beforeAll(async () => {
  template_id = (await live.createTemplate({ html: MAY_FAIL })).id;
});

const send = (
  items: readonly object[],
  more: object = {},
  { api = live, headers = {} }: { api?: Api; headers?: Record<string, string> } = {},
): Promise<Answer> =>
  api.post(
    '/v1/generate/batch',
    { template_id, format: 'pdf', items: items.map((data) => ({ data })), ...more },
    headers,
  );

async function accepted(items: readonly object[], more: object = {}, api: Api = live): Promise<string> {
  const answer = await send(items, more, { api });
  expect(answer.status, answer.text).toBe(202);
  return answer.json<BatchAnswer>().id;
}

const finished = (id: string, api: Api = live): Promise<BatchAnswer> =>
  eventually(
    async () => {
      const answer = await api.get(`/v1/generate/batch/${id}`);
      expect(answer.status, answer.text).toBe(200);
      const batch = answer.json<BatchAnswer>();
      return batch.status === 'completed' || batch.status === 'failed' ? batch : false;
    },
    { timeoutMs: 60_000, intervalMs: 50 },
  );

describe('Batch', () => {
  it('is accepted with 202 and ends with one correct file for each item', async () => {
    const names = ['Ada', 'Grace', 'Joan'];
    const answer = await send(names.map((name) => ({ name })));
    expect(answer.status, answer.text).toBe(202);
    const created = answer.json<BatchAnswer>();
    expect(created).toEqual({
      id: expect.stringMatching(/^bat-/),
      status: expect.stringMatching(/^(pending|processing)$/),
      template_id,
      format: 'pdf',
      total: 3,
      completed: expect.any(Number),
      failed: 0,
      created_at: expect.any(String),
      expires_at: expect.any(String),
      status_url: `/v1/generate/batch/${created.id}`,
    });
    expect(Date.parse(created.expires_at) - Date.parse(created.created_at)).toBe(DAY_MS);

    const end = await finished(created.id);
    expect(end).toMatchObject({ status: 'completed', total: 3, completed: 3, failed: 0 });
    expect(end.items).toEqual(
      names.map((_, index) => ({
        index,
        status: 'completed',
        file_url: `/v1/generate/batch/${created.id}/items/${index}/download`,
        file_size: expect.any(Number),
      })),
    );
    for (const { index, file_url, file_size } of end.items) {
      const file = await live.get(file_url as string);
      expect(file.status, file.text.slice(0, 300)).toBe(200);
      expect(file.headers.get('content-type')).toBe('application/pdf');
      expect(file.headers.get('content-disposition')).toContain(`${created.id}-${index}.pdf`);
      expect(file.bytes.length).toBe(file_size);
      expect(await textOf(file.bytes)).toBe(`Hello ${names[index]}`);
    }
  });

  it('completes even if an item fails, and the zip omits the failed item', async () => {
    const id = await accepted([{ name: 'Ada' }, { bad: true }, { name: 'Joan' }]);
    const end = await finished(id);
    expect(end).toMatchObject({ status: 'completed', completed: 2, failed: 1 });
    expect(end.items[1]).toEqual({
      index: 1,
      status: 'failed',
      error: { code: expect.stringMatching(/^[a-z_]+$/), message: expect.stringMatching(/\S.{8,}/) },
    });
    expectError(await live.get(`/v1/generate/batch/${id}/items/1/download`), 409, 'generation_failed');

    const zip = await live.get(`/v1/generate/batch/${id}/download`);
    expect(zip.status, zip.text.slice(0, 300)).toBe(200);
    expect(zip.headers.get('content-type')).toBe('application/zip');
    expect(zip.headers.get('content-disposition')).toContain(`${id}.zip`);
    expect(zip.headers.get('content-length')).toBe(String(zip.bytes.length));
    const files = readZip(zip.bytes);
    expect(files.map(({ name }) => name)).toEqual([`${id}-0.pdf`, `${id}-2.pdf`]);
    for (const [index, { bytes, modified }] of files.entries()) {
      const single = await live.get(end.items[index === 0 ? 0 : 2]?.file_url as string);
      expect(bytes.equals(single.bytes)).toBe(true);
      expect(modified?.getTime()).toBe(Math.floor(Date.parse(end.created_at) / 1000) * 1000);
    }
  });

  it('fails if every item fails, and then has no zip', async () => {
    const id = await accepted([{ bad: true }, { bad: true }]);
    expect(await finished(id)).toMatchObject({ status: 'failed', completed: 0, failed: 2 });
    expectError(await live.get(`/v1/generate/batch/${id}/download`), 422, 'generation_failed');
  });

  it('of 100 items is generated completely with the requested options', async () => {
    const items = Array.from({ length: 100 }, (_, index) => ({ name: `number ${index}` }));
    const options = { page_size: 'a4', orientation: 'landscape' };
    const id = await accepted(items, { options });
    expect(await finished(id)).toMatchObject({ status: 'completed', total: 100, completed: 100 });
    const files = readZip((await live.get(`/v1/generate/batch/${id}/download`)).bytes);
    expect(files).toHaveLength(100);
    const last = files.at(-1);
    expect(last?.name).toBe(`${id}-99.pdf`);
    expect(await textOf(last!.bytes)).toBe('Hello number 99');
    const [page] = await readPdf(files[7]!.bytes);
    expect(page!.width).toBeCloseTo((297 / 25.4) * 72, -1);
    expect(page!.height).toBeCloseTo((210 / 25.4) * 72, -1);
  });

  it('is not affected by a change or the deletion of its template', async () => {
    const own = await live.createTemplate({ html: '<p>before {{name}}</p>' });
    const names = Array.from({ length: 30 }, (_, index) => ({ name: `${index}` }));
    const id = await accepted(names, { template_id: own.id });
    await live.patch(`/v1/templates/${own.id}`, { html: '<p>after</p>' });
    await live.delete(`/v1/templates/${own.id}`);
    expect(await finished(id)).toMatchObject({ completed: 30 });
    const files = readZip((await live.get(`/v1/generate/batch/${id}/download`)).bytes);
    expect(await textOf(files[29]!.bytes)).toBe('before 29');
  });

  it('of a test key has the watermark on every page', async () => {
    const id = await accepted([{ name: 'Ada' }, { name: 'Grace' }], {}, test);
    await finished(id, test);
    const files = readZip((await test.get(`/v1/generate/batch/${id}/download`)).bytes);
    expect(files).toHaveLength(2);
    for (const { bytes } of files) {
      for (const { text } of await readPdf(bytes)) expect(text).toMatch(/TEST$/);
    }
  });
});

describe('POST /v1/generate/batch', () => {
  it('validates each item against the schema of the template before it accepts the batch', async () => {
    const fields = [
      { name: 'name', type: 'string', required: true },
      { name: 'total', type: 'number', min: 0 },
    ];
    const strict = await live.createTemplate({ schema: { fields } });
    const items: object[] = Array.from({ length: 20 }, () => ({ name: 'Ada', total: 1 }));
    items[3] = {};
    items[17] = { name: 'Ada', total: -1 };
    const answer = await send(items, { template_id: strict.id });
    const { details } = expectError(answer, 422, 'data_invalid');
    expect(details?.map(({ path }) => path)).toEqual(['/items/3/data/name', '/items/17/data/total']);
  });

  it('applies the defaults of the schema', async () => {
    const fields = [{ name: 'name', type: 'string', default: 'nobody' }];
    const own = await live.createTemplate({ html: '<p>Hello {{name}}</p>', schema: { fields } });
    const id = await accepted([{}, { name: 'Ada' }], { template_id: own.id });
    await finished(id);
    const files = readZip((await live.get(`/v1/generate/batch/${id}/download`)).bytes);
    expect(await Promise.all(files.map(({ bytes }) => textOf(bytes)))).toEqual(['Hello nobody', 'Hello Ada']);
  });

  it('accepts a body larger than the limit of a single document', async () => {
    const text = 'x'.repeat(100_000);
    const id = await accepted(Array.from({ length: 60 }, () => ({ name: 'Ada', text })));
    expect(await finished(id)).toMatchObject({ completed: 60 });
  });
});

describe('Access to a batch', () => {
  let id: string;
  beforeAll(async () => {
    id = await accepted([{ name: 'Ada' }]);
    await finished(id);
  });

  it('allows any key of the account to read the status', async () => {
    const answer = await sibling.get(`/v1/generate/batch/${id}`);
    expect(answer.json()).toEqual((await live.get(`/v1/generate/batch/${id}`)).json());
  });

  it.each(['items/0/download', 'download'])(
    'allows only the key that created the batch to download: %s',
    async (path) => {
      expectError(await sibling.get(`/v1/generate/batch/${id}/${path}`), 403, 'different_key');
      expect((await live.get(`/v1/generate/batch/${id}/${path}`)).status).toBe(200);
    },
  );

  it('returns 404 to other accounts', async () => {
    for (const path of ['', '/download', '/items/0/download']) {
      expectError(await otherAccount.get(`/v1/generate/batch/${id}${path}`), 404, 'batch_not_found');
    }
  });

  it('returns 401 without the scope', async () => {
    const api = await clientWith({ scopes: ['templates:read'] });
    for (const answer of [await send([{}], {}, { api }), await api.get(`/v1/generate/batch/${id}`)]) {
      expect(answer.status).toBe(401);
      expect(answer.json()).toMatchObject({ missingScopes: ['documents:generate'] });
    }
  });

  it('returns 404 for an index that the batch does not have', async () => {
    for (const index of ['1', '-1', '01', 'first']) {
      const answer = await live.get(`/v1/generate/batch/${id}/items/${index}/download`);
      expectError(answer, 404, 'document_not_found');
    }
  });

  it('returns 404 for a batch on the document route and the reverse', async () => {
    expectError(await live.get(`/v1/generate/${id}`), 404, 'document_not_found');
    const { id: document } = await live.generate(template_id, { name: 'Ada' });
    expectError(await live.get(`/v1/generate/batch/${document}`), 404, 'batch_not_found');
  });

  it('returns 410 for a batch from the day before yesterday', async () => {
    const old = 'bat-01hf7yat00abcdefghjkmnpqrs';
    for (const path of ['', '/download', '/items/0/download']) {
      expectError(await live.get(`/v1/generate/batch/${old}${path}`), 410, 'expired');
    }
  });
});

describe('Idempotency-Key on a batch', () => {
  const once = (key: string, items: readonly object[], api: Api = live) =>
    send(items, {}, { api, headers: { 'idempotency-key': key } });

  it('creates one batch for ten concurrent requests and later repetitions', async () => {
    const api = await clientWith({ account: newAccount() });
    const own = await api.createTemplate();
    const key = randomUUID();
    const again = () =>
      send([{ name: 'Ada' }], { template_id: own.id }, { api, headers: { 'idempotency-key': key } });
    const answers = await Promise.all(Array.from({ length: 10 }, again));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    const ids = new Set(answers.map((answer) => answer.json<BatchAnswer>().id));
    expect(ids.size).toBe(1);
    const [id = ''] = ids;
    await finished(id, api);
    const last = await again();
    expect([last.status, last.headers.get('idempotency-replayed')]).toEqual([202, 'true']);
    expect(last.json()).toMatchObject({ id, status: 'completed' });
  });

  it('returns 422 for another body but is independent for each API key', async () => {
    const key = randomUUID();
    const { id } = (await once(key, [{ name: 'Ada' }])).json<BatchAnswer>();
    expectError(await once(key, [{ name: 'Grace' }]), 422, 'idempotency_key_reused');
    const other = await once(key, [{ name: 'Ada' }], sibling);
    expect(other.json<BatchAnswer>().id).not.toBe(id);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import { expectError, type Api, type TemplateAnswer } from '../support/api.ts';
import { clientWith, live, newAccount, otherAccount, sibling } from './service-under-test.ts';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/;
const FULL = {
  name: 'Faktura „Łódź” 📄',
  description: 'Für Kundinnen und Kunden',
  html: '<h1>{{title}}</h1>\n<p>{{body}}</p>',
  css: 'h1 { color: #123456 }',
  schema: {
    fields: [
      { name: 'title', type: 'string', required: true, minLength: 1, maxLength: 80, description: 'Title' },
      { name: 'body', type: 'string', default: 'Nothing' },
      {
        name: 'lines',
        type: 'array',
        maxItems: 5,
        items: { type: 'object', properties: { qty: { type: 'number', required: true } } },
      },
    ],
  },
  default_options: {
    page_size: 'a4',
    orientation: 'landscape',
    margins: { top: '10mm', right: '20px', bottom: '1in', left: '0mm' },
    print_background: false,
  },
};

const read = async (id: string, api: Api = live) => {
  const answer = await api.get(`/v1/templates/${id}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.json<TemplateAnswer>();
};

describe('POST /v1/templates', () => {
  it('answers 201 with every sent member, version 1 and status active', async () => {
    const answer = await live.post('/v1/templates', FULL);
    expect(answer.status, answer.text).toBe(201);
    const template = answer.json<TemplateAnswer>();
    expect(template).toMatchObject({ ...FULL, version: 1, status: 'active' });
    expect(template.id).toMatch(/^\S{4,}$/);
    expect(template.created_at).toMatch(INSTANT);
    expect(template.updated_at).toMatch(INSTANT);
    expect(Math.abs(Date.parse(template.created_at) - Date.now())).toBeLessThan(10 * 60_000);
  });

  it('requires only a name and html', async () => {
    const template = await live.createTemplate({ name: 'Least', html: '<p>least</p>' });
    expect(template).toMatchObject({ name: 'Least', html: '<p>least</p>', version: 1, status: 'active' });
  });

  it('creates a draft', async () => {
    expect((await live.createTemplate({ status: 'draft' })).status).toBe('draft');
  });

  it('accepts html and css that exceed one resource and returns them unchanged', async () => {
    const html = `<p>${'Zażółć gęślą jaźń. '.repeat(20_000)}</p>`;
    const css = `/* ${'x'.repeat(100_000)} */`;
    const { id } = await live.createTemplate({ html, css });
    const template = await read(id);
    expect(template.html === html).toBe(true);
    expect(template.css === css).toBe(true);
  });

  it.each([
    ['name', { html: '<p></p>' }],
    ['html', { name: 'No html' }],
  ])('rejects a body without %s and names the member', async (member, body) => {
    const error = expectError(await live.post('/v1/templates', body), 400);
    expect(`${error.message} ${JSON.stringify(error.details)}`).toContain(member);
  });

  it.each([
    ['<p>fine</p>\n  {{nosuchhelper a}}', 2, 3],
    ['<ul>\n{{#each lines}}\n<li>{{/if}}', 2, undefined],
    ['{{#if open}}', 1, undefined],
    ['<p>\n\n{{> missing}}', 3, 1],
    ['{{', 1, undefined],
  ])('rejects %j, which does not compile, with line and column', async (html, line, column) => {
    const error = expectError(await live.post('/v1/templates', { name: 'Broken', html }), 422);
    const said = `${error.message} ${JSON.stringify(error.details)}`;
    expect(said).toMatch(new RegExp(`line ${line}\\b`));
    expect(said).toMatch(column === undefined ? /column \d+/ : new RegExp(`column ${column}\\b`));
  });
});

describe('GET /v1/templates/{id}', () => {
  it('returns the same template as its creation', async () => {
    const created = await live.createTemplate(FULL);
    expect(await read(created.id)).toEqual(created);
  });

  it.each([
    'tpl-unknown',
    'tpl-01jd5xzzzzzzzzzzzzzzzzzzzz',
    'UPPER',
    'a'.repeat(300),
    '%20',
    '%00',
    '%F0%9F%93%84',
    '..',
    '..%2f..%2fapi',
    'a%2Fb',
    '-',
    'constructor',
    '__proto__',
  ])('answers 404 for the unknown id %j', async (id) => {
    expectError(await live.get(`/v1/templates/${id}`), [400, 404]);
  });

  it('shows a template to every key of the account and to no other account', async () => {
    const { id } = await live.createTemplate();
    expect((await read(id, sibling)).id).toBe(id);
    const path = `/v1/templates/${id}`;
    expectError(await otherAccount.get(path), 404);
    expectError(await otherAccount.patch(path, { name: 'Mine now' }), 404);
    expectError(await otherAccount.delete(path), 404);
    expectError(await otherAccount.post('/v1/generate', { template_id: id, data: {} }), 404);
    expect((await read(id)).version).toBe(1);
  });
});

describe('PATCH /v1/templates/{id}', () => {
  it('changes only the sent members, raises the version by one and updates updated_at', async () => {
    const before = await live.createTemplate(FULL);
    const answer = await live.patch(`/v1/templates/${before.id}`, { name: 'Renamed', css: 'p{}' });
    expect(answer.status, answer.text).toBe(200);
    const after = answer.json<TemplateAnswer>();
    expect(after).toEqual({
      ...before,
      name: 'Renamed',
      css: 'p{}',
      version: 2,
      updated_at: after.updated_at,
    });
    expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at));
    expect(await read(before.id)).toEqual(after);
  });

  it('raises the version by one even if nothing changes', async () => {
    const { id, name } = await live.createTemplate();
    const versions: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      versions.push((await live.patch(`/v1/templates/${id}`, { name })).json<TemplateAnswer>().version);
    }
    expect(versions).toEqual([2, 3, 4]);
  });

  it('replaces schema and default_options as a whole', async () => {
    const { id } = await live.createTemplate(FULL);
    const change = {
      schema: { fields: [{ name: 'only', type: 'boolean' }] },
      default_options: { page_size: 'legal' },
    };
    const after = (await live.patch(`/v1/templates/${id}`, change)).json<TemplateAnswer>();
    expect(after.schema).toEqual(change.schema);
    expect(after.default_options).toEqual(change.default_options);
  });

  it('moves a template between its states', async () => {
    const { id } = await live.createTemplate();
    for (const status of ['archived', 'draft', 'active']) {
      const after = (await live.patch(`/v1/templates/${id}`, { status })).json<TemplateAnswer>();
      expect(after.status).toBe(status);
    }
  });

  it('changes html from small to large and back', async () => {
    const { id } = await live.createTemplate({ html: '<p>small {{a}}</p>', css: 'p{}' });
    const large = `<p>large {{a}}</p><!-- ${'x'.repeat(200_000)} -->`;
    expect((await live.patch(`/v1/templates/${id}`, { html: large })).status).toBe(200);
    expect((await live.patch(`/v1/templates/${id}`, { css: 'p{top:0}' })).status).toBe(200);
    expect(await read(id)).toMatchObject({ html: large, css: 'p{top:0}', version: 3 });
    expect((await live.patch(`/v1/templates/${id}`, { html: '<p>small again</p>' })).status).toBe(200);
    expect(await read(id)).toMatchObject({ html: '<p>small again</p>', css: 'p{top:0}', version: 4 });
  });

  it.each<[string, Record<string, unknown>, number]>([
    ['an unknown member', { name: 'New', colour: 'red' }, 400],
    ['a wrong type', { name: 'New', html: 7 }, 400],
    ['a name that is null', { name: null }, 400],
    ['html that does not compile', { name: 'New', html: '{{#if a}}' }, 422],
    ['an invalid option', { name: 'New', default_options: { page_size: 'a5' } }, 400],
  ])('changes nothing when one member is invalid: %s', async (_what, change, status) => {
    const before = await live.createTemplate();
    expectError(await live.patch(`/v1/templates/${before.id}`, change), status);
    expect(await read(before.id)).toEqual(before);
  });

  it('answers 404 for an unknown template', async () => {
    expectError(await live.patch('/v1/templates/tpl-unknown', { name: 'x' }), 404);
  });
});

describe('DELETE /v1/templates/{id}', () => {
  it('answers the id and deleted: true; afterwards every method answers 404', async () => {
    const { id } = await live.createTemplate();
    const path = `/v1/templates/${id}`;
    const answer = await live.delete(path);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json()).toEqual({ id, deleted: true });

    expectError(await live.get(path), 404);
    expectError(await live.patch(path, { name: 'x' }), 404);
    expectError(await live.delete(path), 404);
    expectError(await live.post('/v1/generate', { template_id: id, data: {} }), 404);
  });

  it('keeps documents made from the template', async () => {
    const { id } = await live.createTemplate();
    const generation = await live.generate(id, { name: 'Ada' });
    await live.delete(`/v1/templates/${id}`);
    expect((await live.get(generation.status_url)).json()).toMatchObject({
      status: 'completed',
      template_id: id,
    });
    expect((await live.get(generation.file_url as string)).status).toBe(200);
  });

  it('lets running documents of the template complete', async () => {
    const { id } = await live.createTemplate();
    const accepted = await Promise.all(
      Array.from({ length: 5 }, () =>
        live.post('/v1/generate', { template_id: id, data: { name: 'Ada' }, async: true }),
      ),
    );
    await live.delete(`/v1/templates/${id}`);
    for (const answer of accepted) {
      expect(answer.status, answer.text).toBe(202);
      expect((await live.finished(answer.json<{ id: string }>().id)).status).toBe('completed');
    }
  });
});

describe('GET /v1/templates', () => {
  interface Page {
    data: TemplateAnswer[];
    pagination: { has_more: boolean; next_cursor: string | null; total_count: number };
  }
  let api: Api;
  const made: TemplateAnswer[] = [];

  const list = async (query = ''): Promise<Page> => {
    const answer = await api.get(`/v1/templates${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.json<Page>();
  };
  const walk = async (query: string): Promise<Page[]> => {
    const pages = [await list(`?${query}`)];
    for (let next = pages[0]!.pagination.next_cursor; next !== null && pages.length < 50;) {
      const page = await list(`?${query}&cursor=${encodeURIComponent(next)}`);
      pages.push(page);
      next = page.pagination.next_cursor;
    }
    return pages;
  };
  const ids = (pages: Page[]) => pages.flatMap(({ data }) => data.map(({ id }) => id));

  beforeAll(async () => {
    api = await clientWith({ account: newAccount() });
    for (let index = 0; index < 25; index += 1) {
      const status = ['active', 'active', 'draft', 'active', 'archived'][index % 5]!;
      const template = await api.createTemplate({ name: `List ${index}`, description: `D${index}` });
      made.unshift(template);
      if (status === 'active') continue;
      const changed = await api.patch(`/v1/templates/${template.id}`, { status });
      made[0] = changed.json<TemplateAnswer>();
    }
  });

  it('returns 20 entries by default, newest first, without html, schema and options', async () => {
    const page = await list();
    expect(page.pagination).toEqual({ has_more: true, next_cursor: expect.any(String), total_count: 25 });
    const entries = made.slice(0, 20).map((template) => {
      const { id, name, description, status, version, created_at, updated_at } = template;
      return { id, name, description, status, version, created_at, updated_at };
    });
    expect(page).toEqual({ data: entries, pagination: page.pagination });
  });

  it('returns an empty list for an account without templates', async () => {
    // No test creates templates in the other account.
    const answer = await otherAccount.get('/v1/templates');
    expect(answer.json()).toEqual({
      data: [],
      pagination: { has_more: false, next_cursor: null, total_count: 0 },
    });
  });

  it.each([1, 7, 24, 25, 26, 100])('returns every template once with a limit of %i', async (limit) => {
    const pages = await walk(`limit=${limit}`);
    expect(ids(pages)).toEqual(made.map(({ id }) => id));
    expect(pages.map(({ data }) => data.length).slice(0, -1)).toEqual(
      Array.from({ length: Math.ceil(25 / limit) - 1 }, () => limit),
    );
    for (const [index, { pagination }] of pages.entries()) {
      const last = index === pages.length - 1;
      expect(pagination).toEqual({
        has_more: !last,
        next_cursor: last ? null : expect.any(String),
        total_count: 25,
      });
    }
  });

  it.each([
    ['active', 15],
    ['draft', 5],
    ['archived', 5],
  ])('filters by status %s, including total_count', async (status, count) => {
    const pages = await walk(`status=${status}&limit=2`);
    expect(ids(pages)).toEqual(made.filter((template) => template.status === status).map(({ id }) => id));
    expect(pages.map(({ pagination }) => pagination.total_count)).toEqual(pages.map(() => count));
  });

  it('continues at the same position when templates are created or deleted between two pages', async () => {
    const first = await list('?limit=10');
    const added = await api.createTemplate({ name: 'Added between pages' });
    // The cursor points to an entry that is deleted before the next page.
    const removed = first.data.at(-1)!;
    const restored = made.findIndex(({ id }) => id === removed.id);
    await api.delete(`/v1/templates/${removed.id}`);
    const second = await list(`?limit=10&cursor=${encodeURIComponent(first.pagination.next_cursor!)}`);
    expect(second.data.map(({ id }) => id)).toEqual(made.slice(10, 20).map(({ id }) => id));
    await api.delete(`/v1/templates/${added.id}`);
    made.splice(restored, 1);
  });

  it('never shows templates of another account, even with its cursor', async () => {
    const { next_cursor } = (await list('?limit=2')).pagination;
    const answer = await otherAccount.get(`/v1/templates?cursor=${encodeURIComponent(next_cursor!)}`);
    expect(answer.status).toBeLessThan(500);
    if (answer.status === 200) expect(answer.json<Page>().data).toEqual([]);
    else expectError(answer, 400);
  });
});

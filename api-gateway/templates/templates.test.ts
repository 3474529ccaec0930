import { describe, expect, it } from 'vitest';
import { TEMPLATE } from '@trifold/crds';
import { GatewayFixture } from '../testing/gateway-fixture.ts';

const gateway = await GatewayFixture.shared();

const LETTER = { name: 'Letter', html: '<p>Dear {{name}}</p>', css: 'p { color: red }' };
const resources = () => gateway.kubernetes.resource(TEMPLATE);
const create = async (body: unknown) => gateway.call('POST', '/v1/templates', { body });
const patch = async (id: string, body: unknown) => gateway.call('PATCH', `/v1/templates/${id}`, { body });
const read = async (id: string, key = gateway.key) => gateway.call('GET', `/v1/templates/${id}`, { key });

describe('POST /v1/templates', () => {
  it('returns 201 with the whole template, active and at version 1', async () => {
    const body = {
      ...LETTER,
      description: 'To a friend',
      schema: { fields: [{ name: 'name', type: 'string', required: true }] },
      default_options: { page_size: 'a4', margins: '10mm', print_background: false },
      email: { subject: 'To {{name}}', preheader: 'From me' },
    };
    const response = await create(body);
    expect(response.statusCode, response.body).toBe(201);
    const template = response.json();
    expect(template).toEqual({
      ...body,
      e_invoice: null,
      id: expect.stringMatching(/^tpl-[0-7][0-9a-z]{25}$/),
      status: 'active',
      version: 1,
      default_options: {
        page_size: 'a4',
        margins: { top: '10mm', right: '10mm', bottom: '10mm', left: '10mm' },
        print_background: false,
      },
      created_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      updated_at: template.created_at,
    });
    expect(response.headers.location).toBe(`/v1/templates/${template.id}`);
    expect((await read(template.id)).json()).toEqual(template);
  });

  it.each<[string, unknown, string]>([
    ['without a subject', { preheader: 'Hello' }, '/email/subject'],
    ['with an empty subject', { subject: '' }, '/email/subject'],
    ['with a subject of 1,001 characters', { subject: 'x'.repeat(1001) }, '/email/subject'],
    ['with an unknown member', { subject: 'Hi', html: '<p></p>' }, '/email/html'],
    ['that is a string', 'Hello', '/email'],
  ])('rejects an email template %s', async (_what, email, path) => {
    const response = await create({ ...LETTER, email });
    expect(response.json()).toMatchObject({ statusCode: 400, code: 'invalid_request' });
    expect(response.json<{ details: { path: string }[] }>().details).toMatchObject([{ path }]);
  });

  it.each(['subject', 'preheader', 'text'])(
    'reports where the %s of an email template does not compile',
    async (part) => {
      const response = await create({ ...LETTER, email: { subject: 'Hi', [part]: 'Dear\n {{#if name}}' } });
      expect(response.json()).toMatchObject({
        statusCode: 422,
        code: 'template_does_not_compile',
        line: 2,
        details: [{ path: `/email/${part}` }],
        message: expect.stringContaining(`email.${part} does not compile: line 2`),
      });
    },
  );

  const withField = (field: object) => ({ schema: { fields: [{ name: 'a', ...field }] } });
  const ofItems = (items: object) => withField({ type: 'array', items });
  const ITEMS = '/schema/fields/0/items';
  const NUMBER = { default_options: { margins: 3 } };
  const NOT_PRINTABLE = 'must not be blank or contain control characters';
  const ONE_TYPE = 'must be one of string, number, boolean, array, object';
  it.each<[string, object, string, string, string?]>([
    ['no name', { name: undefined }, '/name', 'is required'],
    ['no html', { html: undefined }, '/html', 'is required', 'html'],
    ['an empty name', { name: '' }, '/name', 'must not be empty'],
    ['a name of the wrong type', { name: 7 }, '/name', 'must be a string'],
    ['a blank name', { name: ' \u00a0' }, '/name', NOT_PRINTABLE],
    ['a name with a line break', { name: 'a\nb' }, '/name', NOT_PRINTABLE],
    ['a name that is too long', { name: 'n'.repeat(10_000) }, '/name', 'must have at most 200 characters'],
    ['a schema that is a list', { schema: [] }, '/schema', 'must be an object or null', 'schema'],
    ['a schema without fields', { schema: {} }, '/schema/fields', 'is required', 'schema'],
    ['an unknown field of a schema', ofItems({ x: 1 }), `${ITEMS}/x`, 'is not a known field', 'schema'],
    ['an unknown field', { colour: 'red' }, '/colour', 'is not a known field'],
    ['an unknown status', { status: 'gone' }, '/status', 'must be one of active, draft, archived'],
    ['a margin as number', NUMBER, '/default_options/margins', 'must be a string or an object', 'options'],
    ['a field without a type', withField({}), '/schema/fields/0/type', 'is required', 'schema'],
    ['a nested field of an unknown type', ofItems({ type: 'text' }), `${ITEMS}/type`, ONE_TYPE, 'schema'],
  ])('returns 400 with the path for %s', async (_what, fields, path, message, part) => {
    const response = await create({ ...LETTER, ...fields });
    expect(response.statusCode, response.body).toBe(400);
    const error = response.json();
    expect(error).toMatchObject({ statusCode: 400, error: 'Bad Request', code: 'invalid_request' });
    expect(error.details).toEqual([{ path, message, part }]);
    expect(error.message).toContain(path);
  });

  it('returns 422 with the line and column for HTML that does not compile', async () => {
    const response = await create({ ...LETTER, html: '<p>\n  {{#each lines}}\n</p>' });
    expect(response.json()).toMatchObject({
      statusCode: 422,
      code: 'template_does_not_compile',
      line: 2,
      column: 3,
      message: expect.stringContaining('line 2, column 3'),
    });
  });

  const wrongDate = { type: 'string', format: 'date', default: 'x' };
  it.each([
    ['bounds in the wrong order', { type: 'number', min: 2, max: 1 }, '/schema/fields/0'],
    ['a default that violates its field', { type: 'number', default: 'x' }, '/schema/fields/0/default'],
    [
      'a wrong default in the items of an array',
      { type: 'array', items: { type: 'object', properties: { b: wrongDate } } },
      '/schema/fields/0/items/properties/b/default',
    ],
  ])('returns 422 for a schema with %s', async (_what, field, path) => {
    const response = await create({ ...LETTER, ...withField(field) });
    expect(response.json()).toMatchObject({ statusCode: 422, code: 'invalid_schema', details: [{ path }] });
  });

  it('stores every option and returns it as given', async () => {
    const default_options = {
      page_size: 'custom',
      width: '4in',
      height: '150mm',
      orientation: 'landscape',
      header: { enabled: true, height: '1in', content: '<b>{{company}}</b>', first: false },
      footer: { content: '{{page}} of {{ pages }}', first: { content: '', height: '9mm' }, even: {} },
      scale: 1.5,
      tagged: true,
      outline: true,
      print_background: false,
    };
    const response = await create({ ...LETTER, default_options });
    expect(response.statusCode).toBe(201);
    expect(response.json().default_options).toEqual(default_options);
  });

  it('returns 413 with the limit for HTML and CSS that exceed it', async () => {
    const half = 'x'.repeat(600 * 1024);
    const message = expect.stringContaining('1048576');
    const response = await create({ name: 'Huge', html: half, css: half });
    expect(response.json()).toMatchObject({ statusCode: 413, code: 'template_too_large', message });
  });

  it('stores nothing when it rejects a template', async () => {
    const before = (await resources().list({ namespace: 'acme' })).items.length;
    await create({ ...LETTER, html: '{{' });
    await create({ ...LETTER, schema: { fields: [{ name: 'a', type: 'string', pattern: '(' }] } });
    await create({ ...LETTER, default_options: { scale: 3 } });
    expect((await resources().list({ namespace: 'acme' })).items).toHaveLength(before);
  });
});

describe('PATCH /v1/templates/:id', () => {
  it('replaces a top-level field as a whole', async () => {
    const id = await gateway.template({ default_options: { page_size: 'a4', orientation: 'landscape' } });
    const response = await patch(id, { default_options: { page_size: 'legal' } });
    expect(response.json().default_options).toEqual({ page_size: 'legal' });
  });

  it('rejects what POST rejects, and leaves the template unchanged', async () => {
    const id = await gateway.template(LETTER);
    const before = (await read(id)).json();
    expect((await patch(id, { html: '{{#if}' })).statusCode).toBe(422);
    for (const body of [{ html: '' }, { id: 'tpl-mine' }, { version: 9 }, []]) {
      expect((await patch(id, body)).statusCode).toBe(400);
    }
    expect((await read(id)).json()).toEqual(before);
  });

  it('gives each of twenty concurrent changes a separate version and loses none', async () => {
    const other = await gateway.startAnother();
    const id = await gateway.template(LETTER);
    const members = ['name', 'description', 'css', 'html'] as const;
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        gateway.call('PATCH', `/v1/templates/${id}`, {
          body: { [members[index % members.length]!]: `value ${index}` },
          gateway: index % 2 === 0 ? gateway.gateway : other,
        }),
      ),
    );
    expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200));
    const changes = responses
      .map((response, index) => ({ index, ...response.json<{ version: number; updated_at: string }>() }))
      .toSorted((a, b) => a.version - b.version);
    expect(changes.map(({ version }) => version)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 2),
    );
    const times = changes.map(({ updated_at }) => updated_at);
    expect(times).toEqual([...new Set(times)].toSorted());
    const end = (await read(id)).json();
    for (const member of members) {
      const last = changes.findLast(({ index }) => members[index % members.length] === member);
      expect(end[member]).toBe(`value ${last?.index}`);
    }
  });
});

it.each(['no-such', 'UPPER', 'a%20b', '%00', '..%2fother', "';--"])(
  'An unknown template ID gets 400 or 404: %s',
  async (id) => {
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? {} : undefined;
      const response = await gateway.call(method, `/v1/templates/${id}`, { body });
      expect([400, 404], response.body).toContain(response.statusCode);
      expect(response.json().request_id).toMatch(/^req-/);
    }
  },
);

describe('A template applied with kubectl', () => {
  it('appears under its own name', async () => {
    const metadata = { name: 'by-hand', namespace: 'acme' };
    await resources().create({ metadata, spec: { displayName: 'By hand', html: 'x' } });
    expect((await read('by-hand')).json()).toMatchObject({
      id: 'by-hand',
      name: 'By hand',
      description: null,
      css: null,
      status: 'active',
      version: 1,
      schema: null,
      default_options: null,
    });
    const changed = await patch('by-hand', { name: 'Changed' });
    expect(changed.json()).toMatchObject({ name: 'Changed', version: 2 });
  });

  it('accepts new HTML after its source is lost, and an invalid change time does not break the list', async () => {
    const sourceRef = { key: 'sources/acme/x', sha256: '0'.repeat(64), size: 1 };
    const changedAt = '2026-11-21T12:00:00+99:99';
    const metadata = { name: 'lost', namespace: 'acme' };
    await resources().create({ metadata, spec: { displayName: 'Lost', sourceRef, changedAt } });
    expect((await gateway.call('GET', '/v1/templates')).statusCode).toBe(200);
    expect((await patch('lost', { css: 'p {}' })).json().code).toBe('template_unusable');
    expect((await patch('lost', { html: 'new' })).json()).toMatchObject({ html: 'new', css: null });
  });
});

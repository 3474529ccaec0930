import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GENERATION_JOB, TEMPLATE } from '@trifold/crds';
import type { PreviewRenderer } from '@trifold/platform/previews/port.ts';
import { eventually } from '@trifold/test-support/eventually.ts';
import { GatewayFixture } from '../testing/gateway-fixture.ts';
import { RawConnections } from '../testing/raw-connections.ts';
import { completed, ScriptedPreviews } from '../testing/scripted-previews.ts';
import { documentFailure } from '@trifold/platform/errors/document-error.ts';

const PATH = '/v1/templates/preview';
const JSON_ONLY = { accept: 'application/json' };
const LETTER = { html: '<p>Dear {{name}}</p>', data: { name: 'Ada' } };
const TOO_LARGE = { statusCode: 413, code: 'template_too_large' };

interface View {
  readonly file: string | null;
  readonly email: unknown;
  readonly warnings: unknown[];
  readonly errors: Record<'code' | 'path' | 'name' | 'part' | 'line' | 'column', string | number | null>[];
  readonly timings: Record<string, number>;
}

let renderer: ScriptedPreviews;
const previewRenderer: PreviewRenderer = { render: async (...call) => renderer.render(...call) };
const fixture = await GatewayFixture.shared({ previewRenderer });
beforeEach(() => void (renderer = new ScriptedPreviews()));

describe(`POST ${PATH}`, () => {
  const preview = async (body: object, headers: Record<string, string> = {}, key = fixture.key) =>
    fixture.call('POST', PATH, { body: { ...LETTER, ...body }, headers, key });
  const previewJson = async (body: object): Promise<View> => {
    const response = await preview(body, JSON_ONLY);
    expect(response.statusCode, response.body).toBe(200);
    const view = response.json<View>();
    expect(response.headers['x-trifold-warnings']).toBe(String(view.warnings.length));
    return view;
  };

  it('returns the file and passes the template, its defaults, the data and the options to the renderer', async () => {
    const response = await preview({
      css: 'p { color: teal }',
      schema: { fields: [{ name: 'city', type: 'string', default: 'London' }] },
      default_options: { page_size: 'a4' },
      options: { orientation: 'landscape' },
    });
    expect([response.statusCode, response.body]).toEqual([200, 'a file']);
    expect(response.headers).toMatchObject({
      'content-type': 'application/pdf',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-trifold-warnings': '0',
    });
    const [{ task } = { task: undefined }] = renderer.taken;
    expect(task).toMatchObject({
      account: 'acme',
      format: 'pdf',
      template: { html: LETTER.html, css: 'p { color: teal }', defaultOptions: { pageSize: 'a4' } },
      options: { orientation: 'landscape' },
    });
    expect(JSON.parse(Buffer.from(task?.data ?? []).toString())).toEqual({ name: 'Ada', city: 'London' });
  });

  it.each([0, 1, 2, 3 * 2 ** 18, 3 * 2 ** 18 + 1])(
    'returns a file of %i bytes in JSON on request',
    async (size) => {
      const file = randomBytes(size);
      renderer.outcome = completed(file);
      const view = await previewJson({});
      expect(Buffer.from(view.file ?? '', 'base64').equals(file)).toBe(true);
      expect(view).toMatchObject({ email: null, warnings: [], errors: [] });
      expect(view.timings).toEqual({ check_ms: expect.any(Number) as number, merge_ms: 1.2, print_ms: 4 });
    },
  );

  it("returns the renderer's warnings in JSON, and their number with a file", async () => {
    const warning = { code: 'binding_missing', message: 'The data lacks it.', name: 'total' } as const;
    renderer.outcome = completed('a file', [warning]);
    expect((await preview({}, JSON_ONLY)).json<View>().warnings).toEqual([warning]);
    expect((await preview({})).headers['x-trifold-warnings']).toBe('1');
    renderer.outcome = completed('a file');
  });

  it.each([
    ['png', 'image/png'],
    ['html', 'application/json; charset=utf-8'],
    ['docx', 'application/json; charset=utf-8'],
  ])('returns %s as %s if the client accepts everything', async (format, type) => {
    const response = await preview({ format }, { accept: '*/*' });
    expect(response.headers['content-type']).toBe(type);
    const file =
      type === 'image/png' ? response.body : Buffer.from(response.json<View>().file ?? '', 'base64');
    expect(file.toString()).toBe('a file');
  });

  it('lists every content problem with its position', async () => {
    const view = await previewJson({
      html: '<p>\n  {{#if name}}',
      email: { subject: '{{nosuch a}}' },
      options: { header: { content: '\n{{/if}}' } },
      schema: { fields: [{ name: 'name', type: 'number' }] },
    });
    expect(view.file).toBeNull();
    const places = view.errors.map(({ path, name, part, line, column }) => [path, name, part, line, column]);
    expect(places).toEqual([
      ['/html', 'if', 'html', 2, 3],
      ['/email/subject', 'nosuch', 'email', 1, 1],
      ['/options/header/content', null, 'header', 2, 1],
      ['/data/name', 'name', 'data', null, null],
    ]);
    expect(renderer.taken).toEqual([]);
  });

  it('renders data that only violates the schema if JSON is requested, but rejects a request for the file', async () => {
    const item = { type: 'object', properties: { price: { type: 'number' } } };
    const body = {
      schema: { fields: [{ name: 'lines', type: 'array', items: item }] },
      data: { lines: [{ price: 1 }, { price: 'two' }] },
    };
    const view = await previewJson(body);
    expect(Buffer.from(view.file ?? '', 'base64').toString()).toBe('a file');
    const place = { path: '/data/lines/1/price', name: 'lines[1].price', part: 'data' };
    const message = 'must be a number';
    const nothing = { line: null, column: null, rule: null, term: null };
    expect(view.errors).toEqual([{ code: 'data_invalid', message, ...place, ...nothing }]);
    const [{ task } = { task: undefined }] = renderer.taken;
    expect(JSON.parse(Buffer.from(task?.data ?? []).toString())).toEqual(body.data);
    expect((await preview(body)).json()).toMatchObject({ statusCode: 422, code: 'data_invalid' });
  });

  it('lists problems in the schema and in the default options', async () => {
    const view = await previewJson({
      schema: { fields: [{ name: 'name', type: 'string', pattern: '(' }] },
      default_options: { page_size: 'custom' },
    });
    const invalid = ['invalid_request', 'invalid_request', 'invalid_schema'];
    expect(view.errors.map(({ code }) => code)).toEqual(invalid);
    const form = { email: {}, schema: [] };
    const { errors } = await previewJson(form);
    const places = errors.map(({ path, part }) => `${path} ${part}`);
    expect(places).toEqual(['/schema schema', '/email/subject email']);
    expect((await preview(form)).json()).toMatchObject({ statusCode: 400, code: 'invalid_request' });
    expect((await preview({ ...form, dpi: 1 }, JSON_ONLY)).statusCode).toBe(400);
  });

  it('renders a stored version for a key with only templates:read', async () => {
    const id = await fixture.template({ html: '<p>First {{name}}</p>', email: { subject: 'Dear {{name}}' } });
    await fixture.call('PATCH', `/v1/templates/${id}`, { body: { html: '<p>Second</p>', email: null } });
    const key = await fixture.mint({ scopes: ['templates:read'] }, true);
    const render = async (version: number, format: string) => {
      const call = { body: { data: LETTER.data, format }, headers: JSON_ONLY, key };
      return fixture.call('POST', `/v1/templates/${id}/versions/${version}/preview`, call);
    };
    expect((await render(1, 'pdf')).statusCode).toBe(200);
    expect(renderer.taken.map(({ task }) => task.template.html)).toEqual(['<p>First {{name}}</p>']);
    expect((await render(1, 'email')).json<View>().email).toMatchObject({ subject: 'Dear Ada' });
    expect((await render(2, 'email')).json()).toMatchObject({ code: 'not_an_email_template' });
    expect((await render(3, 'pdf')).json()).toMatchObject({ statusCode: 404, code: 'version_not_found' });
    expect((await preview({}, {}, key)).json()).toMatchObject({ missingScopes: ['templates:write'] });
  });

  it('stores a thumbnail of the live version with the first sample', async () => {
    const samples = (name: string) => [{ name: 'First', data: { name } }];
    const id = await fixture.template({ html: '<p>First {{name}}</p>' });
    const patch = async (body: object) => fixture.call('PATCH', `/v1/templates/${id}`, { body });
    await patch({ samples: samples('Ada') });
    const path = `/v1/templates/${id}/thumbnail`;
    const key = await fixture.mint({ scopes: ['templates:read'] }, true);
    const thumbnail = async (headers = {}) => fixture.call('GET', path, { headers, key });
    const rendered = () =>
      renderer.taken.map(({ task: { template, data } }) => [template.html, Buffer.from(data).toString()]);
    const first = await thumbnail();
    expect([first.statusCode, first.body]).toEqual([200, 'a file']);
    const headers = { 'content-type': 'image/webp', 'x-content-type-options': 'nosniff' };
    expect(first.headers).toMatchObject(headers);
    expect(await thumbnail()).toMatchObject({ statusCode: 200, body: 'a file' });
    expect((await thumbnail({ 'if-none-match': first.headers.etag })).statusCode).toBe(304);
    expect(rendered()).toEqual([['<p>First {{name}}</p>', '{"name":"Ada"}']]);
    expect(renderer.taken[0]?.task).toMatchObject({ format: 'webp', options: { fullPage: false } });
    await patch({ samples: samples('Bea') });
    await thumbnail();
    await fixture.call('POST', `/v1/templates/${id}/publish`, { body: { version: 1 } });
    await patch({ html: '<p>Second</p>' });
    await thumbnail();
    expect(rendered().slice(1)).toEqual([['<p>First {{name}}</p>', '{"name":"Bea"}']]);
    expect((await fixture.call('GET', path, { key: fixture.otherKey })).statusCode).toBe(404);
    renderer.outcome = completed(Buffer.alloc(300_000));
    await patch({ samples: samples('Too large to store') });
    for (const _ of [1, 2]) await thumbnail();
    expect(rendered()).toHaveLength(4);
  });

  it('returns the first problem as an error if the file is requested', async () => {
    const response = await preview({ html: '{{#if}}' });
    const error = { statusCode: 422, code: 'template_does_not_compile', line: 1, column: expect.any(Number) };
    expect(response.json()).toMatchObject(error);
    expect(response.headers).not.toHaveProperty('x-trifold-warnings');
  });

  const invalidEmail = { statusCode: 400, code: 'invalid_request', details: [{ path: '/email' }] };
  it.each([
    ['a template over the size limit', { html: 'x'.repeat(fixture.config.maxTemplateBytes + 1) }, TOO_LARGE],
    ['an email without email parts', { format: 'email' }, invalidEmail],
  ])('returns an error for %s', async (_what, body, error) => {
    expect((await preview(body)).json()).toMatchObject(error);
  });

  it('returns a document failure as a problem, with the warnings up to that point', async () => {
    const place = { name: 'formatCurrency', part: 'html', line: 3, column: 7 } as const;
    const failure = documentFailure('merge_failed', 'no such currency', place);
    const warnings = [{ code: 'binding_missing', message: 'no value', name: 'a' }] as const;
    renderer.outcome = { status: 'failed', failure, progress: { warnings } };
    expect(await previewJson({})).toMatchObject({
      errors: [{ code: 'merge_failed', path: '/html', message: 'no such currency', ...place }],
      warnings,
    });
    expect((await preview({})).json()).toMatchObject({ statusCode: 422, code: 'generation_failed' });
  });

  it.each([
    ['is busy', { status: 'busy' }],
    ['lost its browser', { status: 'failed', failure: documentFailure('browser_crashed', 'why') }],
  ] as const)('returns 503 if the renderer %s', async (_what, outcome) => {
    renderer.outcome = outcome;
    for (const headers of [{}, JSON_ONLY]) {
      const response = await preview({}, headers);
      expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '1']);
    }
  });

  it('stores nothing', async () => {
    const fresh = await GatewayFixture.forTest({ previewRenderer: renderer });
    expect((await fresh.call('POST', PATH, { body: LETTER })).statusCode).toBe(200);
    expect((await fresh.store.list('')).objects).toEqual([]);
    const jobs = fresh.kubernetes.resource(GENERATION_JOB);
    const templates = fresh.kubernetes.resource(TEMPLATE);
    expect((await jobs.list({})).items).toEqual([]);
    expect((await templates.list({})).items).toEqual([]);
  });

  it('cancels the previous preview in the same session', async () => {
    renderer.hold();
    const headers = { 'preview-session': 'tab-1' };
    const first = preview({}, headers);
    await eventually(async () => expect(renderer.taken).toHaveLength(1));
    const second = preview({}, headers);
    expect((await first).json()).toMatchObject({ statusCode: 409, code: 'preview_superseded' });
    expect(renderer.taken[0]?.signal.aborted).toBe(true);
    await eventually(async () => expect(renderer.taken).toHaveLength(2));
    renderer.taken[1]?.end(completed('the newer'));
    expect((await second).body).toBe('the newer');
  });

  it('does not cancel previews in other sessions or with other keys', async () => {
    renderer.hold();
    const both = [
      preview({}, { 'preview-session': 'tab-1' }),
      preview({}, { 'preview-session': 'tab-2' }),
      preview({}, { 'preview-session': 'tab-1' }, fixture.otherKey),
    ];
    await eventually(async () => expect(renderer.taken).toHaveLength(3));
    for (const { end, signal } of renderer.taken) {
      expect(signal.aborted).toBe(false);
      end(completed('done'));
    }
    for (const response of await Promise.all(both)) expect(response.statusCode).toBe(200);
  });

  it('returns 400 for a session that is not printable ASCII', async () => {
    expect((await preview({}, { 'preview-session': 'a b' })).statusCode).toBe(400);
  });

  it("limits one account's previews without affecting others", async () => {
    renderer.hold();
    const running = Array.from({ length: 4 }, async () => preview({}));
    await eventually(async () => expect(renderer.taken).toHaveLength(4));
    expect((await preview({})).json()).toMatchObject({ statusCode: 429, code: 'too_many_previews' });
    const thumbnail = `/v1/templates/${await fixture.template()}/thumbnail`;
    expect((await fixture.call('GET', thumbnail)).statusCode).toBe(204);
    const other = preview({}, {}, fixture.otherKey);
    await eventually(async () => expect(renderer.taken).toHaveLength(5));
    for (const { end } of renderer.taken) end(completed('done'));
    for (const each of await Promise.all([...running, other])) expect(each.statusCode).toBe(200);
    renderer.hold();
    const next = preview({});
    await eventually(async () => expect(renderer.taken).toHaveLength(6));
    renderer.taken[5]?.end(completed('done'));
    expect((await next).statusCode).toBe(200);
  });

  const send = async ({ gateway, key }: GatewayFixture, signal = new AbortController().signal) => {
    const { port } = gateway.app.server.address() as AddressInfo;
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const body = JSON.stringify(LETTER);
    return fetch(`http://127.0.0.1:${port}${PATH}`, { method: 'POST', headers, body, signal });
  };

  it('cancels the preview when the client disconnects', async () => {
    renderer.hold();
    await fixture.gateway.app.listen({ host: '127.0.0.1', port: 0 });
    const controller = new AbortController();
    const call = send(fixture, controller.signal);
    call.catch(() => undefined);
    await eventually(async () => expect(renderer.taken).toHaveLength(1));
    controller.abort();
    await expect(call).rejects.toThrow();
    await eventually(async () => expect(renderer.taken[0]?.signal.aborted).toBe(true));
  });

  describe('with an unread response', () => {
    const LARGE = Buffer.alloc(26 * 2 ** 20, 'png ');
    let connections: RawConnections;
    let own: GatewayFixture;
    beforeEach(async () => {
      own = await GatewayFixture.forTest({ previewRenderer: renderer });
      connections = await RawConnections.listen(own);
      renderer.outcome = completed(LARGE);
    });
    afterEach(() => connections.close());

    /** Requests a preview without reading the response. */
    const unread = (headers: Record<string, string> = {}, file = LARGE) => {
      renderer.outcome = completed(file);
      const body = JSON.stringify(LETTER);
      const connection = connections.post(PATH, { 'content-length': body.length, ...headers });
      connection.socket.pause();
      connection.socket.write(body);
      return connection;
    };
    const call = async (headers: Record<string, string> = {}) =>
      own.call('POST', PATH, { body: LETTER, headers });
    const unsentBytes = async () => own.metric('unsent_response_bytes');

    it("counts toward its account's limit until its connection closes", async () => {
      const held = Array.from({ length: 4 }, () => unread({}, LARGE.subarray(0, 15 * 2 ** 20)));
      await eventually(async () => (await unsentBytes()) === 60 * 2 ** 20);
      expect((await call()).json()).toMatchObject({ statusCode: 429, code: 'too_many_previews' });
      held[0]?.socket.destroy();
      await eventually(async () => (await call()).statusCode === 200);
    });

    it.each([{}, JSON_ONLY])("counts its file toward its key's unread bytes: %j", async (headers) => {
      const [first, second] = [unread(headers), unread(headers)];
      await eventually(async () => (await unsentBytes()) >= 2 * LARGE.length);
      expect((await call(headers)).json()).toMatchObject({ statusCode: 429, code: 'too_many_downloads' });
      for (const { socket } of [first, second]) socket.destroy();
      await eventually(async () => (await unsentBytes()) === 0);
      renderer.outcome = completed('a file');
      expect((await call(headers)).statusCode).toBe(200);
    });

    it('is closed by a newer preview in its session', async () => {
      const session = { 'preview-session': 'tab-1' };
      const stuck = unread(session);
      await eventually(async () => (await unsentBytes()) === LARGE.length);
      renderer.outcome = completed('the newer');
      expect((await call(session)).body).toBe('the newer');
      stuck.socket.resume();
      await stuck.closed;
      expect(stuck.received().length).toBeLessThan(LARGE.length);
    });
  });

  it('returns 503 to previews in flight when the gateway closes', async () => {
    const closing = await GatewayFixture.start({ previewRenderer: renderer, config: { closeWaitMs: 0 } });
    await closing.gateway.app.listen({ host: '127.0.0.1', port: 0 });
    renderer.hold();
    const held = send(closing);
    await eventually(async () => expect(renderer.taken).toHaveLength(1));
    await closing.stop();
    expect((await held).status).toBe(503);
  });

  it('returns 501 without a renderer, but compiles emails', async () => {
    const gateway = await GatewayFixture.forTest();
    const response = await gateway.call('POST', PATH, { body: LETTER });
    expect(response.json()).toMatchObject({ statusCode: 501, code: 'not_supported_yet' });
    const body = { ...LETTER, html: '{{#each o}}-{{/each}}', data: { o: { 7: 1, a: 2 } }, format: 'email' };
    const email = await gateway.call('POST', PATH, { body: { ...body, email: { subject: 'S' } } });
    const view = email.json<View>();
    expect(view.file).not.toBeNull();
    expect(view.warnings).toMatchObject([{ code: 'object_order', name: 'o' }]);
  });
});

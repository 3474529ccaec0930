import { describe, expect, it } from 'vitest';
import { newId, TEMPLATE } from '@trifold/crds';
import { GatewayFixture } from '../testing/gateway-fixture.ts';

const CONFIG = { logRequests: true, maxEmailBytes: 200_000, emailWorkers: 1 };
const lines: string[] = [];
const gateway = await GatewayFixture.shared({
  // Longer than any email template here takes to compile, even on a busy machine.
  config: { ...CONFIG, emailTimeoutMs: 30_000 },
  log: (line) => lines.push(line),
});

type Email = Record<'subject' | 'preheader' | 'html' | 'text', string> & { warnings: object[] };
interface ErrorBody {
  statusCode: number;
  code: string;
  message: string;
  details?: { path: string; message: string }[];
}

const EMAIL = { engine: 'handlebars-html', subject: 'For {{name}}', html: '<p>Dear {{name}}</p>' };
const DATA = { name: '<Ada>' };
const send = async (body: unknown, key = gateway.key, to = gateway) =>
  to.call('POST', '/v1/emails/compile', { body, key });
const compile = async (body: unknown, to = gateway): Promise<Email> => {
  const response = await send(body, to.key, to);
  expect(response.statusCode, response.body).toBe(200);
  return response.json<Email>();
};
const errorFor = async (body: unknown, to = gateway): Promise<ErrorBody> =>
  (await send(body, to.key, to)).json<ErrorBody>();
const inline = (source: object, data: object = DATA) => ({ template: { ...EMAIL, ...source }, data });

describe('POST /v1/emails/compile with an inline template', () => {
  it('returns the whole email with a payload for each of three providers', async () => {
    const css = 'p { color: red } @media (max-width: 600px) { p { color: blue } }';
    const email = await compile(inline({ preheader: 'Hi {{name}}', css }));
    const { subject, html, text } = email;
    expect(email).toEqual({
      id: expect.stringMatching(/^eml-[0-7][0-9a-z]{25}$/),
      template_id: null,
      subject: 'For <Ada>',
      preheader: 'Hi <Ada>',
      html: expect.stringContaining('<p style="color: red;">Dear &lt;Ada&gt;</p>'),
      text: 'Dear <Ada>',
      providers: {
        resend: { subject, html, text },
        mailgun: { subject, html, text },
        brevo: { subject, htmlContent: html, textContent: text },
      },
      warnings: [],
      stored: false,
      compiled_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(html).toMatch(/<body><div style="display:none[^"]*">Hi &lt;Ada&gt;<\/div><p /);
    expect(html).toContain('<style>@media (max-width: 600px) { p { color: blue } }</style>');
  });

  it('warns about the order of fields only for test keys', async () => {
    const body = inline({ subject: 's', html: '{{#each o}}-{{/each}}' }, { o: { 7: 1, a: 2 } });
    const keys = [await gateway.mint({ mode: 'test' }), gateway.key];
    const emails = await Promise.all(keys.map(async (key) => (await send(body, key)).json<Email>()));
    expect(emails.map(({ warnings }) => warnings.length)).toEqual([1, 0]);
  });

  it('counts only compiled emails, by key mode', async () => {
    const counted = async () => gateway.metric('emails_compiled_total{mode="live"}');
    const before = await counted();
    await compile(inline({}));
    await send(inline({ subject: '{{' }));
    expect(await counted()).toBe(before + 1);
  });

  it('neither stores nor logs the content', async () => {
    // Email counts and the request log may be written at any time.
    const listed = async () =>
      (await gateway.store.list('')).objects.filter(({ key }) => !/^(usage|requests)\//.test(key));
    const before = await listed();
    await compile(inline({ subject: 'secret {{name}}', text: 'secret' }, { name: 'secret' }));
    await send(inline({ subject: 'secret {{#if' }, { name: 'secret' }));
    expect(await listed()).toEqual(before);
    expect(lines.filter((line) => line.includes('/v1/emails/compile')).length).toBeGreaterThan(1);
    expect(lines.filter((line) => line.includes('secret') || line.includes(gateway.key))).toEqual([]);
  });
});

describe('POST /v1/emails/compile with a saved template', () => {
  const email = { subject: 'Order {{number}}', preheader: '{{lines.length}} lines', text: '' };
  const SAVED = {
    html: '<ul>{{#each lines}}<li class="l">{{this}}</li>{{/each}}</ul>',
    css: '.l { margin: 0 }',
    email,
    schema: {
      fields: [
        { name: 'number', type: 'number', required: true },
        { name: 'lines', type: 'array', default: ['none'] },
      ],
    },
  };

  it('applies a template change as soon as its request returns', async () => {
    const id = await gateway.template(SAVED);
    await compile({ template_id: id, data: { number: 1 } });
    await gateway.call('PATCH', `/v1/templates/${id}`, { body: { email: { subject: 'Now {{number}}' } } });
    const made = await compile({ template_id: id, data: { number: 2 } });
    expect(made).toMatchObject({ subject: 'Now 2', preheader: '' });
  });

  it('uses the locale and the time zone from its default options', async () => {
    const html = '{{formatCurrency number "EUR" decimals=0}}';
    const default_options = { locale: 'de-DE', time_zone: 'Europe/Berlin' };
    const id = await gateway.template({ ...SAVED, html, default_options });
    expect((await compile({ template_id: id, data: { number: 1234 } })).text).toBe('1.234 €');
    const resource = gateway.kubernetes.resource(TEMPLATE);
    const name = newId('tpl', new Date());
    const spec = { displayName: 'X', html, email: { subject: 'S' }, defaultOptions: { locale: 'xx-YY' } };
    await resource.create({ metadata: { name, namespace: 'acme' }, spec });
    expect(await errorFor({ template_id: name, data: {} })).toMatchObject({
      statusCode: 422,
      code: 'options_invalid',
      details: [{ path: '/template_id' }],
    });
  });

  it('accepts drafts and rejects archived and non-email templates', async () => {
    const data = { number: 1 };
    const draft = await gateway.template({ ...SAVED, status: 'draft' });
    expect((await compile({ template_id: draft, data })).subject).toBe('Order 1');
    const archived = await gateway.template({ ...SAVED, status: 'archived' });
    const rejected = { statusCode: 422, code: 'template_archived' };
    expect(await errorFor({ template_id: archived, data })).toMatchObject(rejected);
    const document = await gateway.template();
    expect(await errorFor({ template_id: document, data })).toMatchObject({
      statusCode: 422,
      code: 'not_an_email_template',
      message: expect.stringContaining('email: {subject') as string,
    });
  });
});

it('POST /v1/emails/compile with an invalid request returns 400 with the path of the invalid field', async () => {
  const requests: [unknown, string, RegExp?][] = [
    [{ data: {} }, '/template_id', /Send exactly one of template_id and template\./],
    [{ ...inline({}), template_id: 'tpl-1' }, '/template', /Send exactly one of template_id and template\./],
    [{ template: EMAIL }, '/data'],
    [{ template: EMAIL, data: [] }, '/data'],
    [{ ...inline({}), to: 'a@e.org' }, '/to'],
    [{ template: { subject: 's', html: 'h' }, data: {} }, '/template/engine'],
    [inline({ engine: 'mjml' }), '/template/engine'],
    [{ template: { engine: EMAIL.engine, html: 'h' }, data: {} }, '/template/subject'],
    [inline({ html: '' }), '/template/html'],
    [inline({ css: 1 }), '/template/css'],
    [inline({ from: 'me' }), '/template/from'],
    [inline({ subject: 'x'.repeat(1001) }), '/template/subject'],
  ];
  for (const [body, path, message = /./] of requests) {
    const rejected = await errorFor(body);
    expect(rejected.message).toMatch(message);
    expect(rejected, path).toMatchObject({ statusCode: 400, code: 'invalid_request' });
    expect(rejected.details?.map((detail) => detail.path)).toEqual([path]);
  }
});

it('POST /v1/emails/compile with an invalid request returns 413 for a template larger than the limit', async () => {
  const html = 'x'.repeat(gateway.config.maxTemplateBytes + 1);
  expect(await errorFor(inline({ html }))).toMatchObject({ statusCode: 413, code: 'template_too_large' });
});

describe('POST /v1/emails/compile with an email that cannot be compiled', () => {
  const HUNDRED = { a: Array.from({ length: 200 }, (_, index) => index) };
  const loop = (depth: number, inside: string) =>
    '{{#each @root.a}}'.repeat(depth) + inside + '{{/each}}'.repeat(depth);

  const dataUrl = (bytes: number) => `p { background: url("data:${'a'.repeat(bytes)}") }`;
  const paragraphs = (count: number) => '<p>x</p>'.repeat(count);

  it.each<[string, object, object, string, RegExp]>([
    ['is invalid', { text: 'a\n{{/if}}' }, {}, 'template_does_not_compile', /text does not compile: line 2/],
    ['grows too large', { html: loop(2, 'xxxxxx') }, HUNDRED, 'merge_too_large', /limit of 200000 bytes/],
    ['fills memory', { html: loop(2, 'x'.repeat(20_000)) }, HUNDRED, 'merge_too_large', /larger than the/],
    ['grows by css', { html: paragraphs(500), css: dataUrl(900) }, {}, 'merge_too_large', /The email's html/],
    ['has much css', { html: paragraphs(20_000), css: dataUrl(30_000) }, {}, 'merge_failed', /use less CSS/],
  ])('returns 422 for an email that %s', async (_what, source, data, code, message) => {
    const rejected = await errorFor(inline(source, data));
    expect(rejected).toMatchObject({ statusCode: 422, code });
    expect(rejected.message).toMatch(message);
    expect((await compile(inline({}))).subject).toBe('For <Ada>');
  });

  it('returns 422 for endless loops after the timeout without blocking other accounts', async () => {
    const hurried = await GatewayFixture.forTest({ config: { ...CONFIG, emailTimeoutMs: 1_500 } });
    const emails = [{ html: loop(6, '') }, { subject: loop(6, '') }, { html: loop(6, '') }];
    const endless = emails.map(async (source) => errorFor(inline(source, HUNDRED), hurried));
    const other = send(inline({}), hurried.otherKey, hurried);
    const first = await Promise.race([other.then(() => 'the other'), Promise.all(endless).then(() => 'all')]);
    expect(first).toBe('the other');
    expect((await other).statusCode).toBe(200);
    for (const rejected of await Promise.all(endless)) {
      expect(rejected).toMatchObject({ statusCode: 422, code: 'merge_timeout' });
      expect(rejected.message).toMatch(/took longer than 1500 ms/);
    }
    expect((await compile(inline({}), hurried)).subject).toBe('For <Ada>');
  });
});

import { describe, expect, it } from 'vitest';
import { expectError, type Api } from '../support/api.ts';
import { live, otherAccount, test } from './service-under-test.ts';

interface Email {
  readonly id: string;
  readonly template_id: string | null;
  readonly subject: string;
  readonly preheader: string;
  readonly html: string;
  readonly text: string;
  readonly providers: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly stored: boolean;
  readonly compiled_at: string;
}

const RECEIPT = {
  subject: 'Receipt {{number}} for {{customer.name}}',
  preheader: 'You paid {{total}}',
  html:
    '<html><head><title>Receipt</title></head><body><h1>Thank you, {{customer.name}}</h1>' +
    '<table>{{#each lines}}<tr class="line"><td>{{text}}</td><td>{{price}}</td></tr>{{/each}}</table>' +
    '<p><a href="https://shop.example/{{number}}">Your order</a></p></body></html>',
  css: 'h1 { color: #123456 } .line td { padding: 4px } @media (max-width: 480px) { h1 { font-size: 18px } }',
};
const INLINE = { engine: 'handlebars-html', ...RECEIPT };
const DATA = {
  number: 17,
  customer: { name: 'Łukasz & Søn <Ltd>' },
  total: '12,50 €',
  lines: [
    { text: 'Tea', price: '5,00 €' },
    { text: 'Cake', price: '7,50 €' },
  ],
};
const PATH = '/v1/emails/compile';

const compile = async (body: unknown, api: Api = live): Promise<Email> => {
  const answer = await api.post(PATH, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.json<Email>();
};
const saved = async (members: object = {}) => {
  const { subject, preheader, html, css } = RECEIPT;
  return live.createTemplate({ html, css, email: { subject, preheader }, ...members });
};

describe('A compiled email', () => {
  it('has every documented member', async () => {
    const before = Date.now();
    const email = await compile({ template: INLINE, data: DATA });
    const { subject, html, text } = email;
    expect(subject).toBe('Receipt 17 for Łukasz & Søn <Ltd>');
    expect(email.preheader).toBe('You paid 12,50 €');
    expect(text).toBe(
      'Thank you, Łukasz & Søn <Ltd>\n\nTea | 5,00 €\nCake | 7,50 €\n\nYour order (https://shop.example/17)',
    );
    expect(email.providers).toEqual({
      resend: { subject, html, text },
      mailgun: { subject, html, text },
      brevo: { subject, htmlContent: html, textContent: text },
    });
    expect(email).toMatchObject({ template_id: null, stored: false, id: expect.stringMatching(/^\S{4,}$/) });
    expect(email.compiled_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Math.abs(Date.parse(email.compiled_at) - before)).toBeLessThan(10 * 60_000);
  });

  it('has inlined css, preserved media queries and a hidden preview text at the start', async () => {
    const { html } = await compile({ template: INLINE, data: DATA });
    expect(html).toMatch(/<h1 style="color: ?#123456;?">Thank you, Łukasz &amp; Søn &lt;Ltd&gt;<\/h1>/);
    expect(html).toMatch(/<td style="padding: ?4px;?">Tea<\/td>/);
    expect(html).toMatch(/<style>\s*@media \(max-width: 480px\)/);
    expect(html).toMatch(/<body[^>]*><div style="display: ?none[^"]*">You paid 12,50 €<\/div><h1/);
  });

  it('is the same for a saved template, plus its id', async () => {
    const { id } = await saved();
    const { template_id, ...email } = await compile({ template_id: id, data: DATA });
    expect(template_id).toBe(id);
    const { template_id: none, ...other } = await compile({ template: INLINE, data: DATA });
    expect(none).toBeNull();
    const same = { id: expect.any(String) as string, compiled_at: expect.any(String) as string };
    expect(email).toEqual({ ...other, ...same });
    expect(email.id).not.toBe(other.id);
  });

  it('uses the locale and the time zone of the default options of its template', async () => {
    const text = '{{formatCurrency 1234.5 "EUR"}} {{formatDate sent "short" time="short"}}';
    const default_options = { locale: 'de-DE', time_zone: 'Europe/Berlin' };
    const { id } = await saved({ email: { subject: text, text }, default_options });
    const email = await compile({ template_id: id, data: { ...DATA, sent: '2026-11-21T23:30:00Z' } });
    expect(email.subject).toBe('1.234,50 € 22.11.26, 00:30');
    expect(email.text).toBe('1.234,50\u00a0€ 22.11.26, 00:30');
  });

  it('uses the text of the template if it has one', async () => {
    const { id } = await saved({ email: { subject: 'S', text: 'Paid: {{total}}' } });
    expect(await compile({ template_id: id, data: DATA })).toMatchObject({
      text: 'Paid: 12,50 €',
      preheader: '',
    });
  });

  it('can be made with a test key and from a draft', async () => {
    const { id } = await saved({ status: 'draft' });
    expect((await compile({ template_id: id, data: DATA }, test)).subject).toContain('Receipt 17');
  });

  it('uses the defaults of the schema of the template', async () => {
    const schema = { fields: [{ name: 'total', type: 'string', default: 'nothing' }] };
    const { id } = await saved({ schema });
    expect((await compile({ template_id: id, data: {} })).preheader).toBe('You paid nothing');
  });
});

describe('POST /v1/emails/compile', () => {
  const ROUNDS = { a: Array.from({ length: 200 }, (_, index) => index) };
  it('rejects an endless template and serves other accounts in the meantime', async () => {
    const html = '{{#each @root.a}}'.repeat(6) + '{{/each}}'.repeat(6);
    const hostile = live.post(PATH, { template: { ...INLINE, html }, data: ROUNDS });
    await compile({ template: INLINE, data: DATA }, otherAccount);
    expectError(await hostile, 422, 'merge_timeout');
    await compile({ template: INLINE, data: DATA });
  });
});

describe('Email parts of a template', () => {
  it('are stored with it, replaced as a whole and removed by null', async () => {
    const { id } = await saved();
    const path = `/v1/templates/${id}`;
    const { subject, preheader } = RECEIPT;
    expect((await live.get(path)).json()).toMatchObject({ email: { subject, preheader }, version: 1 });
    const changed = await live.patch(path, { email: { subject: 'New', text: 'T' } });
    expect(changed.json()).toMatchObject({ email: { subject: 'New', text: 'T' }, version: 2 });
    expect((await live.patch(path, { email: null })).json()).toMatchObject({ email: null, version: 3 });
    expectError(await live.patch(path, { email: { subject: '{{#if' } }), 422, 'template_does_not_compile');
    expectError(await live.patch(path, { email: {} }), 400, 'invalid_request');
  });

  it('do not affect its documents', async () => {
    const { id } = await saved();
    expect((await live.generate(id, DATA)).status).toBe('completed');
  });
});

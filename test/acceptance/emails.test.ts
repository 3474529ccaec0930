import { expect, it } from 'vitest';
import { expectError } from '../support/api.ts';
import { live, otherAccount, typescriptClient } from './service-under-test.ts';

const client = typescriptClient(live);
const EMAIL = {
  subject: 'Receipt {{number}} for {{customer}}',
  html: '<html><body><h1>Thank you, {{customer}}</h1></body></html>',
  css: 'h1 { color: #123456 }',
};
const DATA = { number: 17, customer: 'Łukasz & Søn <Ltd>' };

it('an email is compiled from an inline or a saved template, with a payload for each provider', async () => {
  const { subject, ...content } = EMAIL;
  const inline = await client.emails.compile({
    template: { engine: 'handlebars-html', ...EMAIL },
    data: DATA,
  });
  const text = 'Thank you, Łukasz & Søn <Ltd>';
  expect(inline).toMatchObject({ template_id: null, subject: `Receipt 17 for ${DATA.customer}`, text });
  expect(inline.html).toMatch(/<h1 style="color: ?#123456;?">Thank you, Łukasz &amp; Søn &lt;Ltd&gt;/);
  const htmlContent = inline.html;
  expect(inline.providers.brevo).toEqual({ subject: inline.subject, htmlContent, textContent: text });

  const { id } = await client.templates.create({ name: 'Receipt', ...content, email: { subject } });
  const saved = await client.emails.compile({ template_id: id, data: DATA });
  const own = { id: saved.id, template_id: id, compiled_at: saved.compiled_at };
  expect(saved).toEqual({ ...inline, ...own });
  const foreign = await otherAccount.post('/v1/emails/compile', { template_id: id, data: DATA });
  expectError(foreign, 404, 'template_not_found');
});

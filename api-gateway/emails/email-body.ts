import { DocumentWarning, MAX_WARNINGS, StringEnum, TemplateEmail, Timestamp } from '@trifold/crds';
import { Type, type Static } from 'typebox';
import { documentData, nullable } from '../server/http/route-schemas.ts';

/** An email template sent in the request instead of a saved one. */
const InlineEmailTemplate = Type.Object(
  {
    engine: StringEnum(['handlebars-html'], { description: 'Template engine.' }),
    ...TemplateEmail.properties,
    html: Type.String({
      minLength: 1,
      description:
        'HTML with {{bindings}}, whose values are escaped, or {{{bindings}}}, whose values are not.',
    }),
    css: Type.Optional(
      Type.String({ description: 'CSS, without bindings. Inlined into style attributes where possible.' }),
    ),
  },
  {
    additionalProperties: false,
    title: 'InlineEmailTemplate',
    description: 'An email template. Send either this or `template_id`.',
  },
);

/** Body of POST /v1/emails/compile (interface, "Email compile"). */
export const EmailBody = Type.Object(
  {
    template_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 253,
        description: 'A saved template with an `email` field. Send either this or `template`.',
      }),
    ),
    template: Type.Optional(InlineEmailTemplate),
    data: documentData(),
  },
  {
    additionalProperties: false,
    title: 'EmailRequest',
    examples: [
      {
        template: {
          engine: 'handlebars-html',
          subject: 'Invoice {{number}}',
          preheader: '{{total}} is due on {{due}}',
          html: '<p>Dear {{customer}},</p><p>your invoice {{number}} is ready.</p>',
        },
        data: { number: 'INV-2026-0042', total: '350.58 EUR', due: '2026-12-21', customer: 'Ada' },
      },
    ],
  },
);
export type EmailBody = Static<typeof EmailBody>;

const payload = () => Type.Object({ subject: Type.String(), html: Type.String(), text: Type.String() });

/** A compiled email (interface, "Compiled email"). */
export const EmailView = Type.Object(
  {
    id: Type.String({ description: 'ID of the result. Nothing is stored under it.' }),
    template_id: nullable(Type.String(), 'null for an inline email template.'),
    subject: Type.String({ description: 'One line.' }),
    preheader: Type.String({
      description: 'Preview text, one line; empty if the email template has none.',
    }),
    html: Type.String({
      description: 'HTML for email clients, with inlined CSS and hidden preview text.',
    }),
    text: Type.String({ description: 'Text alternative.' }),
    providers: Type.Object(
      {
        resend: payload(),
        mailgun: payload(),
        brevo: Type.Object({
          subject: Type.String(),
          htmlContent: Type.String(),
          textContent: Type.String(),
        }),
      },
      { description: 'The email with the field names of three email providers, for their request bodies.' },
    ),
    warnings: Type.Array(DocumentWarning, {
      maxItems: MAX_WARNINGS,
      description: 'Possible problems in the email; empty if there are none.',
    }),
    stored: Type.Literal(false, { description: 'Compiled emails are not stored.' }),
    compiled_at: Timestamp({ description: 'ISO 8601 with milliseconds.' }),
  },
  { title: 'CompiledEmail', description: 'A compiled email.' },
);
export type EmailView = Static<typeof EmailView>;

/** Strings that the example repeats. */
const CONTENT = {
  subject: 'Invoice INV-2026-0042',
  html: '<html><head></head><body>…<p>Dear Ada,</p><p>your invoice INV-2026-0042 is ready.</p></body></html>',
  text: 'Dear Ada,\n\nyour invoice INV-2026-0042 is ready.',
};

export const EXAMPLE_EMAIL: EmailView = {
  id: 'eml-01m7yr47s8h5a8k1w4n7r0u3x6',
  template_id: null,
  preheader: '350.58 EUR is due on 2026-12-21',
  ...CONTENT,
  providers: {
    resend: CONTENT,
    mailgun: CONTENT,
    brevo: { subject: CONTENT.subject, htmlContent: CONTENT.html, textContent: CONTENT.text },
  },
  warnings: [],
  stored: false,
  compiled_at: '2026-11-21T09:59:57.000Z',
};

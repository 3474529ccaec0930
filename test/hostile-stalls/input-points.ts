import { GENERATION_JOB, TEMPLATE } from '@trifold/crds';
import { REPETITIONS, type HostileRequest, type HttpRequest, type Templates } from './service-under-probe.ts';

/** A point where untrusted text enters the service. */
export interface InputPoint {
  /** Maximum length of a string that passes the size limits, in characters. */
  readonly maxLength: number;
  readonly request: (text: string, templates: Templates) => HostileRequest;
}

/**
 * Maximum lengths of the template and the data, in characters. The service's limits are higher, but browsers are slow
 * beyond this.
 */
const SOURCE = 900_000;
const PRINTED = 60_000;
const DATA = 600_000;
/** Number of ASCII characters; the documents are then 15 MB. */
const REPEATED = 15_000_000 / REPETITIONS;

const send = (method: string, path: string, body: unknown): HttpRequest => ({
  method,
  path,
  body: JSON.stringify(body),
});
const newTemplate = (members: Record<string, unknown>) =>
  send('POST', '/v1/templates', { name: 'Hostile', html: '<p>{{text}}</p>', ...members });
const generate = (template_id: string, members: Record<string, unknown>) =>
  send('POST', '/v1/generate', { template_id, data: {}, ...members });
const compile = (members: Record<string, unknown>, text = '') =>
  send('POST', '/v1/emails/compile', {
    template: { engine: 'handlebars-html', subject: 'Hello', html: '<p>{{text}}</p>', ...members },
    data: { text },
  });

/** Data for a document. */
const document = (
  format: 'pdf' | 'png' | 'html' | 'docx',
  template: keyof Templates,
  maxLength = format === 'html' ? DATA : PRINTED,
): InputPoint => ({
  maxLength,
  request: (text, templates) => generate(templates[template], { format, data: { text } }),
});

/** Data for 8 documents in a batch. */
const batch = (template: keyof Templates, maxLength: number): InputPoint => ({
  maxLength,
  request: (text, templates) =>
    send('POST', '/v1/generate/batch', {
      template_id: templates[template],
      format: 'html',
      items: Array.from({ length: 8 }, () => ({ data: { text } })),
    }),
});

const attachment = (members: Record<string, unknown>) => ({
  filename: 'a',
  mime_type: 'text/plain',
  data: '',
  ...members,
});
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Data for a document created with a test key. */
const testDocument = (members: Record<string, unknown>): InputPoint => ({
  maxLength: PRINTED,
  request: (text, { unescaped }) => ({ ...generate(unescaped, { data: { text }, ...members }), key: 'test' }),
});

/** A job applied with kubectl. */
const appliedJob = (data: (text: string) => unknown): InputPoint => ({
  maxLength: DATA,
  request: (text, { unescaped }) => ({
    kind: GENERATION_JOB,
    spec: { templateRef: { name: unescaped }, format: 'html', data: data(text) },
  }),
});

/** Returns the string as data; a string that is not JSON becomes a property. */
function objectOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
}

const LETTER = '{"engine":"handlebars-html","subject":"Hello","html":"x"}';
const eightItems = (text: string) => Array.from({ length: 8 }, () => `{"data":{"a":${text}}}`).join(',');

/** The string is not quoted: it is a JSON value or invalid JSON. */
const json = (
  path: string,
  maxLength: number,
  body: (text: string, templates: Templates) => string,
): InputPoint => ({
  maxLength,
  request: (text, templates) => ({
    method: 'POST',
    path,
    body: body(text, templates),
    // Violations of the limits on values and defaults are detected only by reading the text.
    expected: 413,
  }),
});

const get = (path: string, headers: Record<string, string> = {}): HttpRequest => ({
  method: 'GET',
  path,
  headers,
});
/** Uses a tab in place of each character that is not allowed in a header. */
const headerValue = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '\t').trim() || 'x';

/** A header in a document request. */
const header = (name: string, before = ''): InputPoint => ({
  maxLength: 12_000,
  request: (text, { body }) => ({
    ...generate(body, { format: 'html' }),
    headers: { [name]: before + headerValue(text) },
  }),
});

/** All input points by name. */
export const INPUT_POINTS = {
  templateHtml: { maxLength: SOURCE, request: (html) => newTemplate({ html }) },
  templateCss: { maxLength: SOURCE, request: (css) => newTemplate({ css }) },
  patchedHtml: {
    maxLength: SOURCE,
    request: (html, { patched }) => send('PATCH', `/v1/templates/${patched}`, { html }),
  },
  samples: {
    maxLength: DATA,
    request: (text, { unescaped }) =>
      send('PUT', `/v1/templates/${unescaped}/samples`, { samples: [{ name: 'Hostile', data: { text } }] }),
  },
  headerContent: {
    maxLength: 16_000,
    request: (content) => newTemplate({ default_options: { header: { enabled: true, content } } }),
  },
  emailText: { maxLength: 65_000, request: (text) => newTemplate({ email: { subject: 'Hello', text } }) },
  emailSubject: { maxLength: 1000, request: (subject) => newTemplate({ email: { subject } }) },
  pattern: {
    maxLength: 1000,
    request: (pattern) => newTemplate({ schema: { fields: [{ name: 'text', type: 'string', pattern }] } }),
  },
  appliedTemplate: {
    maxLength: SOURCE,
    request: (html) => ({ kind: TEMPLATE, spec: { displayName: 'Hostile', html } }),
  },

  pdfData: document('pdf', 'body'),
  pdfAttribute: document('pdf', 'attribute'),
  pdfUnescaped: document('pdf', 'unescaped'),
  pdfHeader: document('pdf', 'header', 300_000),
  pdfCounting: document('pdf', 'counting', 2 ** 18 - 20),
  pngHead: document('png', 'head'),
  pngAttribute: document('png', 'attribute'),
  pngData: document('png', 'body'),
  pngUnescaped: document('png', 'unescaped'),
  htmlHead: document('html', 'head'),
  htmlBeforeDoctype: document('html', 'beforeDoctype'),
  htmlAttribute: document('html', 'attribute'),
  htmlUnescaped: document('html', 'unescaped'),
  pdfRepeated: document('pdf', 'repeated', REPEATED),
  pngRepeated: document('png', 'repeated', REPEATED),
  htmlRepeated: document('html', 'repeated', REPEATED),
  docxData: document('docx', 'body'),
  docxUnescaped: document('docx', 'unescaped'),
  docxAttribute: document('docx', 'repeatedAttribute', REPEATED),
  testPdf: testDocument({ options: { outline: true } }),
  testPng: testDocument({ format: 'png' }),
  footerOption: {
    maxLength: 16_000,
    request: (content, { body }) => generate(body, { options: { footer: { enabled: true, content } } }),
  },
  filename: {
    maxLength: 255,
    request: (filename, { body }) => generate(body, { format: 'html', filename }),
  },
  attachmentName: {
    maxLength: 255,
    request: (filename, { body }) => generate(body, { attachments: [attachment({ filename })] }),
  },
  attachmentDescription: {
    maxLength: 500,
    request: (description, { body }) => generate(body, { attachments: [attachment({ description })] }),
  },
  attachment: {
    maxLength: 1_000_000,
    request: (text, { body }) => generate(body, { attachments: [attachment({ data: base64(text) })] }),
  },
  attachmentBase64: {
    maxLength: 5_500_000,
    request: (data, { body }) => ({
      ...generate(body, { attachments: [attachment({ data })] }),
      // Multi-byte characters.
      expected: 413,
    }),
  },
  // 200 attachments.
  batchAttachments: {
    maxLength: 15_000,
    request: (text, { body }) => {
      const attachments = Array.from({ length: 10 }, (_, index) =>
        attachment({ filename: `${index}`, data: base64(text) }),
      );
      const items = Array.from({ length: 20 }, () => ({ data: {}, attachments }));
      return send('POST', '/v1/generate/batch', { template_id: body, format: 'pdf', items });
    },
  },
  eInvoiceXml: {
    maxLength: 1_000_000,
    request: (xml, { body }) => generate(body, { e_invoice: { profile: 'en16931', xml } }),
  },
  webhookUrl: {
    maxLength: 2000,
    request: (text, { body }) =>
      generate(body, { format: 'html', webhook_url: `https://example.com/${text}` }),
  },
  batchData: batch('unescaped', DATA),
  batchMatched: batch('pattern', 100_000),
  matched: document('html', 'pattern'),
  email: document('html', 'email'),
  url: document('html', 'url'),
  appliedJson: appliedJob(objectOf),
  appliedJob: appliedJob((text) => ({ text })),

  compiledHtml: { maxLength: DATA, request: (html) => compile({ html }) },
  compiledCss: { maxLength: DATA, request: (css) => compile({ css }) },
  compiledText: { maxLength: 65_000, request: (text) => compile({ text }) },
  compiledData: { maxLength: DATA, request: (text) => compile({ html: '{{{text}}}' }, text) },

  documentJson: json(
    '/v1/generate',
    2_000_000,
    (text, { body }) => `{"template_id":"${body}","format":"html","data":{"a":${text}}}`,
  ),
  // 50 defaults per item.
  filledJson: json(
    '/v1/generate',
    900_000,
    (text, { defaults }) => `{"template_id":"${defaults}","format":"html","data":{"a":${text}}}`,
  ),
  batchJson: json(
    '/v1/generate/batch',
    600_000,
    (text, { body }) => `{"template_id":"${body}","format":"html","items":[${eightItems(text)}]}`,
  ),
  templateJson: json(
    '/v1/templates',
    900_000,
    (text) => `{"name":"Hostile","html":"x","schema":{"fields":${text}}}`,
  ),
  emailJson: json('/v1/emails/compile', 2_000_000, (text) => `{"template":${LETTER},"data":{"a":${text}}}`),
  keyJson: json('/v1/api-keys', 2_000_000, (text) => `{"name":"Hostile","scopes":${text}}`),

  cursor: { maxLength: 4000, request: (text) => get(`/v1/templates?cursor=${encodeURIComponent(text)}`) },
  // Not encoded.
  query: {
    maxLength: 10_000,
    request: (text) => get(`/v1/templates?${text.replaceAll(/[^\x21-\x7e]|#/g, '+')}`),
  },
  path: {
    maxLength: 4000,
    request: (text) => ({ ...get(`/v1/generate/${encodeURIComponent(text)}`), expected: 404 }),
  },
  accept: header('accept'),
  authorization: {
    maxLength: 12_000,
    request: (text) => get('/v1/templates', { authorization: headerValue(text) }),
  },
  idempotencyKey: header('idempotency-key'),
  contentType: header('content-type', 'application/json; '),
} satisfies Record<string, InputPoint>;

export type PointName = keyof typeof INPUT_POINTS;

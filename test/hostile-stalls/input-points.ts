import { REPETITIONS, type HostileRequest, type HttpRequest, type Templates } from './service-under-probe.ts';

/** A point where untrusted text enters the service. */
export interface InputPoint {
  readonly name: string;
  /** Maximum length of a text that passes the size limits, in characters. */
  readonly maxLength: number;
  readonly request: (text: string, templates: Templates) => HostileRequest;
}

/** Characters of template and data. The limits of the service are higher, but a browser is slow for more. */
const TEMPLATE = 900_000;
const PRINTED = 60_000;
const DATA = 600_000;
/** ASCII characters; the documents then have 15 MB. */
const REPEATED = 15_000_000 / REPETITIONS;

const post = (path: string, body: unknown): HttpRequest => ({
  method: 'POST',
  path,
  body: JSON.stringify(body),
});

const newTemplate = (members: Record<string, unknown>): HttpRequest =>
  post('/v1/templates', { name: 'Hostile', html: '<p>{{text}}</p>', ...members });

const generate = (template_id: string, members: Record<string, unknown>): HttpRequest =>
  post('/v1/generate', { template_id, data: {}, ...members });

const compile = (members: Record<string, unknown>, text = ''): HttpRequest =>
  post('/v1/emails/compile', {
    template: { engine: 'handlebars-html', subject: 'Hello', html: '<p>{{text}}</p>', ...members },
    data: { text },
  });

/** Data of a document, which the template contains escaped, in an attribute, before the body, or unescaped. */
function dataPoint(
  format: 'pdf' | 'png' | 'html' | 'docx',
  template: keyof typeof DATA_NAMES,
  maxLength = format === 'html' ? DATA : PRINTED,
): InputPoint {
  return {
    name: `data of a ${format} document, ${DATA_NAMES[template]}`,
    maxLength,
    request: (text, templates) => generate(templates[template], { format, data: { text } }),
  };
}

const DATA_NAMES = {
  head: 'escaped, in the head',
  attribute: 'escaped, in an attribute',
  unescaped: 'unescaped, as the whole document',
  header: 'unescaped, in the header',
  counting: 'unescaped, four times in a header and a footer that count pages',
  body: 'escaped, in the body',
  repeated: `unescaped, ${REPETITIONS} times in the document`,
  repeatedAttribute: `unescaped, ${REPETITIONS} times in an attribute`,
  beforeDoctype: 'unescaped, before the doctype',
};

function batchPoint(name: string, template: keyof Templates, maxLength: number): InputPoint {
  return {
    name,
    maxLength,
    request: (text, templates) =>
      post('/v1/generate/batch', {
        template_id: templates[template],
        format: 'html',
        items: Array.from({ length: 8 }, () => ({ data: { text } })),
      }),
  };
}

/** Data that is validated against the schema of a template. */
function checkedPoint(what: string, template: keyof Templates): InputPoint {
  return {
    name: `data of a document, checked by ${what}`,
    maxLength: DATA,
    request: (text, templates) => generate(templates[template], { format: 'html', data: { text } }),
  };
}

const pointsOfTemplates = {
  templateHtml: {
    name: 'html of a new template',
    maxLength: TEMPLATE,
    request: (html) => newTemplate({ html }),
  },
  templateCss: {
    name: 'css of a new template',
    maxLength: TEMPLATE,
    request: (css) => newTemplate({ css }),
  },
  patchedHtml: {
    name: 'html of a template that changes',
    maxLength: TEMPLATE,
    request: (html, { patched }) => ({
      method: 'PATCH',
      path: `/v1/templates/${patched}`,
      body: JSON.stringify({ html }),
    }),
  },
  headerContent: {
    name: 'header of a template',
    maxLength: 16_000,
    request: (content) => newTemplate({ default_options: { header: { enabled: true, content } } }),
  },
  emailText: {
    name: 'text part of an email template',
    maxLength: 65_000,
    request: (text) => newTemplate({ email: { subject: 'Hello', text } }),
  },
  emailSubject: {
    name: 'subject of an email template',
    maxLength: 1000,
    request: (subject) => newTemplate({ email: { subject } }),
  },
  pattern: {
    name: 'pattern of a data schema',
    maxLength: 1000,
    request: (pattern) => newTemplate({ schema: { fields: [{ name: 'text', type: 'string', pattern }] } }),
  },
  appliedTemplate: {
    name: 'html of a template that kubectl applies',
    maxLength: TEMPLATE,
    request: (html) => ({ plural: 'templates', spec: { displayName: 'Hostile', html } }),
  },
} satisfies Record<string, InputPoint>;

const pointsOfDocuments = {
  pdfData: dataPoint('pdf', 'body'),
  pdfAttribute: dataPoint('pdf', 'attribute'),
  pdfUnescaped: dataPoint('pdf', 'unescaped'),
  pdfHeader: dataPoint('pdf', 'header', 300_000),
  pdfCounting: dataPoint('pdf', 'counting', 2 ** 18 - 20),
  pngHead: dataPoint('png', 'head'),
  pngAttribute: dataPoint('png', 'attribute'),
  pngData: dataPoint('png', 'body'),
  pngUnescaped: dataPoint('png', 'unescaped'),
  htmlHead: dataPoint('html', 'head'),
  htmlBeforeDoctype: dataPoint('html', 'beforeDoctype'),
  htmlAttribute: dataPoint('html', 'attribute'),
  htmlUnescaped: dataPoint('html', 'unescaped'),
  pdfRepeated: dataPoint('pdf', 'repeated', REPEATED),
  pngRepeated: dataPoint('png', 'repeated', REPEATED),
  htmlRepeated: dataPoint('html', 'repeated', REPEATED),
  docxData: dataPoint('docx', 'body'),
  docxUnescaped: dataPoint('docx', 'unescaped'),
  docxAttribute: dataPoint('docx', 'repeatedAttribute', REPEATED),
  testPdf: {
    name: 'data of a pdf document of a test key, with an outline',
    maxLength: PRINTED,
    request: (text, { unescaped }) => ({
      ...generate(unescaped, { data: { text }, options: { outline: true } }),
      key: 'test',
    }),
  },
  testPng: {
    name: 'data of a png document of a test key',
    maxLength: PRINTED,
    request: (text, { unescaped }) => ({
      ...generate(unescaped, { format: 'png', data: { text } }),
      key: 'test',
    }),
  },
  footerOption: {
    name: 'footer in the options of a document',
    maxLength: 16_000,
    request: (content, { body }) => generate(body, { options: { footer: { enabled: true, content } } }),
  },
  filename: {
    name: 'file name of a document',
    maxLength: 255,
    request: (filename, { body }) => generate(body, { format: 'html', filename }),
  },
  webhookUrl: {
    name: 'webhook URL of a document',
    maxLength: 2000,
    request: (text, { body }) =>
      generate(body, { format: 'html', webhook_url: `https://example.com/${text}` }),
  },
  batchData: batchPoint('data of 8 html documents of a batch', 'unescaped', DATA),
  batchMatched: batchPoint('data of 8 documents of a batch, matched by a pattern', 'pattern', 100_000),
  matched: checkedPoint('a pattern', 'pattern'),
  email: checkedPoint('the format email', 'email'),
  url: checkedPoint('the format url', 'url'),
  appliedJson: {
    name: 'JSON object as data of a job that kubectl applies',
    maxLength: DATA,
    request: (json, { unescaped }) => ({
      plural: 'generationjobs',
      spec: { templateRef: { name: unescaped }, format: 'html', data: objectOf(json) },
    }),
  },
  appliedJob: {
    name: 'data of a job that kubectl applies',
    maxLength: DATA,
    request: (text, { unescaped }) => ({
      plural: 'generationjobs',
      spec: { templateRef: { name: unescaped }, format: 'html', data: { text } },
    }),
  },
} satisfies Record<string, InputPoint>;

/** Returns the text as data; text that is not JSON as a member. */
function objectOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
}

const pointsOfEmails = {
  compiledHtml: {
    name: 'html of an email that is compiled',
    maxLength: DATA,
    request: (html) => compile({ html }),
  },
  compiledCss: {
    name: 'css of an email that is compiled',
    maxLength: DATA,
    request: (css) => compile({ css }),
  },
  compiledText: {
    name: 'text of an email that is compiled',
    maxLength: 65_000,
    request: (text) => compile({ text }),
  },
  compiledData: {
    name: 'data of an email that is compiled',
    maxLength: DATA,
    request: (text) => compile({ html: '{{{text}}}' }, text),
  },
} satisfies Record<string, InputPoint>;

const LETTER = '{"engine":"handlebars-html","subject":"Hello","html":"x"}';
const eightItems = (text: string) => Array.from({ length: 8 }, () => `{"data":{"a":${text}}}`).join(',');

/** Limits of values and of defaults are only detected by reading the text. */
const TOO_LARGE = 413;

/** The text is not quoted: it is a JSON value, or invalid JSON. */
const pointsOfJson = {
  documentJson: {
    name: 'JSON of the data of a document',
    maxLength: 2_000_000,
    request: (text, { body }) => ({
      method: 'POST',
      path: '/v1/generate',
      body: `{"template_id":"${body}","format":"html","data":{"a":${text}}}`,
      expected: TOO_LARGE,
    }),
  },
  filledJson: {
    name: 'JSON of the data of a document, filled with 50 defaults an item',
    maxLength: 900_000,
    request: (text, { defaults }) => ({
      method: 'POST',
      path: '/v1/generate',
      body: `{"template_id":"${defaults}","format":"html","data":{"a":${text}}}`,
      expected: TOO_LARGE,
    }),
  },
  batchJson: {
    name: 'JSON of the data of 8 documents of a batch',
    maxLength: 600_000,
    request: (text, { body }) => ({
      method: 'POST',
      path: '/v1/generate/batch',
      body: `{"template_id":"${body}","format":"html","items":[${eightItems(text)}]}`,
      expected: TOO_LARGE,
    }),
  },
  templateJson: {
    name: 'JSON of the data schema of a template',
    maxLength: 900_000,
    request: (text) => ({
      method: 'POST',
      path: '/v1/templates',
      body: `{"name":"Hostile","html":"x","schema":{"fields":${text}}}`,
      expected: TOO_LARGE,
    }),
  },
  emailJson: {
    name: 'JSON of the data of an email',
    maxLength: 2_000_000,
    request: (text) => ({
      method: 'POST',
      path: '/v1/emails/compile',
      body: `{"template":${LETTER},"data":{"a":${text}}}`,
      expected: TOO_LARGE,
    }),
  },
  keyJson: {
    name: 'JSON of the scopes of an API key',
    maxLength: 2_000_000,
    request: (text) => ({
      method: 'POST',
      path: '/v1/api-keys',
      body: `{"name":"Hostile","scopes":${text}}`,
      expected: TOO_LARGE,
    }),
  },
} satisfies Record<string, InputPoint>;

const get = (path: string, headers: Record<string, string> = {}): HttpRequest => ({
  method: 'GET',
  path,
  headers,
});
/** Replaces characters that are not allowed in a header with a tab. */
const headerValue = (text: string) => text.replaceAll(/[^\x20-\x7e]/g, '\t').trim() || 'x';

const pointsOfRequests = {
  cursor: {
    name: 'cursor of a list',
    maxLength: 4000,
    request: (text) => get(`/v1/templates?cursor=${encodeURIComponent(text)}`),
  },
  query: {
    name: 'query of a list, not encoded',
    maxLength: 10_000,
    request: (text) => get(`/v1/templates?${text.replaceAll(/[^\x21-\x7e]|#/g, '+')}`),
  },
  path: {
    name: 'id in a path',
    maxLength: 4000,
    request: (text) => ({ ...get(`/v1/generate/${encodeURIComponent(text)}`), expected: 404 }),
  },
  accept: {
    name: 'header Accept',
    maxLength: 12_000,
    request: (text, { body }) => ({
      ...generate(body, { format: 'html' }),
      headers: { accept: headerValue(text) },
    }),
  },
  authorization: {
    name: 'header Authorization',
    maxLength: 12_000,
    request: (text) => get('/v1/templates', { authorization: headerValue(text) }),
  },
  idempotencyKey: {
    name: 'header Idempotency-Key',
    maxLength: 12_000,
    request: (text, { body }) => ({
      ...generate(body, { format: 'html' }),
      headers: { 'idempotency-key': headerValue(text) },
    }),
  },
  contentType: {
    name: 'header Content-Type',
    maxLength: 12_000,
    request: (text, { body }) => ({
      ...generate(body, { format: 'html' }),
      headers: { 'content-type': `application/json; ${headerValue(text)}` },
    }),
  },
} satisfies Record<string, InputPoint>;

/** All input points by name. */
export const INPUT_POINTS = {
  ...pointsOfTemplates,
  ...pointsOfDocuments,
  ...pointsOfEmails,
  ...pointsOfJson,
  ...pointsOfRequests,
} satisfies Record<string, InputPoint>;

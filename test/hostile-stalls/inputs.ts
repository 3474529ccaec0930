import { INPUT_POINTS, type InputPoint, type PointName } from './input-points.ts';
import type { HostileInput } from './stall-watch.ts';

/** `before`, then as many repetitions of the fragment as fit, then `after`. */
const repeated = (fragment: string, { before = '', after = '', separator = '' } = {}) => {
  const unit = fragment + separator;
  return (length: number) => {
    const room = length - before.length - after.length - fragment.length;
    return before + unit.repeat(Math.max(0, Math.floor(room / unit.length))) + fragment + after;
  };
};

/** Opening delimiters, then the same number of closing ones. */
const nested = (opener: string, closer: string, { before = '', within = '', after = '' } = {}) => {
  const pair = opener.length + closer.length;
  return (length: number) => {
    const count = Math.max(1, Math.floor((length - before.length - within.length - after.length) / pair));
    return before + opener.repeat(count) + within + closer.repeat(count) + after;
  };
};

/** Numbered properties or items, all different. */
const numbered = (one: (number: number) => string, [open, close]: readonly [string, string]) => {
  return (length: number) => {
    const parts: string[] = [];
    for (let size = 2; ;) {
      const part = one(parts.length);
      size += part.length + 1;
      if (size > length) return open + parts.join(',') + close;
      parts.push(part);
    }
  };
};

type Row = readonly [name: string, point: PointName, text: (length: number) => string, length?: number];

const COMMENTS = repeated(`{{!-- a --}}${'y'.repeat(40)}`);
/** The first two patterns together exceed the maximum size. */
const FIELDS_WITH_PATTERNS = numbered(
  (number) => `{"name":"f${number}","type":"string","pattern":"${'([a-z]{1,30}){30}'.repeat(50)}${number}"}`,
  ['[', ']'],
);
const FIELDS_IN_A_FIELD = numbered(
  (number) => `"m${number}":{"type":"string","minLength":1}`,
  ['[{"name":"a","type":"object","properties":{', '}}]'],
);

const MEMBERS = numbered((number) => `"m${number}":1`, ['{', '}']);

/** Inputs that once blocked a main thread. Each of these failed before its fix. */
const ONCE_TOO_LONG: readonly Row[] = [
  ['Handlebars comments', 'templateHtml', COMMENTS, 200_000],
  ['Handlebars comments', 'patchedHtml', COMMENTS, 200_000],
  ['Handlebars comments', 'appliedTemplate', COMMENTS, 200_000],
  ['Handlebars comments', 'emailText', COMMENTS],
  ['unterminated Handlebars comments', 'pngHead', repeated('{{!'), 120_000],
  ['html comments', 'htmlBeforeDoctype', repeated('<!--a-->'), 160_000],
  ['elements that close other elements', 'pdfHeader', nested('<b>', '</i>'), 280_000],
  ['letters', 'matched', repeated('a'), 12_000],
  ['letters', 'batchMatched', repeated('a'), 12_000],
  ['patterns', 'templateJson', FIELDS_WITH_PATTERNS, 6000],
  ['nested elements', 'pdfHeader', nested('<b>', '</b>')],
  ['letters beyond the limit', 'pdfCounting', repeated('é '), 1_048_000],
  ['40,000 nodes', 'docxUnescaped', repeated('<p>a'), 80_000],
  ['empty objects', 'filledJson', repeated('{}', { before: '[', separator: ',', after: ']' })],
  ['empty arrays', 'batchJson', repeated('[]', { before: '[', separator: ',', after: ']' })],
  ['members', 'documentJson', MEMBERS],
  ['members', 'batchJson', MEMBERS],
  ['control characters', 'pdfRepeated', repeated('\u0001'), 300_000],
  ['control characters', 'pngRepeated', repeated('\u0001'), 300_000],
  ['quotes and backslashes', 'pdfRepeated', repeated('"\\')],
  ['surrogate pairs', 'htmlRepeated', repeated('\u{1f600}'), 240_000],
  ['quotes', 'docxAttribute', repeated('"')],
  ['Handlebars expressions', 'templateHtml', repeated('{{a}}'), 100_000],
  ['Handlebars paths', 'templateHtml', repeated('a.', { before: '{{', after: 'a}}' }), 100_000],
];

/** Opening and closing delimiters of scanned constructs. */
const CONSTRUCTS: readonly Row[] = [
  ['Handlebars comments', 'headerContent', COMMENTS],
  ['Handlebars comments', 'footerOption', COMMENTS],
  ['fields', 'templateJson', FIELDS_IN_A_FIELD, 40_000],
  ['unterminated Handlebars comments', 'pngAttribute', repeated('{{!'), 120_000],
  ['Handlebars blocks', 'templateHtml', repeated('{{#if a}}')],
  ['nested Handlebars blocks', 'templateHtml', nested('{{#if a}}', '{{/if}}')],
  ['raw blocks', 'templateHtml', repeated('{{{{a}}}}')],
  ['opening braces', 'templateHtml', repeated('{')],
  ['closing braces', 'templateHtml', repeated('}}')],
  ['escaped braces', 'templateHtml', repeated('\\{{')],
  ['quotes in an expression', 'templateHtml', repeated('"', { before: '{{a ' })],
  ['parentheses in an expression', 'templateHtml', repeated('(', { before: '{{a ' })],
  ['lines', 'templateHtml', repeated('\n', { after: '{{' })],
  ['css comments', 'templateCss', repeated('/**/')],
  ['unterminated CSS comments', 'templateCss', repeated('/*')],
  ['css brackets', 'compiledCss', repeated('[(')],
  ['css blocks', 'compiledCss', repeated('a{')],
  ['css urls', 'compiledCss', repeated('url("')],
  ['css rules', 'compiledCss', repeated('a{b:c}'), 100_000],
  ['tags', 'compiledHtml', repeated('<p>')],
  ['unterminated HTML comments', 'compiledHtml', repeated('<!--')],
  ['entities', 'compiledText', repeated('&#x1')],
  ['CDATA', 'htmlBeforeDoctype', repeated('<![CDATA[')],
  ['unterminated HTML comments', 'htmlBeforeDoctype', repeated('<!--')],
  ['white space', 'htmlBeforeDoctype', repeated(' ')],
  ['unterminated doctypes', 'htmlBeforeDoctype', repeated('<!doctype')],
  ['unclosed meta tags', 'htmlUnescaped', repeated('<meta http-equiv="refresh"')],
  ['meta tags', 'htmlUnescaped', repeated('<meta name="a" content="b">')],
  ['unclosed titles', 'htmlUnescaped', repeated('<title ')],
  ['attributes', 'htmlUnescaped', repeated(' a="b"', { before: '<meta' })],
  ['quotes', 'htmlAttribute', repeated('"')],
  ['ampersands', 'htmlHead', repeated('&')],
  ['unclosed styles', 'pngUnescaped', repeated('<style x"')],
  ['unclosed tags', 'pdfUnescaped', repeated('<a b="')],
  ['meta and link tags', 'pdfUnescaped', repeated('<meta><link>')],
  ['links', 'pdfUnescaped', repeated('<a href="https://example.com/">a</a> ')],
  ['nested tables', 'docxUnescaped', nested('<table><tr><td>', '</table>'), 4000],
  ['at signs', 'email', repeated('a@')],
  ['urls', 'url', repeated('http://')],
];

/** Documents that are long after merging or in the browser. */
const LONG_DOCUMENTS: readonly Row[] = [
  ['pages with headings', 'testPdf', repeated('<h1 style="break-after:page">a</h1>'), 40_000],
  ['letters', 'pdfCounting', repeated('é ')],
  ['lines', 'testPng', repeated('<br>'), 16_000],
  ['letters', 'pdfRepeated', repeated('a')],
  ['base64', 'pdfRepeated', repeated('QUJD')],
  ['surrogate pairs', 'pdfRepeated', repeated('\u{1f600}'), 120_000],
  ['lone surrogates', 'pdfRepeated', repeated('\ud800a'), 120_000],
  ['letters', 'htmlRepeated', repeated('h')],
  ['paragraphs', 'docxUnescaped', repeated('<p>a'), 20_000],
];

/** Large bodies, and strings that a JSON parser must read before it can reject them. */
const JSON_BODIES: readonly Row[] = [
  ['members of less than 1 MiB', 'documentJson', MEMBERS, 1_000_000],
  [
    'empty objects of less than 1 MiB',
    'documentJson',
    repeated('{}', { before: '[', separator: ',', after: ']' }),
    1_000_000,
  ],
  ['empty objects', 'documentJson', repeated('{}', { before: '[', separator: ',', after: ']' })],
  ['numbers', 'documentJson', repeated('1', { before: '[', separator: ',', after: ']' })],
  ['escaped quotes', 'documentJson', repeated('\\"', { before: '"', after: '"' })],
  ['unterminated backslashes', 'documentJson', repeated('\\', { before: '"' })],
  ['characters as numbers', 'emailJson', repeated('\\u0041', { before: '"', after: '"' })],
  ['nested arrays', 'documentJson', nested('[', ']')],
  ['nested objects', 'emailJson', nested('{"a":', '}', { within: '1' })],
  ['scopes', 'keyJson', repeated('"a"', { before: '[', separator: ',', after: ']' })],
  ['objects as fields', 'templateJson', repeated('{}', { before: '[', separator: ',', after: ']' })],
  ['a long text', 'appliedJob', repeated('a "text" ')],
  ['members', 'appliedJson', MEMBERS, 1_000_000],
];

const REQUESTS: readonly Row[] = [
  ['media types', 'accept', repeated('application/pdf;q=0.1,')],
  ['spaces', 'authorization', repeated(' ', { before: 'Bearer', after: 'a' })],
  ['printable characters', 'idempotencyKey', repeated('a b')],
  ['parameters', 'contentType', repeated('a="b";')],
  ['members', 'query', repeated('limit=1&')],
  ['percent signs', 'path', repeated('%')],
  ['base64', 'cursor', repeated('ab-_')],
  ['dots', 'filename', repeated('. ')],
  ['slashes and at signs', 'webhookUrl', repeated('/@')],
  ['letters with marks', 'attachmentName', repeated('e\u0301')],
  ['parentheses', 'attachmentDescription', repeated('(')],
  ['ends of objects', 'attachment', repeated('endstream endobj ')],
  ['base64', 'attachmentBase64', repeated('QUJD')],
  ['other characters', 'attachmentBase64', repeated('*')],
  ['elements', 'eInvoiceXml', repeated('<b/>', { before: '<a>', after: '</a>' })],
  ['open elements', 'eInvoiceXml', repeated('<a>')],
  ['attributes', 'eInvoiceXml', repeated(' b="1"', { before: '<a', after: '/>' })],
  ['entities', 'eInvoiceXml', repeated('<!ENTITY a "&b;&b;">', { before: '<!DOCTYPE a [', after: ']><a/>' })],
  ['ends of files', 'batchAttachments', repeated('startxref 5 %%EOF ')],
];

/** Resolves the input point of each row. */
function inputsOf(rows: readonly Row[]): HostileInput[] {
  return rows.map(([name, pointName, text, length]) => {
    const point: InputPoint = INPUT_POINTS[pointName];
    return { name: `${pointName}: ${name}`, point, text, length: length ?? point.maxLength };
  });
}

export const HOSTILE_INPUTS = {
  'what once held it': inputsOf(ONCE_TOO_LONG),
  'constructs that are scanned': inputsOf(CONSTRUCTS),
  'long documents': inputsOf(LONG_DOCUMENTS),
  'JSON bodies': inputsOf(JSON_BODIES),
  'paths and headers': inputsOf(REQUESTS),
} satisfies Record<string, readonly HostileInput[]>;

import { describe, expect, it, vi } from 'vitest';
import { TemplateMerger, type MergeExtras, type MergeReply } from './template-merger.ts';

const HUGE = 2 ** 30;
let revision = 0;

const merge = (html: string, data: unknown = {}, css?: string, extras?: MergeExtras): MergeReply => {
  revision += 1;
  return new TemplateMerger().merge({
    revisionKey: `revisions/a/${revision}`,
    source: css === undefined ? { html } : { html, css },
    extras,
    data: Buffer.from(JSON.stringify(data)),
    maxBytes: HUGE,
  });
};
const bodyOf = (html: string, data: unknown = {}) => {
  const reply = merge(`<body>${html}</body>`, data);
  if (reply.status !== 'merged') throw new Error(JSON.stringify(reply));
  return /<body>([^]*)<\/body>/.exec(reply.html)?.[1];
};

describe('TemplateMerger', () => {
  it('finds what a document does not show, even on a busy machine', () => {
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
    const reply = merge('<p>a</p><video></video>');
    clock.mockRestore();
    expect(reply).toMatchObject({ warnings: [{ code: 'element_unsupported', name: 'video' }] });
  });

  it('binds data, nested and repeated', () => {
    const html = '{{seller.name}}: {{#each lines}}{{@index}}={{total}} {{../currency}};{{else}}none{{/each}}';
    const data = { seller: { name: 'Köln' }, currency: '€', lines: [{ total: 1 }, { total: 2.5 }] };
    expect(bodyOf(html, data)).toBe('Köln: 0=1 €;1=2.5 €;');
    expect(bodyOf(html, {})).toBe(': none');
  });

  it('prints lists in order and object fields by name, as an API server returns them', () => {
    const html = '{{#each a}}{{@key}}{{#if @first}}:{{/if}}{{this.b}}{{#unless @last}},{{/unless}}{{/each}}';
    expect(bodyOf(html, { a: [{ b: 10 }, { b: 9 }, { b: 'a' }] })).toBe('0:10,19,2a');
    const [sent, sorted] = [
      '{"b":{},"2026":{"b":1},"a":{"b":2},"10":{},"9":{}}',
      '{"9":{},"10":{},"2026":{"b":1},"a":{"b":2},"b":{}}',
    ];
    for (const data of [sent, sorted]) {
      expect(bodyOf(html, { a: JSON.parse(data) as unknown })).toBe('9:,10,20261,a2,b');
    }
  });

  it.each([
    ['<html lang="he" dir="rtl"><style>p{}</style>', ' lang="he" dir="rtl"'],
    ['<!doctype html><HTML LANG=de><body dir=RTL lang="x y">', ' lang="de" dir="rtl"'],
  ])('returns the language and direction for headers: %s', (html, rootAttributes) => {
    expect(merge(html, {}, undefined, { header: 'x' })).toEqual(expect.objectContaining({ rootAttributes }));
  });

  it('escapes values for HTML, unless the template disables it', () => {
    const data = { x: `<script>alert("1")</script>&'` };
    expect(bodyOf('{{x}}', data)).toBe('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#x27;');
    expect(bodyOf('{{{x}}}', data)).toBe(data.x);
  });

  it('does not bind braces in the data or in the CSS', () => {
    expect(bodyOf('{{x}}', { x: '{{secret}}', secret: 's' })).toBe('{{secret}}');
    expect(merge('<head></head>', { x: 'bound' }, 'a { content: "{{x}}" }')).toMatchObject({
      html: '<head><style>a { content: "{{x}}" }</style></head>',
    });
  });

  it('inserts the document rules before the CSS, and the page rules if the template has any', () => {
    const extras = { rules: 'a{}', pageRules: '@page{margin:1in}' };
    expect(merge('<head></head>', {}, 'b{}', extras)).toMatchObject({
      html: '<head><style>a{}</style><style>b{}</style></head>',
    });
    expect(merge('<head></head>', {}, '@page{}', extras)).toMatchObject({
      html: '<head><style>a{}</style><style>@page{}@page{margin:1in}</style></head>',
    });
  });

  it("inserts the CSS even when the data omits the template's head", () => {
    const html = '{{#if x}}<head></head>{{/if}}<body>y';
    expect(merge(html, {}, 'b{}')).toMatchObject({ html: '<style>b{}</style><body>y' });
    expect(merge(html, { x: 1 }, 'b{}')).toMatchObject({ html: '<head><style>b{}</style></head><body>y' });
  });

  it('produces the preamble of a self-contained file', () => {
    const extras = { selfContained: { title: 'T' } };
    const reply = merge('<!doctype html>{{x}}', { x: 1 }, undefined, extras);
    const preamble = /^<!doctype html>\n<meta[^]*<title>T/;
    expect(reply).toMatchObject({ html: '<!doctype html>1', preamble });
    expect(merge('x')).not.toHaveProperty('preamble');
  });

  it("uses each request's locale and time zone with one compiled template", () => {
    const merger = new TemplateMerger();
    const call = '{{formatNumber n}} {{formatDate t "short" time="short" locale="en-GB"}}';
    const data = Buffer.from('{"n":1234.5,"t":"2026-11-21T23:30:00Z"}');
    const request = { revisionKey: 'revisions/a/locale', maxBytes: HUGE, data };
    const decoration = { header: call, footer: call };
    const reply = (extras: MergeExtras, source?: { html: string }) =>
      merger.merge({ ...request, ...(source && { source }), extras: { ...decoration, ...extras } });
    const all = (text: string) => ({
      status: 'merged',
      html: expect.stringContaining(`<body>${text}</body>`) as string,
      header: text,
      footer: text,
    });
    expect(reply({}, { html: call })).toEqual(all('1,234.5 21/11/2026, 23:30'));
    expect(reply({ locale: 'de-DE', timeZone: 'Europe/Berlin' })).toEqual(all('1.234,5 22/11/2026, 00:30'));
    expect(reply({ locale: 'fr' })).toEqual(all('1\u202f234,5 21/11/2026, 23:30'));
    expect(reply({})).toEqual(all('1,234.5 21/11/2026, 23:30'));
  });

  it('closes open elements in a header and a footer', () => {
    const extras = { header: '<b>{{x}}', footer: '<!-- {{x}}' };
    const merged = merge('y', { x: 1 }, undefined, extras);
    expect(merged).toMatchObject({ header: '<b>1</b>', footer: '<!-- 1-->' });
    const deep = { header: '{{{x}}}' };
    expect(merge('y', { x: '<i>'.repeat(101) }, undefined, deep)).toEqual({
      status: 'failed',
      code: 'merge_failed',
      message: 'the header: its elements are nested deeper than 100 levels',
      place: { part: 'header' },
    });
  });

  it.each([
    ['{{#each a}}{{page}}{{pages}}{{/each}}', 501, 'merge_failed', 'it has more than 1000 page numbers'],
    [
      `{{#each a}}${'x'.repeat(10_000)}{{/each}}`,
      105,
      'merge_too_large',
      'it is longer than the limit of 1048576 characters',
    ],
  ])('limits the content that repeats on every page: %.40s', (footer, count, code, message) => {
    const data = (length: number) => ({ a: Array.from({ length }, () => 0) });
    expect(merge('y', data(count - 1), undefined, { footer })).toMatchObject({ status: 'merged' });
    const failed = { status: 'failed', code, message: `the footer: ${message}`, place: { part: 'footer' } };
    expect(merge('y', data(count), undefined, { footer })).toEqual(failed);
  });

  it('merges and limits page-specific headers like the common header', () => {
    const extras = { 'header.first': '<b>{{x}}', 'footer.even': '' };
    expect(merge('y', { x: 1 }, undefined, extras)).toEqual({
      status: 'merged',
      html: expect.any(String) as string,
      'header.first': '<b>1</b>',
      'footer.even': '',
    });
    expect(merge('y', { x: '<i>'.repeat(101) }, undefined, { 'footer.last': '{{{x}}}' })).toMatchObject({
      message: 'the footer.last: its elements are nested deeper than 100 levels',
    });
    expect(merge('y', { x: 'x'.repeat(2 ** 20 + 1) }, undefined, { 'header.odd': '{{{x}}}' })).toMatchObject({
      code: 'merge_too_large',
      message: expect.stringMatching(/^the header\.odd: /) as string,
    });
  });

  it('merges document properties as plain text', () => {
    const subject = '{{#if no}}x{{/if}}';
    const properties = { title: '{{a}} &\n{{lowercase "B"}}', subject, keywords: ['', '{{a}}'] };
    expect(merge('y', { a: '<i>' }, undefined, { properties })).toMatchObject({
      properties: { title: '<i> & b', keywords: ['<i>'] },
    });
    expect(merge('y', { a: 1 })).not.toHaveProperty('properties');
  });

  it.each([
    [{ author: '{{a}}' }, 'merge_too_large', 'author: it is longer than the limit of 2000 characters'],
    [{ keywords: ['{{a}}'] }, 'merge_too_large', 'keywords: it is longer than the limit of 2000 characters'],
    [{ title: '{{/if}}' }, 'template_invalid', expect.stringMatching(/^title: .*line 1/)],
  ])('names the document property that cannot be merged: %j', (properties, code, message) => {
    const reply = merge('y', { a: 'x'.repeat(2001) }, undefined, { properties });
    const failed = { status: 'failed', code };
    expect(reply).toMatchObject(failed);
    const found = reply.status === 'failed' ? reply.message : '';
    expect(found.replace('the document property ', '')).toEqual(message);
  });

  it('logs no data', () => {
    const spies = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(() => undefined),
    );
    merge('{{log secret}}', { secret: 's' });
    merge('{{log}}', { log: 'a field of the data' });
    bodyOf('{{constructor.name}}');
    for (const spy of spies) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
    expect(bodyOf('{{log}}', { log: 'field' })).toBe('field');
  });

  it('requests an unknown revision once and keeps it', () => {
    const merger = new TemplateMerger();
    const request = { revisionKey: 'kept', data: Buffer.from('{"x": 1}'), maxBytes: HUGE };
    expect(merger.merge(request)).toEqual({ status: 'source_needed' });
    merger.merge({ ...request, source: { html: '<body>{{x}}' } });
    expect(merger.merge(request)).toEqual({ status: 'merged', html: '<body>1' });
  });

  it.each([
    ['pages', (html: string) => ({ source: { html } })],
    ['headers', (header: string) => ({ source: { html: 'x' }, extras: { header } })],
    ['properties', (title: string) => ({ source: { html: 'x' }, extras: { properties: { title } } })],
  ])('drops what it has not used for the longest time when compiled %s could take 128 MiB', (_, using) => {
    const merger = new TemplateMerger();
    const request = { revisionKey: 'kept', data: Buffer.from('{}'), maxBytes: HUGE };
    merger.merge({ ...request, source: { html: '<body>' } });
    for (const name of ['a', 'b'])
      merger.merge({ ...request, revisionKey: name, ...using(`{{! ${name.repeat(150_000)}}}`) });
    expect(merger.merge(request)).toEqual({ status: 'source_needed' });
  });
});

describe('a merge that fails', () => {
  it('reports where the template does not compile', () => {
    expect(merge('one\n{{#if x}}two')).toEqual({
      status: 'failed',
      code: 'template_invalid',
      message: expect.stringMatching(/line 2, column 1: {{#if}} is not closed/) as string,
    });
  });

  it('reports endless recursion in a template', () => {
    const html = '{{#*inline "a"}}{{> a}}{{/inline}}{{> a}}';
    const message = /nested too deeply/;
    expect(merge(html)).toMatchObject({ status: 'failed', code: 'merge_failed', message });
  });

  it('omits the data from its message', () => {
    const reply = merge('{{> (lookup . "name")}}', { name: 'a secret of the customer' });
    expect(reply).toMatchObject({ status: 'failed', code: 'merge_failed' });
    expect(JSON.stringify(reply)).not.toContain('secret');
  });

  it.each(['nonsense with a secret', '[1]', '"text"', 'null', ''])(
    'rejects data that is not an object: %j',
    (text) => {
      const request = { revisionKey: 'd', source: { html: 'x' }, maxBytes: HUGE };
      const reply = new TemplateMerger().merge({ ...request, data: Buffer.from(text) });
      expect(reply).toMatchObject({ status: 'failed', code: 'data_invalid' });
      expect(JSON.stringify(reply)).not.toContain('secret');
    },
  );
});

describe('Bindings without a value in the data', () => {
  const missingIn = (html: string, data: unknown = {}, extras?: MergeExtras) => {
    const reply = merge(html, data, undefined, extras);
    if (reply.status !== 'merged') throw new Error(JSON.stringify(reply));
    return reply.warnings?.map(({ name }) => name) ?? [];
  };

  it.each([
    ['a binding', '{{name}}', ['name']],
    ['an unescaped binding', '{{{name}}}{{&html}}', ['name', 'html']],
    ['a path', '{{customer.name}} {{customer.address.city}}', ['customer.name', 'customer.address.city']],
    ['a path from the root', '{{#each lines}}{{@root.currency}}{{/each}}', ['@root.currency']],
    ['a member of a list', '{{#each lines}}{{note}}{{../currency}}{{/each}}', ['note', '../currency']],
    ['a named member of a list', '{{#each lines as |line|}}{{line.note}}{{/each}}', ['line.note']],
    ['a list', '{{#each rows}}{{x}}{{/each}}', ['rows']],
    ['a part', '{{#with buyer}}{{name}}{{/with}}', ['buyer']],
    ['a value of a helper', '{{formatDate due}} {{uppercase (join tags)}}', ['due', 'tags']],
    ['a list of a helper', '{{#each (join tags)}}{{/each}}', ['tags']],
    ['a name of a helper', '{{sum}} {{default}}', ['sum', 'default']],
    ['a page number in the body', '{{page}}', ['page']],
    ['a binding of a prototype', '{{constructor}} {{lines.map}}', ['constructor', 'lines.map']],
    ['a binding in an inline partial', '{{#*inline "row"}}{{note}}{{/inline}}{{> row}}', ['note']],
    ['a binding used twice', '{{name}} {{name}}', ['name']],
  ])('are reported: %s', (_, html, expected) => {
    const data = { lines: [{ text: 'a' }, { text: 'b' }], customer: { address: {} } };
    expect(missingIn(html, data)).toEqual(expected);
  });

  it.each([
    ['a condition', '{{#if a}}{{a}}{{else}}none{{/if}}{{#unless a}}none{{/unless}}'],
    ['a comparison', '{{#eq a.b "x"}}x{{/eq}}{{#if (and a (not b))}}x{{/if}}'],
    ['a helper in a condition', '{{#if (eq (uppercase a) "X")}}x{{/if}}'],
    ['a default', '{{default a "none"}} {{uppercase (default a.b "none")}}'],
    ['a list with an else', '{{#each a}}{{x}}{{else}}none{{/each}}{{#with a}}{{x}}{{else}}none{{/with}}'],
    ['a section', '{{#a}}{{x}}{{/a}}{{^a}}none{{/a}}'],
    ['a lookup', '{{lookup map key}}'],
    ['a named argument', '{{uppercase text locale=locale}}'],
    ['the context of a partial', '{{#*inline "row"}}x{{/inline}}{{> row a}}'],
    ['a branch that the data leaves out', '{{#if a}}{{b}}{{/if}}{{#each empty}}{{b}}{{/each}}'],
    ['a value that is null, empty, false or 0', '{{none}}{{text2}}{{no}}{{zero}}{{none.x}}'],
    [
      'a variable, literals',
      '{{#each list}}{{@index}}{{@key}}{{this}}{{.}}{{/each}}{{"text"}}{{list.length}}',
    ],
  ])('are not reported: %s', (_, html) => {
    const data = { text: 'a', none: null, text2: '', no: false, zero: 0, list: [1], empty: [], map: {} };
    expect(missingIn(html, data)).toEqual([]);
  });

  it.each<[string, string[], MergeExtras?]>([
    ['{{#each years}}{{@key}}{{else}}none{{/each}}', ['object_order years 1 9']],
    [
      '{{#each years}}{{#each ../years}}{{/each}}{{/each}}',
      ['object_order years 1 9', 'object_order ../years 1 24'],
    ],
    ['{{#each list}}{{/each}}{{#each names}}{{/each}}{{#each one}}{{/each}}', []],
    ['{{formatDate t timeZone="Europe/Berlin"}}', ['date_without_offset t 1 14']],
    ['{{uppercase (formatDate t "short" timeZone=zone)}}', ['date_without_offset t 1 25']],
    ['\n{{formatDate t}}', ['date_without_offset t 2 14'], { timeZone: 'Europe/Berlin' }],
    ['{{formatDate z}}{{formatDate d}}{{formatDate 0}}', [], { timeZone: 'Europe/Berlin' }],
    ['{{formatDate t}}{{formatDate t timeZone=none}}', []],
    ['{{formatDate t timeZone="UTC"}}', [], { timeZone: 'Europe/Berlin' }],
  ])('are not the only reported problems: %j', (source, expected, extras = {}) => {
    const data = {
      years: { total: 1, '2026': 2 },
      list: [1, 2],
      names: { b: 1, a: 2 },
      one: { '1': 1 },
      t: '2026-11-21T09:30',
      z: '2026-11-21T09:30Z',
      d: '2026-11-21',
      zone: 'Asia/Tokyo',
      none: null,
    };
    const told = (hasAuthor: boolean) => {
      const request = { revisionKey: 'r', source: { html: source }, extras, hasAuthor, maxBytes: HUGE };
      const reply = new TemplateMerger().merge({ ...request, data: Buffer.from(JSON.stringify(data)) });
      if (reply.status !== 'merged') throw new Error(JSON.stringify(reply));
      return reply.warnings?.map(({ code, name, line, column }) => `${code} ${name} ${line} ${column}`) ?? [];
    };
    expect(told(true)).toEqual(expected);
    expect(told(false)).toEqual([]);
  });

  it('are reported with their part and the position of their first use', () => {
    const extras = { footer: '\n{{pages}} {{b.c}}', properties: { title: '{{d}}' } };
    const reply = merge('<head></head><p>{{a}}\n{{b.c}}</p>\n{{a}}', {}, 'p{}', extras);
    const place = (name: string, part: string, line?: number, column?: number) => ({
      code: 'binding_missing',
      message: `The data has no value for ${name}.`,
      name,
      part,
      ...(line !== undefined && { line, column }),
    });
    expect(reply.status === 'merged' && reply.warnings).toEqual([
      place('a', 'html', 1, 17),
      place('b.c', 'html', 2, 1),
      place('b.c', 'footer', 2, 11),
      place('d', 'properties'),
    ]);
  });

  it('include those in headers and footers, except page numbers', () => {
    const extras = { header: '{{page}} of {{pages}} {{a}}', footer: '{{b}}' };
    expect(missingIn('{{c}}', {}, extras)).toEqual(['c', 'a', 'b']);
    const byPage = { ...extras, 'header.first': '{{d}}', 'footer.odd': '{{e}}{{pages}}' };
    expect(missingIn('{{c}}', {}, byPage)).toEqual(['c', 'a', 'd', 'b', 'e']);
  });

  it('of a failed document are reported for it, and not for the next one', () => {
    const merger = new TemplateMerger();
    const request = { data: Buffer.from('{}'), maxBytes: HUGE };
    const failing = { html: '{{a}}{{formatNumber b decimals="x"}}{{round "x"}}' };
    const extras = { header: '{{c}}', footer: '{{d}}{{round "x"}}' };
    for (const [source, given, names] of [
      [failing, {}, ['a', 'b']],
      [{ html: '{{a}}' }, { extras }, ['a', 'c', 'd']],
    ] as const) {
      const reply = merger.merge({ ...request, ...given, revisionKey: source.html, source });
      const warnings = names.map((name) => expect.objectContaining({ name }));
      expect(reply).toMatchObject({ status: 'failed', warnings });
    }
    const next = merger.merge({ ...request, revisionKey: '2', source: { html: 'x' } });
    expect(next).toMatchObject({ status: 'merged' });
    expect(next).not.toHaveProperty('warnings');
  });
});

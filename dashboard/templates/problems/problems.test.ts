import { readdir, readFile } from 'node:fs/promises';
import { Text } from '@codemirror/state';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { formatJson } from '../json-text.ts';
import type { EditedTexts } from './fixed-text.ts';
import { fixesOf } from './fixes.ts';
import { grouped, problemsOf, rangeIn, type Problem } from './problem.ts';
import { findPropertyProblems, stylesIn } from './property-problems.ts';
import { findTagProblems } from './tag-problems.ts';

const EXAMPLES = new URL('../../../examples/', import.meta.url);

it.each([
  ['<div><b>a <i>b</b> c</i></div>', ['<i>']],
  ['<p><div><h4>a<h4></div></p>', ['<h4>', '<h4>', '</p>']],
  ['<p>a</p>{{#each b}}<p>c</p>{{/each}}{{#if d}}e{{/if}}</p>', ['</p>']],
  ['{{#if a}}<ul></ul></p>{{/if}}<p><table><td><p>b</p></table></p>', ['</p>']],
  ['<section>\n<p>a<p>b', ['<section>']],
  ['<ul><li>a</ul></div>', ['</div>']],
  ['{{#if a}}<b><i>x</b></i>{{/if}}', ['<i>']],
  [
    '<ul>{{#each a}}<li>b</li>{{/each}}</li><li>c</ul></br><table><td>d</td></td></tbody></table>',
    ['</li>', '</br>', '</td>'],
  ],
])('finds crossed and unclosed tags in %s', (html, found) => {
  expect(findTagProblems(html).map(({ from, to }) => html.slice(from, to))).toEqual(found);
});

it.each([
  '<table><tr><td>a<td>b</table><img src="a"><br>',
  '<p>{{#if a}}b</p><p>{{/if}}c</p><p>d<p>e<b><p>f</b></p>',
  '{{#if a}}<div class="a">{{else if b}}<div>{{else}}<div>{{/if}}<b>x</b></div>',
  '{{#each rows}}{{#if @first}}<table>{{/if}}<tr>{{#if @last}}</table>{{/if}}{{/each}}',
  '<div {{#if a}}class="{{b "</div>"}}"{{/if}}>{{!-- </b> --}}{{{raw}}}<!-- </i> --></div>',
  '<{{tag}}>x</{{tag}}><script>"</div>"</script>',
  '{{^a}}<i>{{^}}<i>{{/a}}</i>',
  '<ul><li>{{#if a}}b</li><li>{{/if}}c</li></ul>',
])('finds no tags in %s', (html) => {
  expect(findTagProblems(html)).toEqual([]);
});

it('finds misspelled properties and invalid values, but nothing that may belong to a script or an at-rule', () => {
  const css = `@media print { p { colr: red; margin-botom: 0; widht: 1px } } @font-face { font: a; srcs: url(a) }
    td { mso-line-height-rule: exactly; -ms-grid-columns: 1fr; --colr: 1; behavior: none; mrgni: 0 }
    p { margin: bad; color: bad !important; width: bad bad
      bad } @page { margin: bad } @font-face { src: bad } @keyframes a { from { margin: bad } }
    p { margin: {{bad}}; color: #{{bad}}; width: bad {{#if a}}bad{{/if}}; margin-{{a}}: bad; margin: -webkit-bad;
      --margin: bad; margin: fine; {{#if a}} color: fine; {{/if}} }`;
  const properties = new Set(['color', 'margin', 'margin-bottom', 'right', 'width', 'src']);
  const supports = (_name: string, value: string) => !value.includes('bad');
  const html = `<title>colr</title><style media="print">${css}</style>`;
  for (const [text, sheet] of [
    [css, css],
    [html, stylesIn(html)],
  ] as const) {
    const found = findPropertyProblems(sheet, { properties, supports });
    expect(found.map(({ name, suggestion, from, to }) => [name, suggestion ?? text.slice(from, to)])).toEqual(
      [
        ['colr', 'color'],
        ['margin-botom', 'margin-bottom'],
        ['widht', 'width'],
        ['margin', 'bad'],
        ['color', 'bad'],
        ['width', 'bad bad\n      bad'],
      ],
    );
  }
});

it('finds them in style attributes', () => {
  const html = `<p style="colr: {{a "}"}}; margin: bad">a</p> style="colr: &quot;" <b style='width: {{b}}'>`;
  const support = { properties: new Set(['color', 'margin', 'width']), supports: () => false };
  const found = findPropertyProblems(stylesIn(html), support);
  expect(found.map(({ from, to }) => html.slice(from, to))).toEqual(['colr', 'bad']);
});

it('finds nothing in the examples', async () => {
  const files = (await readdir(EXAMPLES)).filter((file) => file.endsWith('.yaml'));
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    const { spec } = parse(await readFile(new URL(file, EXAMPLES), 'utf8')) as { spec: { html?: string } };
    expect(findTagProblems(spec.html ?? ''), file).toEqual([]);
  }
});

it('places the problems of an e-invoice on their lines in the mapping, however it is formatted', () => {
  const mapping = '{"BG-4": {\n"BT-27 seller name": ""\n},\n"BG-25 invoice line": [{\n"BT-131": "x"}]}';
  const nothing = { name: null, rule: null, term: null, line: null, column: null, path: null, part: null };
  const mistake = {
    ...nothing,
    code: 'template_does_not_compile',
    part: 'e_invoice',
    line: 9,
    column: 1,
  } as const;
  const rule = { ...nothing, code: 'invoice_invalid', rule: 'BR-24', message: 'wrong' };
  const found = problemsOf({
    errors: [
      { ...mistake, path: '/e_invoice/mapping/BG-4/BT-27 seller name', message: 'the string is empty' },
      { ...rule, term: 'BT-131 invoice line net amount', name: 'lines[0].net', part: 'data' },
      { ...rule, term: 'BT-40 seller country code', message: 'missing' },
    ],
    warnings: [
      { code: 'invoice_differs', name: 'BT-131 line net amount', message: 'wrong', part: 'e_invoice' },
    ],
  });
  const doc = Text.of(mapping.split('\n'));
  const lines = found.map(({ places: [place] }) => doc.lineAt(rangeIn(doc, place).from).number);
  expect(lines).toEqual([2, 5, 1, 5]);
  expect(found.map(({ name, remedy }) => [name, remedy])).toEqual([
    ['BT-27 seller name', ''],
    ['BR-24', 'In the data: lines[0].net.'],
    ['BR-24', ''],
    ['BT-131 line net amount', undefined],
  ]);
});

it.each([
  ['template_does_not_compile', 10, '/html', 'wrong', 'Fix the template at line 10, column 5.'],
  ['invalid_request', null, '/default_options/margins/left', 'margins.left wrong.', ''],
  ['merge_failed', 10, '/html', 'wrong', undefined],
] as const)('says what is wrong and what to do about %s', (code, line, path, message, remedy) => {
  const error = { code, line, column: line && 5, path, message: 'wrong' } as const;
  const nothing = { name: null, rule: null, term: null, part: 'html' } as const;
  const timings = { check_ms: 1, merge_ms: 0, print_ms: 0 };
  const preview = { file: null, email: null, warnings: [], timings };
  const [found] = problemsOf({ ...preview, errors: [{ ...nothing, ...error }] });
  expect([found?.message, found?.remedy]).toEqual([message, remedy]);
});

const EMAIL = { enabled: true, subject: '', preheader: '', text: '' };
const NO_TEXTS: EditedTexts = { html: '', css: '', schema: '', options: '', email: EMAIL, data: '' };

const problem = (given: Partial<Problem>): Problem => ({
  severity: 'error',
  part: 'html',
  path: '/html',
  message: 'must be a number',
  places: [{ pointer: '' }],
  ...given,
});

it.each([
  ['  <p title="a">text</p>', '<p title="a">'],
  ['{{{a}}} text', '{{{a}}}'],
  ['{{#if a}}text', '{{#if a}}'],
  ['{{#if a', '{{#if'],
  ['text{{a}} more', 'text'],
])('marks only the first part of the line %s', (line, marked) => {
  const { from, to } = rangeIn(Text.of([line]), { line: 1, column: 1 });
  expect(line.slice(from, to)).toBe(marked);
});

it('merges the problems in list items into one', () => {
  const at = (index: number) =>
    problem({ name: `lines[${index}].price`, places: [{ pointer: `/lines/${index}/price` }] });
  expect(grouped([at(0), problem({ name: 'total' }), at(1), at(7)])).toMatchObject([
    { name: 'lines[*].price', places: [{}, {}, { pointer: '/lines/7/price' }] },
    { name: 'total', places: [{}] },
  ]);
});

it.each<[string, Partial<Problem>, Partial<EditedTexts>, Partial<EditedTexts>]>([
  [
    'a misspelt helper and the end of its block',
    { code: 'template_does_not_compile', name: 'equ', places: [{ line: 1, column: 4 }] },
    { html: '<p>{{#equ a 1}}{{/equ}}' },
    { html: '<p>{{#eq a 1}}{{/eq}}' },
  ],
  [
    'a misspelt property',
    { path: '/css', name: 'colr', suggestion: 'color', places: [{ range: { from: 4, to: 8 } }] },
    { css: 'p { colr: red }' },
    { css: 'p { color: red }' },
  ],
  [
    'a block that the end of another one leaves open',
    { code: 'template_does_not_compile', name: 'each', places: [{ line: 2, column: 1 }] },
    { html: '{{#if b}}\n{{#each a}}x{{/if}}' },
    { html: '{{#if b}}\n{{#each a}}x{{/each}}{{/if}}' },
  ],
  ...[
    ['<body><p>{{#if a}}Paid {{b}}', '</p>\n<table></table></body>'],
    ['<body>\n{{#if a}}<p>Paid\n{{b}}</p>', '\n<table></table></body>'],
    ['<body>\n{{#if a}}<b>Paid</b> {{b}}', '\n<table></table></body>'],
    ['{{#if a}}Paid {{b}}', '\nThank you'],
    ['<li>{{#if a}}x', '\n<li>y'],
    ['<p class="a {{#if a}}b', '">x</p>'],
    ['<style>{{#if a}}p { top: 0 }', '\nh1 { top: 0 }</style>'],
    ['{{#if a}}\nx\n{{else}}y {{#each b}}\nz{{/each}}', '\n<table></table>'],
  ].map(([start = '', end = '']): [string, Partial<Problem>, Partial<EditedTexts>, Partial<EditedTexts>] => [
    `an open block in ${start}${end}`,
    {
      code: 'template_does_not_compile',
      name: 'if',
      places: [{ range: { from: start.indexOf('{{#if'), to: 99 } }],
    },
    { html: start + end },
    { html: `${start}{{/if}}${end}` },
  ]),
  [
    'an open block in the text of an email',
    { code: 'template_does_not_compile', path: '/email/text', name: 'if', places: [{ line: 2, column: 1 }] },
    { email: { ...EMAIL, text: 'Hello\n{{#if a}}Paid\nThank you' } },
    { email: { ...EMAIL, text: 'Hello\n{{#if a}}Paid{{/if}}\nThank you' } },
  ],
  [
    'a misspelt helper in a footer',
    {
      code: 'template_does_not_compile',
      path: '/default_options/footer/content',
      name: 'equ',
      places: [{ line: 1, column: 1 }],
    },
    { options: '{"footer": {"height": "9mm", "content": "{{equ a 1}}"}}' },
    { options: formatJson({ footer: { height: '9mm', content: '{{eq a 1}}' } }) },
  ],
  [
    'missing data of a helper',
    { code: 'merge_failed', name: 'sum', places: [{ line: 1, column: 1 }] },
    { html: '{{sum lines}}', schema: '{"fields": [{"name": "lines", "type": "array"}]}' },
    {
      schema: formatJson({ fields: [{ type: 'array', name: 'lines', items: { type: 'number' } }] }),
      data: formatJson({ lines: [12.5, 12.5] }),
    },
  ],
])('fixes %s', (_, given, texts, change) => {
  const all = { ...NO_TEXTS, ...texts };
  expect(fixesOf(problem(given), all, ['eq', 'each', 'if']).map((fix) => fix.change)).toEqual([change]);
});

it('adds a missing binding to every data item and to the schema', () => {
  const html = '{{#each order.lines as |line|}}{{formatNumber line.price}}';
  const schema = '{"fields": [{"name": "order", "type": "object", "properties": {}}]}';
  const missing = problem({ code: 'binding_missing', name: 'line.price', places: [{ line: 1, column: 47 }] });
  const texts = { ...NO_TEXTS, html, schema, data: '{"order": {"lines": [{"price": 1}, {}]}}' };
  const changes = fixesOf(missing, texts, []).map(
    ({ change: { data, schema: changed } }) => JSON.parse(data ?? changed ?? '') as unknown,
  );
  const items = { type: 'object', properties: { price: { type: 'number' } } };
  const properties = { lines: { type: 'array', items } };
  expect(changes).toEqual([
    { order: { lines: [{ price: 1 }, { price: 12.5 }] } },
    { fields: [{ name: 'order', type: 'object', properties }] },
  ]);
});

import type { RenderOptions } from '@trifold/crds';
import type { Decorations } from '@trifold/platform/templating/decorations.ts';
import { PAGE_TOKENS } from '@trifold/platform/templating/merge/template-compiler.ts';
import { afterAll, describe, expect, it } from 'vitest';
import { printingOf } from '../../task/print-settings.ts';
import { pngPixel } from '../../testing/files/png.ts';
import { descendants, DocxFile, textOf, type XmlElement } from '../../testing/files/read-docx.ts';
import { readPng } from '../../testing/files/read-png.ts';
import { picturePool } from '../../testing/browser/test-browser.ts';
import type { FoundWarning } from '../../browser/page/document-requests.ts';
import type { DocumentToWrite } from '../format-writer.ts';
import { DocxWriter } from './docx-writer.ts';

const BODY = 'word/document.xml';

const writer = new DocxWriter(picturePool());
afterAll(() => writer.stop());

interface Given extends Pick<DocumentToWrite, 'css' | 'properties'>, Decorations {
  readonly options?: RenderOptions;
  readonly mode?: 'live' | 'test';
}

const write = async (html: string, { options = {}, mode = 'live', ...decoration }: Given = {}) => {
  const features = { mode, createdAt: new Date('2026-11-20T01:02:03.456Z'), title: 'Template' };
  const document = { html, account: 'acme', printing: printingOf(options), features, ...decoration };
  const { signal } = new AbortController();
  const warnings: FoundWarning[] = [];
  const turn = { signal, waiting: () => undefined, working: () => undefined, warnings };
  const { body, pages } = await writer.write(document, turn);
  expect(pages).toBe(0);
  return { file: new DocxFile(body), warnings };
};
const make = async (html: string, given?: Given) => (await write(html, given)).file;
const page = (body: string, style = '') =>
  `<!doctype html><html><head><meta charset="utf-8"><style>body{margin:0;font:16px Arial}${style}</style></head><body>${body}</body></html>`;
const valueOf = (element: XmlElement | undefined) => element?.attributes['w:val'];
const within = (element: XmlElement | undefined, name: string) =>
  element ? descendants(element).filter((inner) => inner.name === name) : [];
const runWith = (file: DocxFile, text: string) => file.all(BODY, 'w:r').find((run) => textOf(run) === text);

const row = (width: number) =>
  `<div class="r" style="display:flex"><p style="flex:0 0 ${width}px">a</p><p style="flex:0 0 ${width}px">b</p></div>`;

const FORM =
  '<p><input type="checkbox" checked> <input type="checkbox"> <input type="radio" checked> <input type="radio"> <input value="Ada"> <select><option>one<option selected label="two"></select></p>';
const HIDDEN_STYLES =
  '.clipped{position:absolute;clip:rect(0,0,0,0)} .cut{height:0;overflow:hidden} .off{position:absolute;left:-9999px}';
const HIDDEN =
  '<p>a<i class="clipped">1</i>b</p><div class="cut">2</div><p class="off">3</p><p style="font-size:0">4</p><p style="opacity:0">5</p><p style="clip-path:inset(50%)">7</p><p style="filter:opacity(0%)">9</p><p style="text-indent:-9999px">8</p><p>c<i style="color:transparent">6</i></p>';

describe('a DOCX file', () => {
  it('has the parts and the metadata that word processors expect', async () => {
    const file = await make('<title> Letter &amp;\n Co</title><p>Hello');
    expect([...file.parts.keys()]).toEqual(
      expect.arrayContaining(['[Content_Types].xml', BODY, 'word/styles.xml']),
    );
    const core = file.xml('docProps/core.xml');
    expect(within(core, 'dc:title')[0]?.text).toBe('Letter & Co');
    expect(within(core, 'dc:creator')[0]?.text).toBe('Trifold');
    expect(file.paragraphs()).toEqual(['Hello']);
    expect(valueOf(file.all('word/styles.xml', 'w:lang')[0])).toBeUndefined();
  });

  it("has the document's properties", async () => {
    const properties = {
      title: 'Offer <7>',
      author: 'Ä & B',
      subject: 'Paper',
      keywords: ['offer', 'paper'],
      language: 'de-CH',
    };
    const file = await make('<title>Letter</title><p>Hello', { properties });
    const core = file.xml('docProps/core.xml');
    const names = ['dc:title', 'dc:creator', 'dc:subject', 'cp:keywords', 'cp:lastModifiedBy'];
    const texts = ['Offer <7>', 'Ä & B', 'Paper', 'offer, paper', 'Trifold'];
    expect(names.map((name) => within(core, name)[0]?.text)).toEqual(texts);
    expect(valueOf(file.all('word/styles.xml', 'w:lang')[0])).toBe('de-CH');
  });

  it.each([
    ['letter', {}, { 'w:w': '12240', 'w:h': '15840', 'w:orient': 'portrait' }],
    ['A4', { pageSize: 'a4' }, { 'w:w': '11906', 'w:h': '16838', 'w:orient': 'portrait' }],
    ['landscape', { orientation: 'landscape' }, { 'w:w': '15840', 'w:h': '12240', 'w:orient': 'landscape' }],
    [
      'a custom size',
      { pageSize: 'custom', width: '4in', height: '6in' },
      { 'w:w': '5760', 'w:h': '8640', 'w:orient': 'portrait' },
    ],
  ] as const)('has the requested page size: %s', async (_name, options, size) => {
    const file = await make('<p>x</p>', { options });
    expect(file.all(BODY, 'w:pgSz').map(({ attributes }) => attributes)).toEqual([size]);
  });

  it('has the requested margins', async () => {
    const margins = { top: '1in', right: '0.5in', bottom: '25.4mm', left: '96px' };
    const [margin] = (await make('<p>x</p>', { options: { margins } })).all(BODY, 'w:pgMar');
    expect(margin?.attributes).toMatchObject({
      'w:top': '1440',
      'w:right': '720',
      'w:bottom': '1440',
      'w:left': '1440',
    });
  });

  it('has headings and aligned paragraphs', async () => {
    const file = await make(
      page(
        '<h1>One</h1><h2>Two</h2><h6>Six</h6><p style="text-align:center">c</p><p style="text-align:right">r</p><p dir="rtl">שלום</p>',
      ),
    );
    const styleOf = (p: XmlElement) => valueOf(within(p, 'w:pStyle')[0]);
    const [one, two, six, centered, right, hebrew] = file.all(BODY, 'w:p');
    expect([one, two, six].map((p) => p && styleOf(p))).toEqual(['Heading1', 'Heading2', 'Heading6']);
    expect([centered, right].map((p) => valueOf(within(p, 'w:jc')[0]))).toEqual(['center', 'right']);
    expect(within(hebrew, 'w:bidi')).toHaveLength(1);
    expect(within(hebrew, 'w:rtl')).toHaveLength(1);
  });

  it.each([
    ['bold', '<b>x</b>', 'w:b', 'true'],
    ['italic', '<em>x</em>', 'w:i', 'true'],
    ['underlined', '<u>x</u>', 'w:u', 'single'],
    ['struck through', '<s>x</s>', 'w:strike', undefined],
    ['subscript', '<sub>x</sub>', 'w:vertAlign', 'subscript'],
    ['superscript', '<sup>x</sup>', 'w:vertAlign', 'superscript'],
    ['raised', '<sup style="position:relative;vertical-align:0">x</sup>', 'w:vertAlign', 'superscript'],
    ['lowered', '<i style="vertical-align:-2px">x</i>', 'w:vertAlign', 'subscript'],
    ['superscript of the same size', '<sup style="font-size:13px">x</sup>', 'w:sz', '30'],
    ['framed', '<i style="border:1px solid">x</i>', 'w:bdr', 'single'],
    ['oklch', '<i style="color:oklch(62.8% .2577 29.234)">x</i>', 'w:color', 'FF0000'],
    ['lab', '<i style="color:lab(54.29 80.8 69.89)">x</i>', 'w:color', 'FF0000'],
    ['mixed', '<i style="color:color-mix(in srgb, red, blue)">x</i>', 'w:color', '800080'],
    ['coloured by a class', '<span class="red">x</span>', 'w:color', 'CC0000'],
    ['large', '<span style="font-size:24pt">x</span>', 'w:sz', '48'],
  ])('has %s text', async (_name, html, element, value) => {
    const file = await make(page(`<p>a ${html} b</p>`, '.red{color:#c00}'));
    const [found] = within(runWith(file, 'x'), element);
    expect(found).toBeDefined();
    if (value !== 'true') expect(valueOf(found)).toBe(value);
    expect(valueOf(within(runWith(file, 'a '), element)[0])).not.toBe(value ?? 'true');
  });

  it('has spaces, line breaks and generated text as in a browser', async () => {
    const file = await make(
      page(
        '<p>  a \n <b> b</b> c<br> d <br></p><pre>e\n  f</pre><p class="q">g</p><p style="white-space:pre-line">h  i\nj</p><p>\n</p><p style="text-transform:uppercase">k</p><p hidden>l</p>',
        '.q::before{content:"» "}',
      ),
    );
    expect(file.paragraphs()).toEqual(['a b c\nd', 'e\n  f', '» g', 'h i\nj', 'K']);
  });

  it.each([
    ['::after and <q> behind the text', '<p class="sum">5.00 <q>x</q></p>', ['5.00 “x” EUR']],
    ['the state and the values of form controls', FORM, ['☑ ☐ ◉ ○ Ada two']],
    ['no hidden text', HIDDEN, ['ab', 'c']],
    ['captions', '<table><caption style="caption-side:bottom">b<tr><td>a</table>', ['a', 'b']],
    ['columns', '<div style="display:flex;flex-flow:column-reverse"><p>b</p><p>a</p></div>', ['a', 'b']],
    ['ruby and first letters', '<p><ruby>a<rt>b</rt></ruby>c</p><p class="first">de</p>', ['abc', 'de']],
    [
      'no private characters for page numbers in a drawing',
      `<p>a<svg width="9" height="9"><text>${PAGE_TOKENS.page}</text></svg>`,
      ['a'],
    ],
  ])('shows %s', async (_name, html, paragraphs) => {
    const file = await make(
      page(html, `.sum::after{content:" EUR"} .first::first-letter{float:left} ${HIDDEN_STYLES}`),
    );
    expect(file.paragraphs().map((text) => text.replaceAll(/\s+/g, ' ').trim())).toEqual(paragraphs);
  });

  it("has a table's own border, and rows as high as in the browser", async () => {
    const html = '<table style="border:2px solid"><tr style="height:60px"><td>a<td>b<tr><td>c<td>d</table>';
    const file = await make(page(html));
    const sides = file
      .all(BODY, 'w:tcBorders')
      .map(({ children }) => children.map(({ name }) => name.slice(2)));
    expect(sides).toEqual([
      ['top', 'left'],
      ['top', 'right'],
      ['left', 'bottom'],
      ['bottom', 'right'],
    ]);
    const [first] = file.all(BODY, 'w:trHeight');
    expect(Number(valueOf(first))).toBeGreaterThanOrEqual(900);
  });

  it('swaps the left and right borders in a right-to-left table, including for its indent', async () => {
    const html =
      '<table dir="rtl" style="margin:0 9px"><tr><td style="border-right:1px solid">a<td>b</table>';
    const file = await make(page(html, 'td{padding:0}'));
    const sides = file
      .all(BODY, 'w:tcBorders')
      .map(({ children }) => children.map(({ name }) => name.slice(2)));
    expect(sides).toEqual([['right'], ['left']]);
  });

  it('leaves no space for boxes that show nothing', async () => {
    const file = await make(page('<p>a</p><svg width="0" height="0"></svg><p>b</p>', 'p{margin:0}'));
    const spaces = file.all(BODY, 'w:spacing').map(({ attributes }) => Number(attributes['w:before']));
    expect(spaces).toHaveLength(2);
    expect(Math.max(...spaces)).toBeLessThan(500);
  });

  it('has hyperlinks, including around images, and links within the document', async () => {
    const file = await make(
      page(
        `<p><a href=" https://example.com/?a=1&amp;b=2\n">w<b>e</b>b</a> <a href="javascript:x()">script</a>
         <a href="https://example.com/i"><img src="data:image/png;base64,${pngPixel()}" width="9" height="9"></a>
         <a href="#end">end</a></p><a href="https://example.com/d"><div>block</div></a><h2 id="end">x</h2>`,
      ),
    );
    const links = file.all(BODY, 'w:hyperlink');
    expect(links.map(textOf)).toEqual(['web', '', 'end', 'block']);
    expect(within(links[1], 'w:drawing')).toHaveLength(1);
    expect(file.all(BODY, 'w:bookmarkStart')[0]?.attributes['w:name']).toBe(links[2]?.attributes['w:anchor']);
    const targets = file
      .all('word/_rels/document.xml.rels', 'Relationship')
      .flatMap(({ attributes }) => (attributes['TargetMode'] === 'External' ? [attributes['Target']] : []));
    expect(new Set(targets)).toEqual(
      new Set(['https://example.com/?a=1&b=2', 'https://example.com/i', 'https://example.com/d']),
    );
  });

  it.each([
    ['<ol reversed><li>c<li>b</ol>', ['2.\tc', '1.\tb'], []],
    ['<ol start=-1><li>m<li>z</ol>', ['-1.\tm', 'z'], ['0']],
    ['<ol><li value=7>g<li>h<li value=3>c</ol>', ['g', 'h', 'c'], ['7', '7', '3']],
    ['<ol style="list-style:lower-greek"><li>a</ol>', ['α.\ta'], []],
    ['<ul style="list-style-type:\'* \'"><li>a</ul>', ['*\ta'], []],
    ['<ol type=A start=28><li>a</ol>', ['AB.\ta'], []],
    ['<ol><li>a<li style="color:red">b<li type=A>c</ol>', ['a', 'b', 'c'], ['1', '2', '3']],
  ])('numbers lists as the browser does: %s', async (html, paragraphs, starts) => {
    const file = await make(page(html));
    expect(file.paragraphs()).toEqual(paragraphs);
    const numbers = file.all(BODY, 'w:numId').map((id) => formatOf(file, valueOf(id)).start);
    expect(numbers).toEqual(starts);
  });

  it('fits the columns of an over-wide table to the page width, and warns', async () => {
    const { file, warnings } = await write(
      page('<table class="big"><tr><td>a<td>b<td>c</table>', '.big{width:2000px}'),
    );
    const widths = file.all(BODY, 'w:gridCol').map(({ attributes }) => Number(attributes['w:w']));
    expect(widths).toHaveLength(3);
    expect(widths.reduce((sum, width) => sum + width)).toBeLessThan(11_520);
    expect(warnings).toMatchObject([{ code: 'content_too_wide', name: 'table.big' }]);
  });

  it.each([
    ['a row of boxes', 'div.r', (width: number) => row(width / 2)],
    ['an image', 'svg.r', (width: number) => `<svg class="r" width="${width}" height="9"></svg>`],
  ])('warns about %s wider than the page', async (_what, name, html) => {
    const warningsFor = async (width: number) => (await write(page(html(width)))).warnings;
    expect(await warningsFor(1800)).toMatchObject([{ code: 'content_too_wide', name }]);
    expect(await warningsFor(400)).toEqual([]);
  });

  it('omits an empty row below a cell that spans several rows', async () => {
    const file = await make(page('<table><tr><td rowspan="2">a<td>b</tr><tr></tr><tr><td>c<td>d</table>'));
    expect(file.all(BODY, 'w:tr').map(textOf)).toEqual(['ab', 'cd']);
    expect(file.all(BODY, 'w:vMerge')).toEqual([]);
  });

  it('warns once per part about each unsupported feature', async () => {
    const html =
      '<p class="x">a</p><p class="x">b</p><div class="y">c</div><div hidden class="y">d</div><video></video><iframe srcdoc="x"></iframe><bdo>e</bdo><bdi>f</bdi><svg width="9" height="9"><a href="#x"><text>g</text></a></svg>';
    const styles =
      '@page{size:A4 landscape} .x{position:absolute} .y{columns:2;background:linear-gradient(red,blue);box-shadow:0 0 9px;border-radius:9px;filter:blur(1px);clip-path:circle(9px)} p{text-shadow:0 0 9px;outline:1px solid;border-image:linear-gradient(red,blue) 1;-webkit-text-stroke:1px red;mask:linear-gradient(red,#0000);mix-blend-mode:multiply}';
    const header = `<p style="width:calc(1px * ${PAGE_TOKENS.page})">x</p>`;
    const footer = `<svg width="9" height="9"><text>${PAGE_TOKENS.page}</text></svg>`;
    const { warnings } = await write(page(html, styles), { header, footer, 'footer.last': 'x' });
    expect(warnings.map(({ code, name, part, literal }) => [code, name, part, literal])).toEqual([
      ['docx_unsupported', 'footer.last', 'options', undefined],
      ['docx_unsupported', '@page size', undefined, '@page'],
      ['docx_unsupported', 'position: absolute', undefined, '<p class="x">'],
      ['docx_unsupported', 'shadows', undefined, '<p class="x">'],
      ...['outline', 'border-image', 'text-stroke', 'mask-image', 'mix-blend-mode'].map((name) => [
        'docx_unsupported',
        name,
        undefined,
        '<p class="x">',
      ]),
      ['docx_unsupported', 'columns', undefined, '<div class="y">'],
      ['docx_unsupported', 'gradients', undefined, '<div class="y">'],
      ['docx_unsupported', 'filter', undefined, '<div class="y">'],
      ['docx_unsupported', 'clip-path', undefined, '<div class="y">'],
      ['docx_unsupported', 'border-radius', undefined, '<div class="y">'],
      ['docx_unsupported', '<iframe>', undefined, '<iframe srcdoc="x">'],
      ['docx_unsupported', 'unicode-bidi', undefined, '<bdo>'],
      ['docx_unsupported', 'links in drawings', undefined, '<svg width="9" height="9">'],
      ['docx_unsupported', 'page numbers in drawings, attributes and styles', 'header', undefined],
      ['docx_unsupported', 'page numbers in drawings, attributes and styles', 'footer', undefined],
    ]);
  });

  it.each([
    ['@page{font-size:9pt;size:8.5in 11in;margin:.4in 10.16mm}', []],
    ['@page{size:letter} /* @page{size:a4} */ @page :first{size:a5;margin:0}', []],
    ['@page{size:a4;margin:0} @page{size:auto!important;margin:.4in !important} @page{size:a5}', []],
    ['@page{margin:.4in;margin-left:0}', ['@page margins']],
    ['@page{@bottom-center{content:counter(page);margin:0}}', ['@page margin boxes']],
    ['@page{size:a4} @page{size:letter landscape}', ['@page size']],
    ['@page{size:10cm}', ['@page size']],
  ])('warns about page rules in CSS that the file does not have: %s', async (style, names) => {
    const { warnings } = await write(page('<p>x', style));
    expect(warnings.map(({ name }) => name)).toEqual(names);
  });

  it.each<[RenderOptions, string[]]>([
    [{ scale: 0.8, printBackground: false, pageRanges: '2' }, ['scale', 'print_background', 'page_ranges']],
    [{ header: { enabled: true, first: { height: '2in' } } }, ['first.height']],
    [{ scale: 1, header: { first: { height: '2in' } } }, []],
  ])('warns about options that it does not follow: %o', async (options, names) => {
    const pixel = `<img style="position:absolute" width="1" src="data:image/png;base64,${pngPixel()}">`;
    const { warnings } = await write(FORM + pixel, { options });
    expect(warnings.map(({ name }) => name)).toEqual(names);
    expect(warnings.every(({ part }) => part === 'options')).toBe(true);
  });

  it.each(['<html dir="rtl" lang="he"><p>x', '<style>body { direction: rtl }</style><body lang="he"><p>x'])(
    "has headers in the document's text direction, and its language: %s",
    async (html) => {
      const file = await make(html, { header: 'שלום' });
      expect(file.all('word/header1.xml', 'w:bidi')).toHaveLength(1);
      const [language] = file.all('word/styles.xml', 'w:lang');
      expect(language?.attributes).toEqual({ 'w:val': 'he', 'w:bidi': 'he' });
    },
  );

  it('has nested lists with separate numbering', async () => {
    const file = await make(
      page(
        '<ol><li>one<ul><li>dot</li></ul></li><li>two</li></ol><ol><li>again</li></ol><ol start="7" type="a"><li>g</li></ol>',
      ),
    );
    const items = file.all(BODY, 'w:p').map((p) => ({
      text: textOf(p),
      level: valueOf(within(p, 'w:ilvl')[0]),
      list: valueOf(within(p, 'w:numId')[0]),
    }));
    expect(items.map(({ text, level }) => [text, level])).toEqual([
      ['one', '0'],
      ['dot', '1'],
      ['two', '0'],
      ['again', '0'],
      ['g', '0'],
    ]);
    const [one, dot, two, again, g] = items.map(({ list }) => list);
    expect(two).toBe(one);
    expect(new Set([one, dot, again, g]).size).toBe(4);
    expect(formatOf(file, g)).toEqual({ format: 'lowerLetter', start: '7' });
    expect(formatOf(file, dot)).toMatchObject({ format: 'bullet' });
  });

  it('has tables with spans, widths, shading, repeated header rows and unsplit rows', async () => {
    const file = await make(
      page(
        `<table style="width:600px"><col style="width:200px"><col style="width:100px"><col><thead><tr><th rowspan="2">A</th><th colspan="2">B</th></tr><tr><th>C</th><th>D</th></tr></thead>
         <tbody><tr><td>1</td><td class="shade">2</td><td>3<table><tr><td>nested</td></tr></table></td></tr></tbody></table><p>after</p>`,
        'table{border-collapse:collapse;table-layout:fixed}td,th{padding:0}tr,body>p{break-inside:avoid}.shade{background:#dfd;border:1px solid red}',
      ),
    );
    const [table] = file.all(BODY, 'w:tbl');
    const columns = within(
      table?.children.find(({ name }) => name === 'w:tblGrid'),
      'w:gridCol',
    );
    expect(columns.map(({ attributes }) => attributes['w:w'])).toEqual(['3000', '1500', '4500']);
    expect(within(table, 'w:gridSpan').map(valueOf)).toEqual(['2']);
    expect(within(table, 'w:vMerge').map(valueOf)).toEqual(['restart', 'continue']);
    expect(within(table, 'w:tblHeader')).toHaveLength(2);
    expect(within(table, 'w:cantSplit')).toHaveLength(4);
    expect(file.all(BODY, 'w:keepLines')).toHaveLength(1);
    expect(within(table, 'w:shd').map(({ attributes }) => attributes['w:fill'])).toEqual(['DDFFDD']);
    expect(within(table, 'w:tbl').map(textOf)).toEqual(['nested']);
    for (const cell of file.all(BODY, 'w:tc')) expect(cell.children.at(-1)?.name).toBe('w:p');
  });

  it('has adjacent boxes side by side', async () => {
    const file = await make(
      page('<div style="display:flex;justify-content:space-between"><div>left</div><div>right</div></div>'),
    );
    expect(file.all(BODY, 'w:tc').map(textOf)).toEqual(['left', 'right']);
  });

  it('has images, and SVG drawings as images', async () => {
    const file = await make(
      page(
        `<p><img width="50" height="20" alt="dot" src="data:image/png;base64,${pngPixel()}"><svg width="40" height="40"><rect width="40" height="40" fill="red"/></svg>
         <img alt="elsewhere" src="https://example.com/x.png"><img src="data:image/png;base64,@@@@"></p>`,
      ),
    );
    const media = [...file.parts]
      .filter(([name]) => name.startsWith('word/media/'))
      .map(([, content]) => content);
    const pictures = media.toSorted((one, other) => one.length - other.length).map(readPng);
    const [, drawn] = await Promise.all(pictures);
    expect(media).toHaveLength(2);
    expect(drawn?.at(60, 60)).toEqual([255, 0, 0]);
    expect(file.paragraphs()).toEqual([' elsewhere']);
    const [first] = file.all(BODY, 'wp:extent');
    expect(first?.attributes).toMatchObject({ cx: String(50 * 9525), cy: String(20 * 9525) });
    expect(file.all(BODY, 'wp:docPr')[0]?.attributes['descr']).toBe('dot');
  });

  it("has the document's page breaks", async () => {
    const file = await make(
      page('<p>a</p><p style="break-before:page">b</p><p style="page-break-after:always">c</p><p>d</p>'),
    );
    const breaks = file.all(BODY, 'w:p').map((p) => within(p, 'w:pageBreakBefore').length);
    expect(breaks).toEqual([0, 1, 0, 1]);
  });

  it('has a header and a footer with page numbers on every page', async () => {
    const decoration = { enabled: true, height: '0.5in', content: 'x' };
    const file = await make('<p>x</p>', {
      options: { header: decoration, footer: decoration, margins: { top: '1in', bottom: '1in' } },
      css: 'b{color:#00f}',
      header: '<b>Acme</b>',
      footer: `Page ${PAGE_TOKENS.page} of ${PAGE_TOKENS.pages}`,
    });
    expect(textOf(file.xml('word/header1.xml'))).toBe('Acme');
    expect(file.all('word/header1.xml', 'w:color').map(valueOf)).toEqual(['0000FF']);
    const fields = file.all('word/footer1.xml', 'w:instrText').map(({ text }) => text.trim());
    expect(fields).toEqual(['PAGE', 'NUMPAGES']);
    expect(file.all(BODY, 'w:pgMar')[0]?.attributes).toMatchObject({ 'w:top': '2160', 'w:header': '1440' });
  });

  describe('with a different header on some pages', () => {
    /** Header or footer strings by page type. */
    const textsByType = (file: DocxFile, kind: 'header' | 'footer') => {
      const relations = file.all('word/_rels/document.xml.rels', 'Relationship');
      const entries = file.all(BODY, `w:${kind}Reference`).map(({ attributes }) => {
        const relation = relations.find((each) => each.attributes['Id'] === attributes['r:id']);
        return [attributes['w:type'], textOf(file.xml(`word/${relation?.attributes['Target']}`))];
      });
      return Object.fromEntries(entries) as Record<string, string>;
    };
    const switches = (file: DocxFile) => [
      file.all(BODY, 'w:titlePg').filter((element) => valueOf(element) !== 'false').length,
      file.all('word/settings.xml', 'w:evenAndOddHeaders').filter((element) => valueOf(element) !== 'false')
        .length,
    ];

    it('has the page types that Word supports, which do not include the last page', async () => {
      const file = await make('<p>x</p>', {
        header: 'common',
        'header.first': 'FIRST',
        'header.last': 'LAST',
        'footer.even': 'EVEN',
        'footer.odd': 'ODD',
      });
      expect(textsByType(file, 'header')).toEqual({ default: 'common', first: 'FIRST', even: 'common' });
      expect(textsByType(file, 'footer')).toEqual({ default: 'ODD', first: 'ODD', even: 'EVEN' });
      expect(switches(file)).toEqual([1, 1]);
    });

    it('has only the necessary page types', async () => {
      const first = await make('<p>x</p>', { header: 'common', 'header.first': '', footer: 'below' });
      expect(textsByType(first, 'header')).toEqual({ default: 'common' });
      expect(textsByType(first, 'footer')).toEqual({ default: 'below', first: 'below' });
      expect(switches(first)).toEqual([1, 0]);
      const even = await make('<p>x</p>', { header: 'common', 'header.even': 'EVEN' });
      expect(textsByType(even, 'header')).toEqual({ default: 'common', even: 'EVEN' });
      expect(switches(even)).toEqual([0, 1]);
      expect(switches(await make('<p>x</p>', { header: 'common', 'header.last': 'LAST' }))).toEqual([0, 0]);
    });

    it('shows TEST on every page type for a test key', async () => {
      const file = await make('<p>x</p>', { 'header.first': 'FIRST', 'footer.even': 'EVEN', mode: 'test' });
      expect(textsByType(file, 'header')).toEqual({ default: 'TEST', first: 'TESTFIRST', even: 'TEST' });
    });
  });

  it('is complete if its snapshot arrives in chunks, and has no content from the previous document', async () => {
    const title = 'a😀'.repeat(100_000);
    const header = `<b>${'y'.repeat(200_000)}</b>`;
    const first = await make(`<title>${title}</title><p>x`, { header });
    expect(within(first.xml('docProps/core.xml'), 'dc:title')[0]?.text === title).toBe(true);
    const second = await make('<p>z');
    expect(second.paragraphs()).toEqual(['z']);
    expect([...second.parts.keys()].filter((name) => /header/.test(name))).toEqual([]);
  });
});

/** Numbering or bullet format for a list's items. */
function formatOf(file: DocxFile, list: string | undefined) {
  const numbering = file
    .all('word/numbering.xml', 'w:num')
    .find(({ attributes }) => attributes['w:numId'] === list);
  const abstract = valueOf(within(numbering, 'w:abstractNumId')[0]);
  const definition = file
    .all('word/numbering.xml', 'w:abstractNum')
    .find(({ attributes }) => attributes['w:abstractNumId'] === abstract);
  const [level] = within(definition, 'w:lvl');
  return { format: valueOf(within(level, 'w:numFmt')[0]), start: valueOf(within(level, 'w:start')[0]) };
}

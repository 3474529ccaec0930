import { readFileSync } from 'node:fs';
import type { RenderOptions } from '@trifold/crds';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readPdf } from '../../testing/files/read-pdf.ts';
import { renderDocument, type TestDocument } from '../../testing/render-document.ts';
import { testPage } from '../../testing/browser/test-browser.ts';

const chromium = testPage();

const render = async (document: TestDocument) =>
  (await readPdf(await renderDocument(chromium.page, document))).pages;
const textsOf = async (document: TestDocument) =>
  (await render(document)).map(({ texts }) =>
    texts
      .map(({ text }) => text.trim())
      .filter((text) => text !== '')
      .join(' '),
  );
/** Distances of a string from the top and left of its page, in points; undefined where a page does not contain it. */
const placesOf = async (document: TestDocument, text: string) =>
  (await render(document)).map(({ texts }) => {
    const item = texts.find((each) => each.text.includes(text));
    return item && [item.left, item.baseline];
  });

const CSS = 'body { margin: 0; font: 10pt/10pt sans-serif } p { margin: 0 }';
const pages = (count: number) =>
  '<p>text</p>'.repeat(count).replaceAll('</p><p>', '</p><p style="break-before: page">');
/** Distance from a line's top to its baseline. */
const ASCENT = 8.3;
const MARGIN = 28.8;
const about = (points: number): unknown => expect.closeTo(points, -0.5);
const at = (top: number): unknown => [about(MARGIN), about(MARGIN + top + ASCENT)];

const ALL = {
  content: 'common',
  first: { content: 'FIRST' },
  last: { content: 'LAST' },
  even: { content: 'EVEN' },
  odd: { content: 'ODD' },
};
const header = (more: RenderOptions['header']): RenderOptions => ({ header: { enabled: true, ...more } });
const footer = (more: RenderOptions['header']): RenderOptions => ({ footer: { enabled: true, ...more } });

describe('a page-specific header', () => {
  const { first, last, even, odd } = ALL;
  it.each<[count: number, RenderOptions['header'], string[]]>([
    [5, ALL, ['FIRST', 'EVEN', 'ODD', 'EVEN', 'LAST']],
    [4, { ...ALL, first: {} }, ['ODD', 'EVEN', 'ODD', 'LAST']],
    [4, { ...ALL, last: {} }, ['FIRST', 'EVEN', 'ODD', 'EVEN']],
    [3, { content: 'common', first }, ['FIRST', 'common', 'common']],
    [3, { content: 'common', last }, ['common', 'common', 'LAST']],
    [4, { content: 'common', even }, ['common', 'EVEN', 'common', 'EVEN']],
    [3, { content: 'common', odd, first: { content: '' } }, ['', 'common', 'ODD']],
    [2, ALL, ['FIRST', 'LAST']],
    [1, ALL, ['FIRST']],
    [1, { content: 'common', last, odd }, ['LAST']],
    [3, { first, even: { content: '' } }, ['FIRST', '', '']],
    [2, { content: 'common', first: { content: '' }, last: { content: '' } }, ['', '']],
    [3, { ...ALL, enabled: false }, ['', '', '']],
  ])('is the first one that applies, in a document with %i pages: %j', async (count, options, expected) => {
    const texts = await textsOf({ html: pages(count), css: CSS, options: header(options) });
    expect(texts).toEqual(expected.map((text) => `text ${text}`.trim()));
  });

  it('uses page positions in the whole document when there are page ranges', async () => {
    const options = { ...footer({ ...ALL, content: '{{page}}' }), pageRanges: '2-3,5' };
    expect(await textsOf({ html: pages(5), css: CSS, options })).toEqual([
      'text EVEN',
      'text ODD',
      'text LAST',
    ]);
    const last = { ...footer(ALL), pageRanges: '1,3' };
    expect(await textsOf({ html: pages(4), css: CSS, options: last })).toEqual(['text FIRST', 'text ODD']);
  });

  it('is taken field by field from the request and the template', async () => {
    const defaultOptions = header({ content: 'common', first: { content: 'A', height: '1in' }, last });
    const document = { html: pages(3), css: CSS, defaultOptions };
    const options = { header: { first: { content: 'B' }, last: { content: '' } } };
    expect(await textsOf({ ...document, options })).toEqual(['text B', 'text common', 'text']);
    expect(await placesOf({ ...document, options }, 'text')).toEqual([at(72), at(36), at(36)]);
  });

  it('fails the document, naming the header, if it does not compile', async () => {
    const rendering = render({ html: ' ', options: footer({ even: { content: '\n {{#if a}}' } }) });
    await expect(rendering).rejects.toThrow(
      /the footer\.even: the template does not compile: line 2, column \d+/,
    );
  });

  it('is below the watermark, including on pages without a header', async () => {
    const options = header({ first: { content: 'FIRST' }, content: 'common', even: { content: '' } });
    const texts = await textsOf({ html: pages(3), css: CSS, options, mode: 'test' });
    expect(texts).toEqual(['text FIRST TEST', 'text TEST', 'text common TEST']);
  });

  it('is an artifact in a tagged document', async () => {
    const options = { ...header({ first: { content: 'FIRST' } }), tagged: true };
    const pdf = await renderDocument(chromium.page, { html: pages(2), css: CSS, options });
    const artifacts = pdf.toString('latin1').match(/\/Artifact BMC q [^\n]*\/TrifoldSheet0 Do Q EMC/g);
    expect(artifacts).toHaveLength(1);
    expect((await readPdf(pdf)).pages.map(({ text }) => text.includes('FIRST'))).toEqual([true, false]);
  });

  it('fits pages of several sizes and orientations', async () => {
    const css = `${CSS} @page wide { size: A4 landscape } .wide { page: wide } .end { text-align: right }`;
    const html = '<p>text<p class="wide">text<p class="wide" style="break-before: page">text<p>text';
    const end = (text: string) => ({ content: `<div class="end">${text}</div>` });
    const options = footer({ ...end('common'), first: end('FIRST'), even: end('EVEN') });
    const printed = await render({ html, css, defaultOptions: { pageSize: 'a4' }, options });
    expect(printed.map(({ width }) => width)).toEqual([595, 842, 842, 595].map(about));
    const ends = printed.map(({ texts }) => texts.at(-1));
    expect(ends.map((item) => item?.text)).toEqual(['FIRST', 'EVEN', 'common', 'EVEN']);
    const bottom = (height: number) => about(height - MARGIN - 36 + ASCENT);
    expect(ends.map((item) => item?.baseline)).toEqual([842, 595, 595, 842].map(bottom));
    for (const [index, item] of ends.entries()) {
      const room = (printed[index]?.width ?? 0) - MARGIN - (item?.left ?? 0);
      expect(room).toBeGreaterThan(0);
      expect(room).toBeLessThan(60);
    }
  });
});

describe('a header with a different height on the first page', () => {
  it('moves the content on the first page only', async () => {
    const options = header({ content: 'common', first: { content: 'FIRST', height: '2in' } });
    const document = { html: pages(3), css: CSS, options };
    expect(await placesOf(document, 'text')).toEqual([at(144), at(36), at(36)]);
    expect(await placesOf(document, 'FIRST')).toEqual([at(0), undefined, undefined]);
    expect(await placesOf(document, 'common')).toEqual([undefined, at(0), at(0)]);
  });

  it('keeps the common content if the first page has none', async () => {
    const options = header({ content: '<div style="height: 1in"></div>below', first: { height: '2in' } });
    expect(await placesOf({ html: pages(2), css: CSS, options }, 'below')).toEqual([at(72), undefined]);
  });

  it('frees its space if its height is 0mm, but keeps the space if it has no content', async () => {
    const free = {
      html: pages(2),
      css: CSS,
      options: header({ content: 'common', first: { height: '0mm' } }),
    };
    expect(await placesOf(free, 'text')).toEqual([at(0), at(36)]);
    expect(await placesOf(free, 'common')).toEqual([undefined, at(0)]);
    const kept = { ...free, options: header({ content: 'common', first: { content: '' } }) };
    expect(await placesOf(kept, 'text')).toEqual([at(36), at(36)]);
  });

  it('puts a footer above the bottom margin', async () => {
    const options = footer({ content: 'common', first: { content: 'FIRST', height: '2in' } });
    const document = { html: pages(2), css: CSS, options };
    expect(await placesOf(document, 'FIRST')).toEqual([at(792 - 2 * MARGIN - 144), undefined]);
    expect(await placesOf(document, 'common')).toEqual([undefined, at(792 - 2 * MARGIN - 36)]);
  });

  it.each<[what: string, css: string, asked: RenderOptions]>([
    ['@page margins', '@page { margin: 3in } @page :first { margin: 4in }', {}],
    [
      '@page margins and a request',
      '@page { margin: 3in }',
      { pageSize: 'letter', margins: { top: '0.4in' } },
    ],
    ['a named first page', '@page cover { margin: 3in } p:first-child { page: cover }', {}],
  ])('overrides %s', async (_what, css, asked) => {
    const options = { ...asked, ...header({ height: '0mm', first: { content: 'FIRST', height: '2in' } }) };
    expect(await placesOf({ html: pages(2), css: CSS + css, options }, 'text')).toEqual([at(144), at(0)]);
  });

  it('keeps its size at any scale of the content', async () => {
    for (const scale of [0.5, 2]) {
      const options = { ...header({ first: { content: 'FIRST', height: '2in' } }), scale };
      const document = { html: pages(2), css: CSS, options };
      const tops = (await placesOf(document, 'text')).map((place) => place?.[1]);
      expect(tops).toEqual([144, 36].map((top) => about(MARGIN + top + ASCENT * scale)));
      expect(await placesOf(document, 'FIRST')).toEqual([at(0), undefined]);
    }
  });

  it("applies to the document's first page when there are page ranges", async () => {
    const options = { ...header({ first: { content: 'FIRST', height: '2in' } }), pageRanges: '2-' };
    expect(await placesOf({ html: pages(3), css: CSS, options }, 'text')).toEqual([at(36), at(36)]);
  });
});

describe('an example', () => {
  const EXAMPLES = new URL('../../../examples/', import.meta.url);
  const fileOf = (name: string) => readFileSync(new URL(name, EXAMPLES), 'utf8');
  const exampleOf = (name: string) => ({
    ...(
      parse(fileOf(`${name}.yaml`)) as { spec: { html: string; css: string; defaultOptions: RenderOptions } }
    ).spec,
    data: JSON.parse(fileOf(`${name}/data.json`)) as Record<string, unknown>,
  });

  it('has an appendix in landscape, and page numbers on all pages but the cover: report', async () => {
    const printed = await render(exampleOf('report'));
    const sides = printed.map(({ width, height }) => [width, height]);
    const [portrait, landscape] = [
      [about(595.3), about(841.9)],
      [about(841.9), about(595.3)],
    ];
    expect(sides).toEqual([...printed.slice(1).map(() => portrait), landscape]);
    const total = printed.length;
    const numbers = printed.map(({ texts }) => texts.find(({ text }) => text.endsWith(`/ ${total}`)));
    expect(numbers.map((item) => item?.text)).toEqual(
      printed.map((_, index) => (index === 0 ? undefined : `${index + 1} / ${total}`)),
    );
    const last = numbers.at(-1);
    expect(last?.left).toBeGreaterThan(842 - 52 - 30);
    expect(last?.baseline).toBeGreaterThan(595 - 92);
    expect(printed.at(-1)?.text).toContain('Appendix');
  });

  it('has a tall header on its first page, and a short one on the next: letter', async () => {
    const { data, ...example } = exampleOf('letter');
    const { paragraphs } = data as { paragraphs: string[] };
    const long = { ...data, paragraphs: Array.from({ length: 8 }, () => paragraphs).flat() };
    const [first, second] = await render({ ...example, data: long });
    const textsAbove = (page: typeof first, millimetres: number) =>
      page?.texts.filter(({ baseline }) => baseline < (millimetres / 25.4) * 72).map(({ text }) => text);
    expect(textsAbove(first, 45)?.join(' ')).toMatch(
      /^Papierwerk Köln Lindenstraße 12 50674 Köln .*example$/,
    );
    expect(textsAbove(second, 30)).toEqual(['Papierwerk Köln', 'Your order of recycled letterhead']);
    expect(textsAbove(second, 36)?.length).toBeGreaterThan(2);
    expect(await render({ ...example, data })).toHaveLength(1);
  });
});

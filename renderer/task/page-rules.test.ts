import type { RenderOptions } from '@trifold/crds';
import { describe, expect, it } from 'vitest';
import { readPdf } from '../testing/files/read-pdf.ts';
import { renderDocument, type TestDocument } from '../testing/render-document.ts';
import { testPage } from '../testing/browser/test-browser.ts';

const chromium = testPage();

const HTML = '<style>body { margin: 0; font: 10pt/10pt sans-serif }</style><div>corner</div>';
const ASCENT = 8.3;

/** Width, height, left and top of the content, in points. */
async function measure(document: Partial<TestDocument>): Promise<number[]> {
  const { pages } = await readPdf(await renderDocument(chromium.page, { html: HTML, ...document }));
  const [first] = pages;
  const item = first?.texts.find(({ text }) => text === 'corner');
  return [first?.width, first?.height, item?.left, (item?.baseline ?? Number.NaN) - ASCENT].map(
    (value) => value ?? -1,
  );
}

type Row = [
  what: string,
  css: string,
  request: RenderOptions,
  template: RenderOptions,
  width: number,
  height: number,
  left: number,
  top: number,
];

const A5 = '@page { size: A5 }';
const INCH = '@page { margin: 1in }';
const LANDSCAPE = '@page { size: landscape }';
const PORTRAIT = '@page { size: portrait }';
const FIRST = '@page :first { margin: 1in }';
const IMPORTANT = '@page { margin: 1in !important }';
const TOP: RenderOptions = { margins: { top: '2in' } };

/** Precedence: the request, the template's own `@page`, its default options, the system's defaults. */
const TABLE: Row[] = [
  ['nothing', '', {}, {}, 612, 792, 29, 29],
  ['default options', '', {}, { pageSize: 'a4', margins: { top: '2in' } }, 595, 842, 29, 144],
  ['the request over options', '', { pageSize: 'legal' }, { pageSize: 'a4', ...TOP }, 612, 1008, 29, 144],
  // Size.
  ['@page size', A5, {}, {}, 420, 595, 29, 29],
  ['@page size over the default options', A5, {}, { pageSize: 'legal' }, 420, 595, 29, 29],
  ['the request over @page size', A5, { pageSize: 'legal' }, {}, 612, 1008, 29, 29],
  ['a requested orientation over @page size', A5, { orientation: 'landscape' }, {}, 792, 612, 29, 29],
  ['@page size in uppercase and print css', '@media print { @PAGE { SIZE: A5 } }', {}, {}, 420, 595, 29, 29],
  ['a size in points', '@page { size: 300pt 200pt }', {}, {}, 300, 200, 29, 29],
  // Only the orientation.
  ['@page landscape', LANDSCAPE, {}, {}, 792, 612, 29, 29],
  ['@page landscape on the paper of the template', LANDSCAPE, {}, { pageSize: 'a4' }, 842, 595, 29, 29],
  ['the request over @page landscape', LANDSCAPE, { pageSize: 'letter' }, {}, 612, 792, 29, 29],
  ['@page portrait over the default options', PORTRAIT, {}, { orientation: 'landscape' }, 612, 792, 29, 29],
  // Margins, for each side.
  ['@page margins', INCH, {}, {}, 612, 792, 72, 72],
  ['@page margins over the default options', INCH, {}, { margins: { left: '2in' } }, 612, 792, 72, 72],
  ['one side of @page', '@page { margin-left: 1in }', {}, TOP, 612, 792, 72, 144],
  ['a requested margin of one side', INCH, { margins: { left: '2in' } }, {}, 612, 792, 144, 72],
  ['requested margins of all sides', INCH, { margins: sides('0in') }, {}, 612, 792, 0, 0],
  ['@page for the first page', FIRST, TOP, {}, 612, 792, 72, 144],
  ['@page with !important', IMPORTANT, TOP, {}, 612, 792, 72, 144],
  // Size and margins.
  ['@page size and margins', A5 + INCH, {}, {}, 420, 595, 72, 72],
  ['@page size with requested margins', A5 + INCH, { margins: { top: '2in' } }, {}, 420, 595, 72, 144],
  ['@page margins with a requested size', A5 + INCH, { pageSize: 'a4' }, {}, 595, 842, 72, 72],
  // With a header or footer, the options' margins apply, because the header or footer lies between the margins and the
  // content.
  ['a header', A5 + INCH, { header: { enabled: true, height: '1in' } }, {}, 420, 595, 29, 101],
  ['a footer of the template', A5 + INCH, {}, { footer: { enabled: true } }, 420, 595, 29, 29],
];

function sides(length: string): NonNullable<RenderOptions['margins']> {
  return { top: length, right: length, bottom: length, left: length };
}

describe.each(['css', 'html'] as const)("page rules in a template's %s", (part) => {
  it.each(TABLE)(
    'determine the page size and margins: %s',
    async (_what, css, options, defaultOptions, ...expected) => {
      const document = part === 'css' ? { css } : { html: `<style>${css}</style>${HTML}` };
      const found = await measure({ ...document, options, defaultOptions });
      expect(found).toEqual(expected.map((value): unknown => expect.closeTo(value, -0.5)));
    },
  );
});

describe('an @page size over the PDF maximum', () => {
  const footer = { enabled: true, content: '{{page}}' };
  const print = (size: string, options: RenderOptions = {}) =>
    renderDocument(chromium.page, { html: HTML, css: `@page { size: ${size} }`, options });

  it.each([
    ['100000in 100000in', {}, '100000in by 100000in'],
    ['8in 200.5in', {}, '8in by 200.5in'],
    ['5in 5in } @page :first { size: 201in 5in', {}, '201in by 5in'],
    ['100000in 100000in', { footer }, '100000in by 100000in'],
  ])('fails the document: %s, %j', async (size, options, found) => {
    const message = expect.stringMatching(`^a page is ${found}: no side may be longer than 200in`);
    const failure = expect.objectContaining({ code: 'options_invalid', message, retryable: false });
    await expect(print(size, options)).rejects.toEqual(failure);
  });

  it('does not include 200in, in any unit', async () => {
    for (const size of ['200in 9in', '9in 5080mm', '14400pt 9in']) {
      const { pages } = await readPdf(await print(size));
      expect(Math.max(pages[0]?.width ?? 0, pages[0]?.height ?? 0)).toBeCloseTo(14_400, -0.5);
    }
  });

  it('has no effect if the request sets a different size', async () => {
    const { pages } = await readPdf(await print('100000in 100000in', { pageSize: 'letter' }));
    expect(pages[0]).toMatchObject({ width: 612, height: 792 });
  });
});

import { inflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { PrintSettings } from '../../browser/page/document-page.ts';
import { WARM_UP_SETTINGS } from '../../browser/pool/browser-slot.ts';
import { handmadePdf, streamOf } from '../../testing/files/handmade-pdf.ts';
import { drawPdf } from '../../testing/files/pdf-picture.ts';
import { readPdf } from '../../testing/files/read-pdf.ts';
import { contrastOf, leastInk } from '../../testing/files/watermark-ink.ts';
import { testPage } from '../../testing/browser/test-browser.ts';
import { finishPdf } from '../finish-pdf.ts';
import { PdfFile } from '../file/pdf-file.ts';
import { referenceIn, type Span } from '../file/pdf-syntax.ts';
import type { DocumentMode } from './watermark-tile.ts';

const createdAt = new Date('2026-11-20T01:02:03.456Z');
const NO_MARGINS = { marginTop: 0, marginRight: 0, marginBottom: 0, marginLeft: 0 };

/** Finishes a copy, because the browser's dates are overwritten in place. */
const finished = async (pdf: Buffer, mode: DocumentMode) =>
  (await finishPdf(Buffer.from(pdf), { mode, createdAt })).pdf;
const stamped = (pdf: Buffer) => finished(pdf, 'test');
const unstamped = (pdf: Buffer) => finished(pdf, 'live');

/** Minimum visibility of the watermark, for each page. `side` is the side of the squares, in points. */
async function inkOf(pdf: Buffer, side = 144, scale = 0.5): Promise<number[]> {
  const [marked, plain] = [await drawPdf(await stamped(pdf), { scale }), await drawPdf(pdf, { scale })];
  expect(marked).toHaveLength(plain.length);
  return marked.map((picture, page) => leastInk(picture, plain[page] ?? picture, Math.floor(side * scale)));
}

/** The opacity of TEST is 0.16. On every color, either its black or its white part differs by half that. */
const VISIBLE = 0.07;

describe('the watermark on Chromium output', () => {
  const chromium = testPage();
  const print = (html: string, settings: Partial<PrintSettings> = {}) =>
    chromium.page.print(`<!doctype html>${html}`, { ...WARM_UP_SETTINGS, ...settings });

  it.each([1, 2, 9, 520])('is text on each page of a %i-page document', async (count) => {
    const html = Array.from({ length: count }, (_, index) => {
      const end = index === count - 1 ? '' : ' style="break-after: page"';
      return `<p${end}>page ${index}, <a href="http://x.example/(${index}%20">>>/Contents</a></p>`;
    });
    const pdf = await stamped(await print(html.join('')));
    const { pages } = await readPdf(pdf);
    expect(pages).toHaveLength(count);
    pages.forEach((one, index) => expect(one.text).toMatch(new RegExp(`^page ${index}, [^T]*TEST$`)));
  });

  it('never appears in a document created with a live key', async () => {
    const printed = await print('<p>one<p style="break-before: page">two');
    const pdf = await unstamped(printed);
    expect((await readPdf(pdf)).pages.map(({ text }) => text)).toEqual(['one', 'two']);
    const [pictures, before] = [await drawPdf(pdf), await drawPdf(printed)];
    expect(pictures.map(({ pixels }) => pixels)).toEqual(before.map(({ pixels }) => pixels));
    expect(pdf.includes('TEST')).toBe(false);
  });

  const TEXT = '<h1>Title</h1><p>text</p>';
  const LONG = TEXT.repeat(40);
  it.each([
    ['hides the root', '<style>html, * { display: none !important }</style>'],
    ['makes everything transparent', '<style>* { opacity: 0 !important; color: transparent }</style>'],
    [
      'covers everything in white',
      '<i style="position: fixed; inset: -9in; background: white; z-index: 2147483647">',
    ],
    ['has a dialog in the top layer', '<dialog open style="position: fixed; inset: 0; background: white">'],
    ['clips everything', '<style>html, body { clip-path: inset(50%); overflow: hidden; height: 0 }</style>'],
    [
      'rotates and shrinks its content',
      '<style>body { transform: rotate(45deg) scale(0.01) translate(99in) }</style>',
    ],
    [
      'inverts and blends its colours',
      '<style>html { filter: invert(1); mix-blend-mode: difference }</style>',
    ],
    [
      'masks its content',
      '<style>body { mask: linear-gradient(transparent, transparent); background: white }</style>',
    ],
    ['requests a small page', '<style>@page { size: 5mm 5mm; margin: 0 }</style>'],
    ['requests margins larger than the page', '<style>@page { margin: 40in }</style>'],
    ['rotates its pages', '<style>@page { page-orientation: rotate-left }</style>'],
    [
      'names its own font Helvetica',
      '<style>@font-face { font-family: Helvetica; src: url(data:font/ttf,) }</style>',
    ],
    ['writes from right to left', '<style>html { direction: rtl; writing-mode: vertical-rl }</style>'],
  ])('is visible in every 2-inch square over a template that %s', async (_, hostile) => {
    const pdf = await print(hostile + TEXT.repeat(5));
    const { pages } = await readPdf(await stamped(pdf));
    for (const { text } of pages) expect(text).toMatch(/TEST$/);
    // Drawn at the size that a reader would zoom to, however small the page.
    for (const ink of await inkOf(pdf, 144, 612 / (pages[0]?.width ?? 0)))
      expect(ink).toBeGreaterThan(VISIBLE);
  });

  it.each([
    ['15 to 20 % for TEST', 'test', 0.15, 0.2],
    ['6 to 8 % for PREVIEW', 'preview', 0.06, 0.08],
  ] as const)('has a contrast of %s on every flat color, in each channel', async (_, mode, least, most) => {
    const levels = [0, 51, 128, 204, 255];
    const colours = levels.flatMap((red) =>
      levels.flatMap((green) => levels.map((blue) => `rgb(${red} ${green} ${blue})`)),
    );
    const html = colours.map((colour) => `<div style="height: 2in; background: ${colour}"></div>`);
    const size = { paperWidth: 2, paperHeight: 2, ...NO_MARGINS };
    const pdf = await print(`<style>body { margin: 0 }</style>${html.join('')}`, size);
    const plain = await drawPdf(pdf, { scale: 1 });
    expect(plain.map(contrastOf)).toEqual(colours.map(() => [0, 0, 0]));
    for (const picture of await drawPdf(await finished(pdf, mode), { scale: 1 })) {
      for (const contrast of contrastOf(picture)) {
        expect(contrast).toBeGreaterThanOrEqual(least);
        expect(contrast).toBeLessThanOrEqual(most);
      }
    }
  });

  it.each([
    ['a label', 3, 1, 2],
    ['tiny', 0.2, 0.2, 20],
    ['very wide and flat', 40, 0.1, 5],
    ['very narrow and tall', 0.1, 40, 5],
    ['of 17in by 30in', 17, 30, 0.5],
    ['as large as possible', 200, 200, 0.15],
  ])(
    'is in every 2-inch square, and in smaller squares on a small page: %s',
    async (_, width, height, scale) => {
      const pdf = await print('', { paperWidth: width, paperHeight: height, ...NO_MARGINS });
      const side = 72 * Math.max(0.25, Math.min(2, width, height));
      const [ink = 0] = await inkOf(pdf, side, scale);
      expect(ink).toBeGreaterThan(VISIBLE);
    },
  );

  it('fits each page of a document with several page sizes', async () => {
    const html = `<style>@page a{size:3in 1in} @page b{size:30in 20in; page-orientation: rotate-right}</style>
      <p style="page:a">a<p style="page:b">b<p>c`;
    const [a = 0] = await inkOf(await print(html), 72);
    for (const ink of [a, ...(await inkOf(await print(html)))]) expect(ink).toBeGreaterThan(VISIBLE);
  });

  it('adds less than three kilobytes to the largest page', async () => {
    const printed = await print('x', { paperWidth: 200, paperHeight: 200, ...NO_MARGINS });
    const pdf = await stamped(printed);
    expect(pdf.length - printed.length).toBeLessThan(3000);
  });

  it('is in one revision of the file, without the unmarked content of any page', async () => {
    const printed = await print(LONG);
    const pdf = await stamped(printed);
    for (const once of ['%%EOF', 'startxref', 'trailer', '\nxref\n', '/Producer']) {
      expect(pdf.toString('latin1').split(once), once).toHaveLength(2);
    }
    expect(pdf.includes('/Prev')).toBe(false);
    const before = new PdfFile(printed);
    const streams = contentsOf(before).map((contents) => before.stream(contents)?.data);
    expect(streams.length).toBeGreaterThan(1);
    for (const data of streams) expect(pdf.includes(printed.subarray(data?.start, data?.end))).toBe(false);
    const after = new PdfFile(pdf);
    const texts = contentsOf(before).map((contents) => contentOf(before, contents));
    for (const [page, contents] of contentsOf(after).entries()) {
      const [unmarked = '', marked] = [texts[page], contentOf(after, contents)];
      expect(marked.startsWith(`q\n${unmarked}\nQ\n/Artifact BMC q`)).toBe(true);
      expect(marked).toMatch(/ EMC\n$/);
    }
  });

  it('precedes the content of every page in the file, and all content precedes all pages', async () => {
    const pdf = await stamped(await print(LONG));
    const file = new PdfFile(pdf);
    const offset = (object?: number) => pdf.indexOf(`\n${object} 0 obj\n`);
    const mark = pdf.indexOf('/PatternType 1');
    const contents = contentsOf(file).map((value) => offset(referenceIn(pdf, value)));
    const pages = Array.from(file.pages(), ({ object }) => offset(object));
    expect(mark).toBeGreaterThan(0);
    expect(Math.min(...contents)).toBeGreaterThan(mark);
    expect(Math.min(...pages)).toBeGreaterThan(Math.max(...contents));
  });

  const EFFECTS = `<style>i { position: fixed; inset: 0; mask: linear-gradient(red, transparent); opacity: .5;
    mix-blend-mode: multiply; clip-path: circle(20%); filter: blur(2px); transform: rotate(3deg) }</style>
    <i>a</i><i>b</i><svg><mask id="m"><rect width="9" height="9" fill="white"/></mask>
    <g clip-path="url(#c)" mask="url(#m)" opacity=".3"><rect width="99" height="99"/></g></svg>`;
  it.each([
    ['q', 'Q', EFFECTS + LONG],
    ['BDC', 'EMC', LONG],
  ])('follows content that balances every %s with %s', async (open, close, html) => {
    const file = new PdfFile(await print(html, { generateTaggedPDF: true }));
    const pages = contentsOf(file).map((contents) => contentOf(file, contents).split(/\s+|>>/));
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat()).toContain(open);
    for (const operators of pages) {
      let depth = 0;
      for (const operator of operators) {
        if (operator === open) depth += 1;
        if (operator === close) depth -= 1;
        expect(depth).toBeGreaterThanOrEqual(0);
      }
      expect(depth).toBe(0);
    }
  });
});

describe('the watermark on other PDF structures', () => {
  /** Leaves behind a clip, a color and its own coordinate system. */
  const CONTENT = '0 0 1 rg 0 0 5 5 re W n .1 0 0 -.1 900 900 cm 3 Tr /Own gs';
  const OWN = '<</Type /ExtGState /ca 0>>';

  const one = (page: string, node: string, ...more: string[]) =>
    handmadePdf([
      '<</Type /Catalog /Pages 2 0 R>>',
      `<</Type /Pages /Count 1 /Kids [3 0 R] ${node}>>`,
      `<</Type /Page /Parent 2 0 R ${page}>>`,
      OWN,
      streamOf(CONTENT),
      ...more,
    ]);

  const BOX = '/MediaBox [0 0 600 400]';
  const RESOURCES = '/Resources <</ExtGState <</Own 4 0 R>>>>';

  it.each([
    ['own content and resources', one(`/Contents 5 0 R ${BOX} ${RESOURCES}`, '')],
    ['no resources', one(`/Contents 5 0 R ${BOX}`, '')],
    ['inherited size and resources', one('/Contents 5 0 R', `${BOX} ${RESOURCES}`)],
    ['an indirect page size', one('/Contents 5 0 R /MediaBox 6 0 R', RESOURCES, '[600 400 0 0]')],
    [
      'indirect resources',
      one(`/Contents 5 0 R ${BOX} /Resources 6 0 R`, '', '<</ExtGState <</Own 4 0 R>>>>'),
    ],
    [
      'indirect parts of its resources',
      one(`/Contents 5 0 R ${BOX} /Resources <</ExtGState 6 0 R>>`, '', '<</Own 4 0 R>>'),
    ],
    ['a page origin other than zero', one('/Contents 5 0 R /MediaBox [-300.5 -200 299.5 200]', RESOURCES)],
    ['a rotation', one(`/Contents 5 0 R ${BOX} /Rotate 90`, RESOURCES)],
  ])('covers the page: %s', async (_, pdf) => {
    expect((await readPdf(await stamped(pdf))).pages.map(({ text }) => text)).toEqual(['TEST']);
    const [ink] = await inkOf(pdf);
    expect(ink).toBeGreaterThan(VISIBLE);
  });

  const CONTENTS = `/Contents 5 0 R ${BOX}`;
  const filtered = (filter: string) => streamOf(CONTENT).replace('<<', `<</Filter ${filter} `);
  it.each<[string, string, string?, [string, string]?]>([
    ['fewer pages than the page count states', CONTENTS, '', ['/Count 1', '/Count 2']],
    ['a page that is its own parent', CONTENTS, '', ['[3 0 R]', '[2 0 R]']],
    ['a page without a size', '/Contents 5 0 R'],
    ['an incomplete page size', '/Contents 5 0 R /MediaBox [0 0 600]'],
    ['a page size that is not numeric', '/Contents 5 0 R /MediaBox [0 0 /a /b]'],
    ['missing resources', `${CONTENTS} /Resources 77 0 R`],
    ['no content', BOX],
    ['several content streams', `/Contents [5 0 R] ${BOX}`],
    ['content that is not a stream', `/Contents 4 0 R ${BOX}`],
    ['content with another filter', `/Contents 6 0 R ${BOX}`, filtered('/ASCIIHexDecode')],
    ['content that is not compressed as it says', `/Contents 6 0 R ${BOX}`, filtered('/FlateDecode')],
  ])('fails as retryable for %s', async (_, page, more = '', [from, to] = ['', '']) => {
    const text = one(page, '', ...(more === '' ? [] : [more])).toString('latin1');
    const failure = expect.objectContaining({ code: 'watermark_failed', retryable: true });
    await expect(stamped(Buffer.from(text.replace(from, to), 'latin1'))).rejects.toEqual(failure);
  });
});

function contentsOf(file: PdfFile): Span[] {
  return Array.from(file.pages(), ({ entries }) => entries.get('Contents') ?? expect.fail('no content'));
}

/** Returns a stream. Chromium does not compress content that would not get smaller. */
function contentOf(file: PdfFile, contents: Span): string {
  const { entries, data } = file.stream(contents) ?? expect.fail('no stream');
  const bytes = file.bytes.subarray(data.start, data.end);
  return (entries.has('Filter') ? inflateSync(bytes) : bytes).toString('latin1');
}

import { inflateSync } from 'node:zlib';
import { getDocument, Util } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Browser } from '../../browser/process/browser.ts';
import type { DocumentPage, PrintSettings } from '../../browser/page/document-page.ts';
import { WARM_UP_SETTINGS } from '../../browser/pool/warm-up.ts';
import { emptyWindows, markedRuns } from '../../testing/files/marked-runs.ts';
import { handmadePdf, streamOf } from '../../testing/files/handmade-pdf.ts';
import { drawPdf, type PdfPicture } from '../../testing/files/pdf-picture.ts';
import { readPdf } from '../../testing/files/read-pdf.ts';
import { launchTestBrowser, openPage } from '../../testing/browser/test-browser.ts';
import { finishPdf } from '../finish-pdf.ts';
import { PdfFile } from '../file/pdf-file.ts';
import type { Span } from '../file/pdf-syntax.ts';

const createdAt = new Date('2026-11-20T01:02:03.456Z');
const NO_MARGINS = { marginTop: 0, marginRight: 0, marginBottom: 0, marginLeft: 0 };

const stamped = async (pdf: Buffer) => (await finishPdf(pdf, { mode: 'test', createdAt })).pdf;
const unstamped = async (pdf: Buffer) => (await finishPdf(pdf, { mode: 'live', createdAt })).pdf;

/** Number of pixels in the outline colour of the letters. */
function outlined({ pixels }: PdfPicture): number {
  let count = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(at, at + 3);
    if (Math.abs(red - 191) + Math.abs(green - 26) + Math.abs(blue - 26) < 12) count += 1;
  }
  return count;
}

/**
 * Positions of the marks on the sides of a page, for `inch` pixels per inch. Letters are less than half an inch apart.
 */
function markedSides({ width, height, pixels }: PdfPicture, inch: number) {
  const columns = Array.from({ length: width }, () => false);
  const rows = Array.from({ length: height }, () => false);
  for (let at = 0; at < width * height; at += 1) {
    const [red = 0, green = 0] = pixels.subarray(at * 4, at * 4 + 2);
    if (red - green < 30) continue;
    columns[at % width] = true;
    rows[Math.floor(at / width)] = true;
  }
  return { columns: markedRuns(columns, inch / 2), rows: markedRuns(rows, inch / 2) };
}

/** Range of the green values on a page's middle line: the contrast for an eye or a grey printer. */
function contrast({ width, height, pixels }: PdfPicture): number {
  const greens: number[] = [];
  for (let column = 0; column < width; column += 1) {
    greens.push(pixels[(Math.floor(height / 2) * width + column) * 4 + 1] ?? 0);
  }
  return Math.max(...greens) - Math.min(...greens);
}

/** Side of the largest square, in pixels, whose green values are all below 100. */
function largestSquare(pixels: Uint8ClampedArray, width: number): number {
  const sides = new Uint16Array(pixels.length / 4);
  for (let at = 0; at < sides.length; at += 1) {
    const [left = 0, above = 0, corner = 0] = [sides[at - 1], sides[at - width], sides[at - width - 1]];
    sides[at] = (pixels[at * 4 + 1] ?? 0) < 100 ? 1 + Math.min(left, above, corner) : 0;
  }
  return sides.reduce((largest, side) => Math.max(largest, side), 0);
}

describe('the watermark on output of Chromium', () => {
  let browser: Browser;
  let page: DocumentPage;
  const print = (html: string, settings: Partial<PrintSettings> = {}) =>
    page.print(`<!doctype html>${html}`, { ...WARM_UP_SETTINGS, ...settings });

  beforeAll(async () => {
    browser = await launchTestBrowser();
    page = await openPage(browser);
  });
  afterAll(() => browser.stop());

  it.each([1, 2, 9, 520])('is text on each page of a document of %i pages', async (count) => {
    const html = Array.from({ length: count }, (_, index) => {
      const end = index === count - 1 ? '' : ' style="break-after: page"';
      return `<p${end}>page ${index}, <a href="http://x.example/(${index}%20">>>/Contents</a></p>`;
    });
    const pdf = await stamped(await print(html.join('')));
    const { pages } = await readPdf(pdf);
    expect(pages).toHaveLength(count);
    pages.forEach((one, index) => expect(one.text).toMatch(new RegExp(`^page ${index}, .*TEST$`)));
  });

  it('never appears in a document of a live key', async () => {
    const pdf = await unstamped(await print('<p>one<p style="break-before: page">two'));
    expect((await readPdf(pdf)).pages.map(({ text }) => text)).toEqual(['one', 'two']);
    expect((await drawPdf(pdf)).map(outlined)).toEqual([0, 0]);
    expect(pdf.includes('TEST')).toBe(false);
  });

  const LONG = '<h1>Title</h1><p>text</p>'.repeat(40);
  it.each([
    ['hides the body', '<style>body { display: none }</style>'],
    ['hides the root', '<style>html, * { display: none !important }</style>'],
    ['hides everything in print', '<style>@media print { * { visibility: hidden !important } }</style>'],
    ['makes everything transparent', '<style>* { opacity: 0 !important; color: transparent }</style>'],
    [
      'covers everything in white',
      '<i style="position: fixed; inset: -9in; background: white; z-index: 2147483647">',
    ],
    [
      'covers everything in black',
      '<i style="position: fixed; inset: -9in; background: black; z-index: 2147483647">',
    ],
    [
      'covers everything in the colour of the marks',
      '<i style="position: fixed; inset: -9in; background: rgb(191 26 26)">',
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
  ])('is visible over a template that %s', async (_, hostile) => {
    const pdf = await stamped(await print(hostile + LONG));
    const { pages } = await readPdf(pdf);
    for (const { text } of pages) expect(text).toMatch(/TEST$/);
    // Drawn at the size that a reader would zoom to, however small the page is.
    const pictures = await drawPdf(pdf, { scale: 306 / (pages[0]?.width ?? 0) });
    expect(pictures).toHaveLength(pages.length);
    for (const picture of pictures) {
      expect(outlined(picture)).toBeGreaterThan(200);
      expect(contrast(picture)).toBeGreaterThan(80);
    }
  });

  it('contrasts with any background', async () => {
    const levels = [0, 26, 64, 128, 191, 255];
    const colours = levels.flatMap((red) => levels.map((rest) => `rgb(${red} ${rest} ${rest})`));
    const html = colours.map((colour) => `<div style="height: 11in; background: ${colour}"></div>`);
    const pdf = await print(`<style>body { margin: 0 }</style>${html.join('')}`, NO_MARGINS);
    const plain = await drawPdf(await unstamped(pdf), { scale: 0.25 });
    expect(plain.map(contrast)).toEqual(colours.map(() => 0));
    const marked = await drawPdf(await stamped(pdf), { scale: 0.25 });
    for (const picture of marked) expect(contrast(picture)).toBeGreaterThan(80);
  });

  it('hides no area of the content that is as large as a small letter', async () => {
    const onPage = async (background: string) => {
      const pdf = await print(`<style>html { background: ${background} }</style>`, NO_MARGINS);
      const { pdf: marked } = await finishPdf(pdf, { mode: 'preview', createdAt });
      return (await drawPdf(marked, { scale: 2 }))[0] as PdfPicture;
    };
    const [onWhite, onBlack] = [await onPage('white'), await onPage('black')];
    // A pixel is hidden where white content and black content look alike.
    const contrasts = onWhite.pixels.map((value, at) => value - (onBlack.pixels[at] ?? 0));
    const hiddenPoints = largestSquare(contrasts, onWhite.width) / 2;
    expect(hiddenPoints).toBeGreaterThan(0);
    expect(hiddenPoints).toBeLessThanOrEqual(5);
  });

  it.each([
    ['tiny', 0.2, 0.2],
    ['very wide and flat', 40, 0.1],
    ['very narrow and tall', 0.1, 40],
    ['very large', 150, 150],
    ['as large as possible', 200, 200],
  ])('lies within a page that is %s', async (_, paperWidth, paperHeight) => {
    const pdf = await stamped(await print('x', { paperWidth, paperHeight, ...NO_MARGINS }));
    const marks = await readMarks(pdf);
    expect(marks.length).toBeGreaterThan(0);
    for (const mark of marks) {
      expect(mark.horizontal).toBe(true);
      expect(mark.left).toBeGreaterThan(0);
      expect(mark.right).toBeLessThan(mark.width);
      expect(mark.size).toBeLessThanOrEqual(mark.height * 0.3 + 0.01);
    }
    const middle = (axis: 'x' | 'y') =>
      marks.reduce((sum, mark) => sum + mark.middle[axis], 0) / marks.length;
    expect(middle('x')).toBeCloseTo((marks[0]?.width ?? 0) / 2, 0);
    expect(middle('y')).toBeCloseTo((marks[0]?.height ?? 0) / 2, 0);
  });

  it.each([
    ['200in by 11in', 200, 11],
    ['11in by 200in', 11, 200],
    ['17in by 30in', 17, 30],
  ])('is whole in every letter-size part of a page of %s', async (_, width, height) => {
    const pdf = await stamped(await print('x', { paperWidth: width, paperHeight: height, ...NO_MARGINS }));
    const inch = 18;
    const [picture] = await drawPdf(pdf, { scale: inch / 72 });
    const { columns, rows } = markedSides(picture as PdfPicture, inch);
    expect(emptyWindows(columns, width * inch, 8.5 * inch)).toEqual([]);
    expect(emptyWindows(rows, height * inch, 8.5 * inch)).toEqual([]);
  });

  it('fits each page of a document with several page sizes', async () => {
    const html = `<style>@page a{size:3in 2in} @page b{size:30in 20in; page-orientation: rotate-right}</style>
      <p style="page:a">a<p style="page:b">b<p>c`;
    const marks = await readMarks(await stamped(await print(html)));
    const sizes = marks.map(({ width, height }) => `${width / 72} × ${height / 72}`);
    expect(sizes).toEqual(['3 × 2', ...Array.from({ length: 9 }, () => '20 × 30'), '8.5 × 11']);
  });

  it('adds a few kilobytes for more than 500 marks', async () => {
    const printed = await print('x', { paperWidth: 200, paperHeight: 200, ...NO_MARGINS });
    const pdf = await stamped(printed);
    expect((await readMarks(pdf)).length).toBeGreaterThan(500);
    expect(pdf.length - printed.length).toBeLessThan(6000);
  });

  it('comes after content that balances every q with a Q', async () => {
    const html = `<style>i { position: fixed; inset: 0; mask: linear-gradient(red, transparent); opacity: .5;
      mix-blend-mode: multiply; clip-path: circle(20%); filter: blur(2px); transform: rotate(3deg) }</style>
      <i>a</i><i>b</i><svg><mask id="m"><rect width="9" height="9" fill="white"/></mask>
      <g clip-path="url(#c)" mask="url(#m)" opacity=".3"><rect width="99" height="99"/></g></svg>${LONG}`;
    const file = new PdfFile(await print(html));
    const pages = [...file.pages()];
    expect(pages.length).toBeGreaterThan(1);
    for (const { entries } of pages) {
      const contents = entries.get('Contents');
      if (!contents) throw new Error('a page has no content');
      const operators = contentOf(file, contents).split(/\s+/);
      let depth = 0;
      for (const operator of operators) {
        if (operator === 'q') depth += 1;
        if (operator === 'Q') depth -= 1;
        expect(depth).toBeGreaterThanOrEqual(0);
      }
      expect(operators).toContain('q');
      expect(depth).toBe(0);
    }
  });
});

describe('the watermark on other PDF structures', () => {
  /** Leaves a clip, a colour and its own coordinate system behind. */
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
    [
      'an array of content streams',
      one(`/Contents [5 0 R 6 0 R] ${BOX} ${RESOURCES}`, '', streamOf('/Own gs')),
    ],
    ['an indirect array of content streams', one(`/Contents 6 0 R ${BOX} ${RESOURCES}`, '', '[5 0 R]')],
    ['no content', one(BOX, '')],
    ['null as content', one(`${BOX} /Contents null`, '')],
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
    ['a crop box', one('/Contents 5 0 R /MediaBox [0 0 9000 9000] /CropBox [100 200 700 600]', RESOURCES)],
    ['a rotation by 90 degrees', one(`/Contents 5 0 R /MediaBox [0 0 400 600] /Rotate 90`, RESOURCES)],
    ['an inherited rotation by 180 degrees', one(`/Contents 5 0 R ${BOX}`, `${RESOURCES} /Rotate 180`)],
    ['a rotation by -90 degrees', one('/Contents 5 0 R /MediaBox [0 0 400 600] /Rotate -90', RESOURCES)],
    [
      'a rotation that overrides the inherited one',
      one(`/Contents 5 0 R ${BOX} /Rotate 0`, `${RESOURCES} /Rotate 90`),
    ],
  ])('is centered, horizontal and visible: %s', async (_, pdf) => {
    const marked = await stamped(pdf);
    const marks = await readMarks(marked);
    expect(marks).toHaveLength(1);
    const [mark] = marks;
    expect(mark).toMatchObject({ text: 'TEST', horizontal: true, width: 600, height: 400 });
    expect(mark?.middle.x).toBeCloseTo(300, 1);
    expect(mark?.middle.y).toBeCloseTo(200, 1);
    const [picture] = await drawPdf(marked);
    expect(outlined(picture as PdfPicture)).toBeGreaterThan(200);
    expect(marked.subarray(0, pdf.length).equals(pdf)).toBe(true);
  });

  it('repeats by the page size in inches when the user unit is longer than a point', async () => {
    const marks = await readMarks(await stamped(one('/MediaBox [0 0 1440 720] /UserUnit 3', '')));
    // 60in by 30in.
    expect(marks).toHaveLength(10 * 3);
  });

  it.each([
    [
      'fewer pages than the page count states',
      one(BOX, '').toString('latin1').replace('/Count 1', '/Count 2'),
    ],
    ['a page without a size', one('', '').toString('latin1')],
    ['an incomplete page size', one('/MediaBox [0 0 600]', '').toString('latin1')],
    ['a page size that is not numeric', one('/MediaBox [0 0 /a /b]', '').toString('latin1')],
    ['a rotation by 45 degrees', one(`${BOX} /Rotate 45`, '').toString('latin1')],
    ['missing resources', one(`${BOX} /Resources 77 0 R`, '').toString('latin1')],
    ['a page that is its own parent', one(BOX, '').toString('latin1').replace('[3 0 R]', '[2 0 R]')],
  ])('fails as retryable for %s', async (_, text) => {
    const failure = expect.objectContaining({ code: 'watermark_failed', retryable: true });
    await expect(stamped(Buffer.from(text, 'latin1'))).rejects.toEqual(failure);
  });
});

/** Returns a stream by Chromium, which does not compress content that would not get smaller. */
function contentOf(file: PdfFile, contents: Span): string {
  const { start } = file.resolve(contents);
  const entries = file.dictionary(contents);
  const length = entries.get('Length');
  if (!length) throw new Error('a stream has no length');
  const from = file.bytes.indexOf('>> stream\n', start) + '>> stream\n'.length;
  const bytes = file.bytes.subarray(from, from + file.number(length));
  return (entries.has('Filter') ? inflateSync(bytes) : bytes).toString('latin1');
}

/** Returns the positions of the marks as a reader shows the pages: in points from the left and top. */
async function readMarks(file: Buffer) {
  const task = getDocument({ data: new Uint8Array(file), verbosity: 0, useSystemFonts: false });
  const document = await task.promise;
  const marks = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const viewport = page.getViewport({ scale: 1 });
    for (const item of (await page.getTextContent()).items) {
      if (!('str' in item) || item.str !== 'TEST') continue;
      const [a, b, , d, x, y] = Util.transform(viewport.transform, item.transform) as number[] as [
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      const size = -d;
      marks.push({
        text: item.str,
        width: viewport.width,
        height: viewport.height,
        horizontal: a > 0 && Math.abs(b) < 1e-6,
        size,
        left: x,
        right: x + item.width,
        middle: { x: x + item.width / 2, y: y - (size * 0.718) / 2 },
      });
    }
  }
  await task.destroy();
  return marks;
}

import type { RenderOptions } from '@trifold/crds';
import { describe, expect, it } from 'vitest';
import { noisePng } from '../testing/files/png.ts';
import { readPdf } from '../testing/files/read-pdf.ts';
import { renderDocument, type TestDocument } from '../testing/render-document.ts';
import { testPage } from '../testing/browser/test-browser.ts';

const chromium = testPage();

const render = async (document: TestDocument) => readPdf(await renderDocument(chromium.page, document));

/** Ten points high, in the corner of the content area. */
const CORNER = '<style>body { margin: 0; font: 10pt/10pt sans-serif }</style><div>corner</div>';
/** Distance from a line's top to its baseline. */
const ASCENT = 8.3;

/** Returns the width and height of the first page and the start of its content, in points. */
async function measure(document: TestDocument) {
  const { pages } = await render(document);
  const [first] = pages;
  const item = first?.texts.find(({ text }) => text.startsWith('corner'));
  return {
    width: first?.width,
    height: first?.height,
    left: item?.left,
    top: (item?.baseline ?? Number.NaN) - ASCENT,
  };
}

/** Chromium lays out in whole pixels, which can differ by a point. */
const about = (points: number): unknown => expect.closeTo(points, -0.5);

it.each<[RenderOptions, number, number]>([
  [{}, 612, 792],
  [{ pageSize: 'letter', orientation: 'landscape' }, 792, 612],
  [{ pageSize: 'a4' }, 595, 842],
  [{ pageSize: 'a4', orientation: 'landscape' }, 842, 595],
  [{ pageSize: 'legal' }, 612, 1008],
  [{ pageSize: 'a3' }, 842, 1191],
  [{ pageSize: 'a5', orientation: 'landscape' }, 595, 420],
  [{ pageSize: 'tabloid' }, 792, 1224],
  [{ pageSize: 'dl' }, 312, 624],
  [{ pageSize: 'c5' }, 459, 649],
  [{ pageSize: 'custom', width: '4in', height: '6in' }, 288, 432],
  [{ pageSize: 'custom', width: '100mm', height: '50mm' }, 284, 142],
  [{ pageSize: 'custom', width: '960px', height: '480px' }, 720, 360],
  // Width and height fully define a custom page.
  [{ pageSize: 'custom', width: '6in', height: '4in', orientation: 'portrait' }, 432, 288],
  [{ pageSize: 'custom', width: '4in', height: '6in', orientation: 'landscape' }, 288, 432],
  [{ pageSize: 'custom', width: '200in', height: '200in' }, 14_400, 14_400],
])('the size of a page %j is %d by %d points', async (options, width, height) => {
  expect(await measure({ html: CORNER, options })).toEqual({
    width: about(width),
    height: about(height),
    left: about(29),
    top: about(29),
  });
});

it.each([0.1, 0.5, 1, 1.5, 2])(
  'a scale of %d resizes the content but keeps the page and the margins',
  async (scale) => {
    const file = await renderDocument(chromium.page, { html: CORNER, options: { scale } });
    const { pages } = await readPdf(file);
    expect(pages[0]?.width).toBe(612);
    expect(pages[0]?.texts[0]?.left).toBeCloseTo(28.8, -0.5);
    expect(pages[0]?.texts[0]?.baseline).toBeCloseTo(28.8 + ASCENT * scale, -0.5);
  },
);

describe('print_background', () => {
  const html = '<style>body { background: #ff0000 }</style><b>x</b>';

  it.each([
    [true, true],
    [false, false],
    [undefined, true],
  ])('controls the page background: %s', async (printBackground, printed) => {
    const options = printBackground === undefined ? {} : { printBackground };
    const { pages } = await render({ html, options });
    expect(pages[0]?.fillColors.includes('#ff0000')).toBe(printed);
  });
});

describe('tags and outline', () => {
  const html = '<h1>First</h1><p>text</p><h2>Inner</h2><h1>Second</h1>';

  it.each<[RenderOptions, boolean, string[]]>([
    [{}, false, []],
    [{ tagged: true }, true, []],
    [{ outline: true }, true, ['First', 'Inner', 'Second']],
    [{ tagged: true, outline: true }, true, ['First', 'Inner', 'Second']],
  ])('are present only on request: %j', async (options, tagged, outline) => {
    expect(await render({ html, options })).toMatchObject({ tagged, outline });
  });

  it('work with a header, but do not include it', async () => {
    const header = { enabled: true, content: '<h1>Above</h1>' };
    const pdf = await render({ html, options: { tagged: true, outline: true, header } });
    expect(pdf).toMatchObject({ tagged: true, outline: ['First', 'Inner', 'Second'] });
    expect(pdf.pages[0]?.text).toContain('Above');
  });
});

describe('page_ranges', () => {
  const html = [1, 2, 3, 4, 5].map((page) => `<p style="break-after: page">text ${page}</p>`).join('');
  const footer = { enabled: true, content: 'page {{page}} of {{pages}}' };
  const textsOf = async (pageRanges: string) =>
    (await render({ html, options: { pageRanges, footer } })).pages.map(({ text }) => text);

  it.each([
    ['1-', [1, 2, 3, 4, 5]],
    ['4-,2', [2, 4, 5]],
    ['3-9,1-1,3', [1, 3, 4, 5]],
  ])('%s selects pages that keep their numbers', async (ranges, numbers) => {
    const texts = await textsOf(ranges);
    expect(texts).toEqual(numbers.map((n) => expect.stringMatching(`text ${n}.*page ${n} of 5`) as unknown));
  });

  it('leaves out the data of other pages', async () => {
    const images = [1, 2, 3].map((n) => {
      const image = `<img src="data:image/png;base64,${noisePng(100)}">`;
      return `<a href="https://example.com/${n}" style="display: block; break-after: page">${image}</a>`;
    });
    const sizeOf = async (pageRanges?: string) => {
      const file = await renderDocument(chromium.page, {
        html: images.join(''),
        options: { ...(pageRanges !== undefined && { pageRanges }), footer },
      });
      const text = file.toString('latin1');
      const links = Array.from(text.matchAll(/example\.com\/(\d)/g), (match) => Number(match[1]));
      const pictures = text.match(/\/Subtype \/Image/g)?.length;
      return { links: [...new Set(links)], pictures, bytes: file.length };
    };
    const whole = await sizeOf();
    const middle = await sizeOf('2');
    expect(whole).toMatchObject({ links: [1, 2, 3], pictures: 3 });
    expect(middle).toMatchObject({ links: [2], pictures: 1 });
    expect(whole.bytes - middle.bytes).toBeGreaterThan(2 * 100 * 100 * 3);
  });

  it.each(['6', '3-2'])('%s fails the document because it selects no page', async (ranges) => {
    await expect(textsOf(ranges)).rejects.toMatchObject({ code: 'options_invalid' });
  });
});

import { describe, expect, it } from 'vitest';
import { drawPdf, type PdfPicture } from '../testing/files/pdf-picture.ts';
import { renderDocument, type TestDocument } from '../testing/render-document.ts';
import { testPage } from '../testing/browser/test-browser.ts';

const chromium = testPage();

/** A letter for each colour in the documents, because fonts differ between machines but colours do not. */
const LETTERS: Readonly<Record<string, string>> = {
  '255,255,255': '.',
  '255,0,0': 'H',
  '0,0,255': 'F',
  '0,255,0': 'c',
  '0,128,0': 'C',
  '255,255,0': 'L',
};

/** Converts a picture to text: the colour in the middle of every half inch. */
function sketch({ width, height, pixels }: PdfPicture): string[] {
  const cells = (length: number) =>
    Array.from({ length: Math.round(length / 36) }, (_, index) => index * 36 + 18);
  return cells(height).map((y) =>
    cells(width)
      .map((x) => LETTERS[pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 3).join()] ?? '?')
      .join(''),
  );
}

/** Returns sketches of all pages, side by side. */
async function pictures(document: TestDocument): Promise<string> {
  const drawn = await drawPdf(await renderDocument(chromium.page, document), { scale: 1 });
  const sketches = drawn.map(sketch);
  return `\n${sketches[0]?.map((_, row) => sketches.map((each) => each[row]).join('  ')).join('\n')}\n`;
}

const CSS = `
  body { margin: 0; background: #00ff00 } p { margin: 0; height: 2in; background: #008000; break-inside: avoid }
  p + p { margin-top: 0.5in } .head { height: 9in; background: #ff0000 } .foot { height: 9in; background: #0000ff }
  .logo { width: 1in; height: 0.5in; background: #ffff00; position: absolute; right: 0; top: 0.5in }`;
const BANDS = {
  header: { enabled: true, height: '1in', content: '<div class="head"></div><div class="logo"></div>' },
  footer: { enabled: true, height: '0.5in', content: '<div class="foot">{{page}}</div>' },
};
const PAGE = { pageSize: 'custom', width: '5in', height: '6in' } as const;
const MARGINS = { top: '0.5in', right: '0.5in', bottom: '1in', left: '1in' };

describe('the layout of a printed page', () => {
  it('includes margins, header, content and footer', async () => {
    const document = { html: '<p></p><p></p>', css: CSS, options: { ...PAGE, margins: MARGINS, ...BANDS } };
    expect(await pictures(document)).toMatchInlineSnapshot(`
      "
      ..........  ..........
      ..HHHHHHH.  ..HHHHHHH.
      ..HHHHHLL.  ..HHHHHLL.
      ..CCCCCCC.  ..CCCCCCC.
      ..CCCCCCC.  ..CCCCCCC.
      ..CCCCCCC.  ..CCCCCCC.
      ..CCCCCCC.  ..CCCCCCC.
      ..ccccccc.  ..ccccccc.
      ..ccccccc.  ..ccccccc.
      ..FFFFFFF.  ..FFFFFFF.
      ..........  ..........
      ..........  ..........
      "
    `);
  });
});

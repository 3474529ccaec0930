import { describe, expect, it } from 'vitest';
import { comparePdfs, MAX_SHOWN_PAGES } from './compare-pdfs.ts';
import { fontNames } from './font-names.ts';
import type { OpenPdf, PageImage } from './open-pdf.ts';

const WHITE = 0xff;

/** A white image with a gray rectangle. */
function drawn(gray: number, { left = 10, top = 10, height = 40 } = {}): PageImage {
  const width = 40;
  const data = new Uint8ClampedArray(width * height * 4).fill(WHITE);
  for (let y = top; y < top + 8; y += 1) {
    for (let x = left; x < left + 12; x += 1) data.fill(gray, (y * width + x) * 4, (y * width + x) * 4 + 3);
  }
  return { width, height, data };
}

type Page = readonly [text: string, image?: PageImage];

/** Compares files that a fake reader says contain these pages. */
async function compare(before: readonly Page[], after: readonly Page[]) {
  const files = [before, after];
  const open: OpenPdf[] = [];
  const differences = await comparePdfs(Uint8Array.of(0), Uint8Array.of(1), async ([index = 0]) => {
    const pages = files[index] ?? [];
    const draws = pages.some(([, image]) => image);
    const file: OpenPdf = {
      pages: pages.length,
      textOf: async (page) => (pages[page - 1]?.[0] ?? '').split('\n'),
      ...(draws && { imageOf: async (page: number) => pages[page - 1]?.[1] ?? expect.fail() }),
      close: async () => void open.splice(open.indexOf(file), 1),
    };
    open.push(file);
    return file;
  });
  expect(open).toEqual([]);
  return differences;
}

describe('Two PDFs', () => {
  it.each<
    [string, readonly Page[], readonly Page[], readonly (readonly [number, boolean, number | undefined])[]]
  >([
    ['equal pages', [['a', drawn(0)]], [['a', drawn(0)]], []],
    ['a line that moved', [['a', drawn(0)]], [['a', drawn(0, { top: 20 })]], [[1, false, 192]]],
    ['a pale shade that disappears', [['a', drawn(0xf5)]], [['a', drawn(0xff)]], [[1, false, 96]]],
    ['a change too pale to see', [['a', drawn(0xfd)]], [['a', drawn(0xff)]], []],
    ['different text', [['a\nb'], ['c']], [['a\nb'], ['d']], [[2, true, undefined]]],
    [
      'a new page',
      [['a', drawn(0)]],
      [
        ['a', drawn(0)],
        ['b', drawn(0)],
      ],
      [[2, true, undefined]],
    ],
    ['a missing page', [['a'], ['b']], [['a']], [[2, true, undefined]]],
    ['a page with a new size', [['a', drawn(0)]], [['a', drawn(0, { height: 41 })]], [[1, false, 40]]],
  ])('with %s', async (_what, before, after, expected) => {
    const { pages, differing } = await compare(before, after);
    expect(pages).toEqual({ before: before.length, after: after.length });
    expect(differing.map(({ page, text, pixels }) => [page, text !== undefined, pixels])).toEqual(expected);
  });

  it('include images of the first pages that differ', async () => {
    const pages = (gray: number) =>
      Array.from({ length: MAX_SHOWN_PAGES + 2 }, () => ['a', drawn(gray)] as const);
    const { differing } = await compare(pages(0), pages(0x80));
    expect(differing.map(({ images }) => images !== undefined)).toEqual([
      ...Array.from({ length: MAX_SHOWN_PAGES }, () => true),
      false,
      false,
    ]);
  });
});

it('The fonts of a PDF are listed once each, without subset prefixes', () => {
  const pdf = '<</BaseFont /AAAAAA+Noto#20Sans/Type /Font>> <</BaseFont/Arial>> <</BaseFont /BAAAAA+Arial>>';
  expect(fontNames(new TextEncoder().encode(pdf))).toEqual(['Arial', 'Noto#20Sans']);
});

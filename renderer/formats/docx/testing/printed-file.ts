import { openPdf } from '@trifold/test-support/files/pdf.ts';
import { drawnPages, type DrawnPage, type ShownImage } from './printed-images.ts';
import { printedWords, type Word } from './printed-words.ts';

export interface PrintedPage extends DrawnPage {
  readonly width: number;
  readonly height: number;
  readonly words: readonly Word[];
  /** URLs with the words, or `[image]`, that link to them. */
  readonly links: readonly string[];
}

interface LinkArea {
  readonly url: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Reads the visible content of a PDF's pages. */
export async function readPrinted(pdf: Buffer = Buffer.alloc(0)): Promise<PrintedPage[]> {
  const words = printedWords(pdf);
  const drawn = await drawnPages(pdf);
  const pages = await linkAreas(pdf);
  return pages.map(({ areas, ...size }, index) => {
    const page = { words: words[index] ?? [], ...(drawn[index] ?? NOTHING) };
    return { ...size, ...page, links: linksOf(areas, page) };
  });
}

const NOTHING: DrawnPage = { images: [], isCut: false };

async function linkAreas(pdf: Buffer) {
  return openPdf(pdf, async (document) => {
    const pages: { width: number; height: number; areas: LinkArea[] }[] = [];
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const { width, height } = page.getViewport({ scale: 1 });
      const annotations = (await page.getAnnotations()) as { url?: string; rect: number[] }[];
      const areas = annotations.flatMap(({ url, rect: [left = 0, bottom = 0, right = 0, top = 0] }) =>
        url === undefined ? [] : [{ url, left, right, top: height - top, bottom: height - bottom }],
      );
      pages.push({ width, height, areas });
    }
    return pages;
  });
}

function linksOf(areas: readonly LinkArea[], page: Pick<PrintedPage, 'words' | 'images'>): string[] {
  return [...new Set(areas.map(({ url }) => url))].map((url) => {
    const own = areas.filter((area) => area.url === url);
    const shown = [...page.words, ...page.images].filter((each) => own.some((area) => isWithin(area, each)));
    const names = shown.map((each) => ('text' in each ? each.text : '[image]'));
    return `${url.replaceAll(' ', '%20')} ${names.join(' ')}`;
  });
}

function isWithin(area: LinkArea, shown: Word | ShownImage): boolean {
  const { left, top } = shown;
  const [right, bottom] =
    'text' in shown ? [shown.right, shown.bottom] : [left + shown.width, top + shown.height];
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  return area.left <= x && x <= area.right && area.top <= y && y <= area.bottom;
}

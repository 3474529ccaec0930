import { compareImages } from './compare-images.ts';
import type { OpenPdf, PdfReader, PageImage } from './open-pdf.ts';

/** A page that differs. */
export interface PageDifference {
  /** Page number, starting at 1. */
  readonly page: number;
  /** Lines of both pages if they differ; a page that only one file has is empty in the other. */
  readonly text?: { readonly before: readonly string[]; readonly after: readonly string[] } | undefined;
  /** Number of differing pixels; undefined if the reader does not draw or only one file has the page. */
  readonly pixels?: number | undefined;
  /** Only for the first `MAX_SHOWN_PAGES` pages that differ, if the reader draws. */
  readonly images?: ComparedImages | undefined;
}

export interface ComparedImages {
  readonly before?: PageImage | undefined;
  readonly after?: PageImage | undefined;
  readonly difference?: PageImage | undefined;
}

export interface PdfDifferences {
  readonly pages: { readonly before: number; readonly after: number };
  readonly differing: readonly PageDifference[];
}

/** The images of a page take up to 48 MB. */
export const MAX_SHOWN_PAGES = 5;

/**
 * Compares what two PDFs show, page by page: text, and pixels if the reader draws. Rejects if one of them is not a PDF.
 */
export async function comparePdfs(
  before: Uint8Array,
  after: Uint8Array,
  read: PdfReader,
): Promise<PdfDifferences> {
  const one = await read(before);
  try {
    const other = await read(after);
    try {
      return await compareOpen(one, other);
    } finally {
      await other.close();
    }
  } finally {
    await one.close();
  }
}

async function compareOpen(before: OpenPdf, after: OpenPdf): Promise<PdfDifferences> {
  const differing: PageDifference[] = [];
  const last = Math.max(before.pages, after.pages);
  for (let page = 1; page <= last; page += 1) {
    const { images, ...difference } = await comparePage(before, after, page);
    const isExtra = page > Math.min(before.pages, after.pages);
    if (!isExtra && !difference.text && !difference.pixels) continue;
    const isShown = images !== undefined && differing.length < MAX_SHOWN_PAGES;
    differing.push({ ...difference, ...(isShown && { images }) });
  }
  return { pages: { before: before.pages, after: after.pages }, differing };
}

async function comparePage(before: OpenPdf, after: OpenPdf, page: number): Promise<PageDifference> {
  const text = { before: await textOf(before, page), after: await textOf(after, page) };
  const isSame = text.before.join('\n') === text.after.join('\n');
  return { page, text: isSame ? undefined : text, ...(await compareDrawn(before, after, page)) };
}

async function compareDrawn(
  one: OpenPdf,
  other: OpenPdf,
  page: number,
): Promise<Pick<PageDifference, 'pixels' | 'images'>> {
  const [before, after] = [await imageOf(one, page), await imageOf(other, page)];
  if (!before || !after) return before || after ? { images: { before, after } } : {};
  const { pixels, image } = compareImages(before, after);
  return { pixels, images: { before, after, difference: image } };
}

async function textOf(file: OpenPdf, page: number): Promise<readonly string[]> {
  return page <= file.pages ? file.textOf(page) : [];
}

async function imageOf(file: OpenPdf, page: number): Promise<PageImage | undefined> {
  return page <= file.pages ? file.imageOf?.(page) : undefined;
}

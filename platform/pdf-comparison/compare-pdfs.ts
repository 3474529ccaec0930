import { comparePictures } from './compare-pictures.ts';
import type { OpenPdf, PdfReader, Picture } from './open-pdf.ts';

/** A page that differs. */
export interface PageDifference {
  /** Numbered from 1. */
  readonly page: number;
  /** Lines of both pages if they differ; a page that only one file has is empty in the other. */
  readonly text?: { readonly before: readonly string[]; readonly after: readonly string[] } | undefined;
  /** Differing pixels; undefined if the reader does not draw or only one file has the page. */
  readonly pixels?: number | undefined;
  /** Of the first `MAX_PICTURED_PAGES` pages that differ, if the reader draws. */
  readonly pictures?: ComparedPictures | undefined;
}

export interface ComparedPictures {
  readonly before?: Picture | undefined;
  readonly after?: Picture | undefined;
  readonly difference?: Picture | undefined;
}

export interface PdfDifferences {
  readonly pages: { readonly before: number; readonly after: number };
  readonly differing: readonly PageDifference[];
}

/** The pictures of a page take up to 48 MB. */
export const MAX_PICTURED_PAGES = 5;

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
    const difference = await comparePage(before, after, page);
    if (!difference) continue;
    const { pictures, ...others } = difference;
    differing.push(differing.length < MAX_PICTURED_PAGES ? difference : others);
  }
  return { pages: { before: before.pages, after: after.pages }, differing };
}

async function comparePage(
  before: OpenPdf,
  after: OpenPdf,
  page: number,
): Promise<PageDifference | undefined> {
  const texts = { before: await textOf(before, page), after: await textOf(after, page) };
  const text = texts.before.join('\n') === texts.after.join('\n') ? undefined : texts;
  const [one, other] = [await pictureOf(before, page), await pictureOf(after, page)];
  const compared = one && other && comparePictures(one, other);
  const isExtra = page > before.pages || page > after.pages;
  if (!text && !isExtra && !compared?.pixels) return undefined;
  const pictures = { before: one, after: other, difference: compared?.picture };
  return { page, text, pixels: compared?.pixels, ...((one ?? other) && { pictures }) };
}

async function textOf(file: OpenPdf, page: number): Promise<readonly string[]> {
  return page <= file.pages ? file.textOf(page) : [];
}

async function pictureOf(file: OpenPdf, page: number): Promise<Picture | undefined> {
  return page <= file.pages ? file.pictureOf?.(page) : undefined;
}

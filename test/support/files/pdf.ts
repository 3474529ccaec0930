import { getDocument, OPS, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

/** A run of text; lengths in points, from the left and top edges of the page. */
export interface PdfText {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  /** Baseline of the text, from the top. */
  readonly baseline: number;
  readonly size: number;
}

/** Visible content of a page. */
export interface PdfPage {
  /** Width and height are in points: 72 to the inch. */
  readonly width: number;
  readonly height: number;
  readonly texts: readonly PdfText[];
  /** All text, with whitespace collapsed to single spaces. */
  readonly text: string;
  /** Fill colors that are set, in the reader's format: `#rrggbb`. */
  readonly fillColors: readonly string[];
  readonly images: number;
}

const IMAGE_OPERATORS: readonly number[] = [
  OPS.paintImageXObject,
  OPS.paintInlineImageXObject,
  OPS.paintImageMaskXObject,
];

/** Opens a PDF with an implementation other than its writer's. Rejects if the bytes are not a PDF. */
export async function openPdf<T>(
  bytes: Uint8Array,
  read: (document: PDFDocumentProxy) => Promise<T>,
  options: { readonly standardFontDataUrl?: string } = {},
): Promise<T> {
  const data = new Uint8Array(bytes);
  const loading = getDocument({ data, verbosity: 0, useSystemFonts: false, ...options });
  try {
    return await read(await loading.promise);
  } finally {
    await loading.destroy();
  }
}

/** Reads every page of a PDF. Rejects if the bytes are not a PDF. */
export async function readPdf(bytes: Uint8Array): Promise<PdfPage[]> {
  return openPdf(bytes, pagesOf);
}

/** Returns the text of all pages. */
export async function textOf(bytes: Uint8Array): Promise<string> {
  return (await readPdf(bytes)).map(({ text }) => text).join(' ');
}

/** Returns the attached files by name. */
export async function attachmentsIn(bytes: Uint8Array): Promise<Map<string, Buffer>> {
  return openPdf(bytes, async (document) => {
    const files = new Map<string, Buffer>();
    for (const [id, { filename }] of (await document.getAttachments()) ?? []) {
      const content = (await document.getAttachmentContent(id)) as Uint8Array;
      files.set(filename, Buffer.from(content));
    }
    return files;
  });
}

/** Reads every page of an open PDF. */
export async function pagesOf(document: PDFDocumentProxy): Promise<PdfPage[]> {
  const pages: PdfPage[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    pages.push(await readPage(await document.getPage(number)));
  }
  return pages;
}

/** Returns the title in the properties of a PDF. */
export async function titleOf(bytes: Uint8Array): Promise<string | undefined> {
  const { info } = await openPdf(bytes, (document) => document.getMetadata());
  return (info as { readonly Title?: string }).Title;
}

async function readPage(page: PDFPageProxy): Promise<PdfPage> {
  const { width, height } = page.getViewport({ scale: 1 });
  const { items } = await page.getTextContent();
  const texts = items.flatMap((item): PdfText[] => {
    if (!('str' in item) || item.str.trim() === '') return [];
    const [, , , size = 0, left = 0, bottom = 0] = item.transform as number[];
    return [{ text: item.str, left, right: left + item.width, baseline: height - bottom, size }];
  });
  const { fnArray, argsArray } = await page.getOperatorList();
  const fillColors = fnArray.flatMap((operator, index) =>
    operator === OPS.setFillRGBColor ? [String((argsArray[index] as unknown[])[0])] : [],
  );
  const images = fnArray.filter((operator) => IMAGE_OPERATORS.includes(operator)).length;
  const text = items
    .map((item) => ('str' in item ? item.str + (item.hasEOL ? ' ' : '') : ''))
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return { width, height, texts, text, fillColors, images };
}

import type * as PdfJs from 'pdfjs-dist';
import type { OpenPdf, PdfReader, PageImage } from './open-pdf.ts';

/** A drawing surface in a browser or from a Node package. */
export interface DrawingContext {
  getImageData(
    left: number,
    top: number,
    width: number,
    height: number,
  ): { readonly data: Uint8ClampedArray };
}

/** CSS pixel resolution: 96 dots per inch, from 72 points. */
const SCALE = 96 / 72;
/** An A4 page has 0.9 million pixels at this resolution; larger pages are scaled down. */
const MAX_PIXELS = 4_000_000;

/**
 * Returns a reader that uses PDF.js, in its browser or Node build. Without `contextOf`, which creates a surface
 * of the given size, the reader does not draw.
 */
export function pdfJsReader(
  pdfJs: Pick<typeof PdfJs, 'getDocument'>,
  contextOf?: (width: number, height: number) => DrawingContext,
): PdfReader {
  return async (bytes) => {
    // PDF.js transfers the bytes to its worker.
    const data = new Uint8Array(bytes);
    const loading = pdfJs.getDocument({ data, verbosity: 0, useSystemFonts: false });
    const document = await loading.promise;
    return {
      pages: document.numPages,
      textOf: async (page) => linesOf(await document.getPage(page)),
      ...(contextOf && { imageOf: async (page) => drawn(await document.getPage(page), contextOf) }),
      close: () => loading.destroy(),
    } satisfies OpenPdf;
  };
}

async function linesOf(page: PdfJs.PDFPageProxy): Promise<readonly string[]> {
  const { items } = await page.getTextContent();
  const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
  return text
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
}

async function drawn(
  page: PdfJs.PDFPageProxy,
  contextOf: (width: number, height: number) => DrawingContext,
): Promise<PageImage> {
  const { width: points, height: linePoints } = page.getViewport({ scale: 1 });
  const scale = Math.min(SCALE, Math.sqrt(MAX_PIXELS / (points * linePoints)));
  const viewport = page.getViewport({ scale });
  const [width, height] = [Math.ceil(viewport.width), Math.ceil(viewport.height)];
  const context = contextOf(width, height);
  await page.render({ canvas: null, canvasContext: context as never, viewport }).promise;
  return { width, height, data: context.getImageData(0, 0, width, height).data };
}

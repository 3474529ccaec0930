import type * as Canvas from '@napi-rs/canvas';
import type * as PdfJs from 'pdfjs-dist';
import type { PdfReader, PageImage } from '@trifold/platform/pdf-comparison/open-pdf.ts';
import { pdfJsReader } from '@trifold/platform/pdf-comparison/pdfjs-reader.ts';

/** Reads PDFs, and draws them if the optional package `@napi-rs/canvas` is installed. */
export interface PdfTools {
  readonly read: PdfReader;
  readonly png?: (image: PageImage) => Buffer;
}

export async function loadPdfTools(): Promise<PdfTools> {
  const canvas: typeof Canvas | undefined = await import('@napi-rs/canvas').catch(() => undefined);
  const pdfJs = await loadPdfJs(canvas !== undefined);
  if (!canvas) return { read: pdfJsReader(pdfJs) };
  const { createCanvas, ImageData } = canvas;
  return {
    read: pdfJsReader(pdfJs, (width, height) => createCanvas(width, height).getContext('2d')),
    png({ data, width, height }) {
      const drawn = createCanvas(width, height);
      drawn.getContext('2d').putImageData(new ImageData(data, width, height), 0, 0);
      return drawn.toBuffer('image/png');
    },
  };
}

/** In Node, PDF.js finds its worker through a global, which the second import sets. */
async function loadPdfJs(draws: boolean): Promise<typeof PdfJs> {
  const { console } = globalThis;
  // Without a canvas, PDF.js prints three warnings but still reads text.
  if (!draws) Object.assign(globalThis, { console: { ...console, warn: () => undefined } });
  try {
    const pdfJs = await import('pdfjs-dist/legacy/build/pdf.min.mjs');
    await import('pdfjs-dist/legacy/build/pdf.worker.min.mjs');
    return pdfJs;
  } finally {
    Object.assign(globalThis, { console });
  }
}

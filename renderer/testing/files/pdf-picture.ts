import { fileURLToPath } from 'node:url';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Pixels } from './read-png.ts';

/** Rendered page. */
export interface PdfPicture extends Pixels {
  /** Red, green, blue and alpha of each pixel, row by row. */
  readonly pixels: Uint8ClampedArray;
}

interface Drawing {
  readonly canvas: { readonly width: number; readonly height: number };
  readonly context: {
    getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray };
  };
}

/** Draws a PDF with a different implementation than its writer's: every page, or one (from 1). */
export async function drawPdf(file: Uint8Array, options: { page?: number; scale?: number } = {}) {
  const fonts = fileURLToPath(new URL('../standard_fonts/', import.meta.resolve('pdfjs-dist')));
  const task = getDocument({
    data: new Uint8Array(file),
    verbosity: 0,
    useSystemFonts: false,
    standardFontDataUrl: fonts,
  });
  const document = await task.promise;
  const canvases = document.canvasFactory as { create(width: number, height: number): Drawing };
  const pictures: PdfPicture[] = [];
  const [first, last] = options.page ? [options.page, options.page] : [1, document.numPages];
  for (let number = first; number <= last; number += 1) {
    const page = await document.getPage(number);
    const viewport = page.getViewport({ scale: options.scale ?? 0.5 });
    const { canvas, context } = canvases.create(Math.ceil(viewport.width), Math.ceil(viewport.height));
    const { width, height } = canvas;
    await page.render({ canvas: null, canvasContext: context, viewport }).promise;
    const { data: pixels } = context.getImageData(0, 0, width, height);
    const at: Pixels['at'] = (x, y) => {
      const start = (y * width + x) * 4;
      return [pixels[start] ?? 0, pixels[start + 1] ?? 0, pixels[start + 2] ?? 0];
    };
    pictures.push({ width, height, pixels, at });
  }
  await task.destroy();
  return pictures;
}

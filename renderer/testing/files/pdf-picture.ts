import { fileURLToPath } from 'node:url';
import type { SKRSContext2D } from '@napi-rs/canvas';
import { openPdf } from '@trifold/test-support/files/pdf.ts';
import { pictureOf, type Picture } from './read-png.ts';

const standardFontDataUrl = fileURLToPath(new URL('../standard_fonts/', import.meta.resolve('pdfjs-dist')));

/** Draws a PDF with a different implementation from its writer's: every page, or a single one (numbered from 1). */
export async function drawPdf(file: Uint8Array, options: { page?: number; scale?: number } = {}) {
  return openPdf(
    file,
    async (document) => {
      const canvases = document.canvasFactory as {
        create(width: number, height: number): { readonly context: SKRSContext2D };
      };
      const pictures: Picture[] = [];
      const [first, last] = options.page ? [options.page, options.page] : [1, document.numPages];
      for (let number = first; number <= last; number += 1) {
        const page = await document.getPage(number);
        const viewport = page.getViewport({ scale: options.scale ?? 0.5 });
        const { context } = canvases.create(Math.ceil(viewport.width), Math.ceil(viewport.height));
        await page.render({ canvas: null, canvasContext: context as never, viewport }).promise;
        pictures.push(pictureOf(context));
      }
      return pictures;
    },
    { standardFontDataUrl },
  );
}

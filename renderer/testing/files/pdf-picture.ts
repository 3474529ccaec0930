import { fileURLToPath } from 'node:url';
import type { SKRSContext2D } from '@napi-rs/canvas';
import { openPdf } from '@trifold/test-support/files/pdf.ts';
import { pictureOf, type Picture } from './read-png.ts';

const standardFontDataUrl = fileURLToPath(new URL('../standard_fonts/', import.meta.resolve('pdfjs-dist')));

interface Drawing {
  /** One page, from 1. @default every page */
  readonly page?: number;
  /** Pixels per point. @default 0.5 */
  readonly scale?: number;
  /** Pixels around the page, which show what lies beyond its edges. @default 0 */
  readonly bleed?: number;
}

/** Draws a PDF with a different implementation than its writer's. */
export async function drawPdf(file: Uint8Array, options: Drawing = {}) {
  const { scale = 0.5, bleed = 0 } = options;
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
        const viewport = page.getViewport({ scale, offsetX: bleed, offsetY: bleed });
        const sides = [viewport.width, viewport.height].map((side) => Math.ceil(side) + 2 * bleed);
        const { context } = canvases.create(...(sides as [number, number]));
        await page.render({ canvas: null, canvasContext: context as never, viewport }).promise;
        pictures.push(pictureOf(context));
      }
      return pictures;
    },
    { standardFontDataUrl },
  );
}

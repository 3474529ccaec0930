import { drawPdf } from '../../../testing/files/pdf-picture.ts';
import type { Picture } from '../../../testing/files/read-png.ts';

/** An object in strong colors on a page, in points from its left and top edges. */
export interface ShownImage {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Mean colors of a 4 by 4 grid, row by row. */
  readonly colours: readonly (readonly number[])[];
}

export interface DrawnPage {
  readonly images: readonly ShownImage[];
  /** Whether the object touches an edge of the page. Programs cut off content beyond the edge. */
  readonly isCut: boolean;
}

/** In points; also in pixels. */
const EDGE = 3;
/** Anything smaller is a letter. */
const SMALLEST = 12;
const FILLED = 0.6;
const WHITE = 250;
/** Difference between the channels of a color. */
const STRONG = 110;
const PARTS = 4;
/** Pixels between parts of one image: colors blend where they meet. */
const REACH = [1, 2, 3];

/** Draws each page and finds its images by their strong colors, whether they are bitmaps or drawings. */
export async function drawnPages(pdf: Uint8Array): Promise<DrawnPage[]> {
  const pages = await drawPdf(pdf, { scale: 1 });
  return pages.map((page) => {
    const { strong, atEdge } = strongPixels(page);
    return { images: imagesOf(page, strong), isCut: atEdge > 0 };
  });
}

/** Marks pixels in strong colors, and counts those at the edges that are not white. */
function strongPixels({ pixels, width, height }: Picture) {
  const strong = new Uint8Array(width * height);
  let atEdge = 0;
  for (let index = 0; index < strong.length; index += 1) {
    const [red, green, blue] = [
      pixels[index * 4] ?? 0,
      pixels[index * 4 + 1] ?? 0,
      pixels[index * 4 + 2] ?? 0,
    ];
    const least = Math.min(red, green, blue);
    if (least > WHITE) continue;
    if (Math.max(red, green, blue) - least > STRONG) strong[index] = 1;
    const [x, y] = [index % width, Math.floor(index / width)];
    if (Math.min(x, y, width - 1 - x, height - 1 - y) < EDGE) atEdge += 1;
  }
  return { strong, atEdge };
}

function imagesOf(page: Picture, strong: Uint8Array): ShownImage[] {
  const found: ShownImage[] = [];
  for (let index = strong.indexOf(1); index !== -1; index = strong.indexOf(1, index + 1)) {
    const area = takeArea(strong, page.width, index);
    if (Math.min(area.width, area.height) < SMALLEST || area.size < FILLED * area.width * area.height)
      continue;
    found.push({ ...area, colours: coloursOf(page, area) });
  }
  return found;
}

/** Removes a connected area, and returns its bounds. */
function takeArea(strong: Uint8Array, width: number, start: number) {
  const reach = REACH.flatMap((step) => [-step, step, -step * width, step * width]);
  const waiting = [start];
  strong[start] = 0;
  let [left, top, right, bottom, size] = [Infinity, Infinity, 0, 0, 0];
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    const [x, y] = [index % width, Math.floor(index / width)];
    [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
    size += 1;
    for (const next of reach.map((offset) => index + offset)) {
      if (strong[next] !== 1) continue;
      strong[next] = 0;
      waiting.push(next);
    }
  }
  return { left, top, width: right - left, height: bottom - top, size };
}

function coloursOf({ at }: Picture, { left, top, width, height }: Omit<ShownImage, 'colours'>) {
  return Array.from({ length: PARTS * PARTS }, (_, part) => {
    const sum = [0, 0, 0];
    const [x, y] = [
      left + ((part % PARTS) * width) / PARTS,
      top + (Math.floor(part / PARTS) * height) / PARTS,
    ];
    let count = 0;
    for (let row = Math.ceil(y); row < y + height / PARTS; row += 1) {
      for (let column = Math.ceil(x); column < x + width / PARTS; column += 1) {
        for (const [channel, value] of at(column, row).entries()) sum[channel] = (sum[channel] ?? 0) + value;
        count += 1;
      }
    }
    return sum.map((value) => Math.round(value / Math.max(1, count)));
  });
}

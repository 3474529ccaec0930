import type { Pixels } from './read-png.ts';

/** Number of cells per side of a square; a square starts at each cell. */
const STEPS = 4;

/**
 * Returns the watermark's visibility in the square of a page where it is lowest: the largest difference in a channel
 * between the pages with and without it, as a fraction. Squares have a side of `side` pixels, or of the page if that is
 * shorter.
 */
export function leastInk(marked: Pixels, plain: Pixels, side: number): number {
  const columns = cellsOf(plain.width, side);
  const rows = cellsOf(plain.height, side);
  const inCells = rows.map((row) => columns.map((column) => mostInk(marked, plain, [column, row])));
  const inSquares = squaresOf(inCells).flatMap((band) =>
    squaresOf(columns.map((_, column) => band.map((cells) => cells[column] ?? 0))),
  );
  return inSquares.reduce((least, cells) => Math.min(least, Math.max(...cells.flat())), 1);
}

type Cell = readonly [start: number, end: number];

/** Splits the length of a page into cells, so that each side of a square has `STEPS` of them. */
function cellsOf(length: number, side: number): Cell[] {
  const count = Math.max(STEPS, Math.ceil((length / Math.min(side, length)) * STEPS));
  const starts = Array.from({ length: count + 1 }, (_, index) => Math.round((length * index) / count));
  return starts.slice(1).map((end, index) => [starts[index] ?? 0, end]);
}

/** Returns every run of cells that a square can cover. */
function squaresOf<T>(cells: readonly T[]): T[][] {
  return Array.from({ length: cells.length - STEPS + 1 }, (_, start) => cells.slice(start, start + STEPS));
}

type Block = readonly [Cell, Cell];

function mostInk(marked: Pixels, plain: Pixels, [[left, right], [top, bottom]]: Block): number {
  let most = 0;
  for (let y = top; y < bottom; y += 1) {
    for (let x = left; x < right; x += 1) {
      const [red, green, blue] = marked.at(x, y);
      const before = plain.at(x, y);
      const differences = [red - before[0], green - before[1], blue - before[2]];
      most = Math.max(most, ...differences.map(Math.abs));
    }
  }
  return most / 255;
}

/** Returns the difference between the lightest and the darkest pixel of an image, as a fraction for each channel. */
export function contrastOf({ width, height, at }: Pixels): number[] {
  const [darkest, lightest] = [
    [255, 255, 255],
    [0, 0, 0],
  ];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      for (const [channel, value] of at(x, y).entries()) {
        darkest[channel] = Math.min(darkest[channel] ?? 255, value);
        lightest[channel] = Math.max(lightest[channel] ?? 0, value);
      }
    }
  }
  return lightest.map((value, channel) => (value - (darkest[channel] ?? 0)) / 255);
}

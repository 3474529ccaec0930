/** In inches. */
export interface Sides {
  readonly width: number;
  readonly height: number;
}

/** Where the marks lie on a page, in inches: one for each column in each row. */
export interface WatermarkGrid {
  /** Sides of a mark. */
  readonly mark: Sides;
  /** Left edges, from the left of the page. */
  readonly columns: readonly number[];
  /** Upper edges, from the top of the page. They lie symmetrically: they are the distances from the bottom, too. */
  readonly rows: readonly number[];
}

/** In inches, the shorter side of letter paper: what fits into a square of it fits into both orientations of the paper. */
export const WINDOW = 8.5;

/** Most that a mark takes of the width of a page and of the height of a window. */
const MOST_OF_WIDTH = 0.65;
const MOST_OF_HEIGHT = 0.28;
/** Width, in inches, of marks that stand beside each other: two and the distance between them are as wide as the window. */
const WIDTH_IN_ROW = 3;
/** In marks: an error of rounding adds no mark. */
const ROUNDING = 1e-6;

/**
 * Places marks so that every window of 8.5 by 11 inches, in either orientation, shows a whole one: in each direction a
 * mark and the distance to the next one are no longer than 8.5 in. A page on which one mark in the middle does it has
 * one. `shape` gives the proportions of a mark. `windowHeight` asks for more marks: every window of that height shows one.
 */
export function watermarkGrid(page: Sides, shape: Sides, windowHeight = WINDOW): WatermarkGrid {
  const widest = Math.max(2 * WINDOW - page.width, WIDTH_IN_ROW);
  const scale = Math.min(
    Math.min(MOST_OF_WIDTH * page.width, widest) / shape.width,
    (MOST_OF_HEIGHT * Math.min(page.height, windowHeight)) / shape.height,
  );
  const mark = { width: shape.width * scale, height: shape.height * scale };
  return {
    mark,
    columns: edges(page.width, mark.width, WINDOW),
    rows: edges(page.height, mark.height, windowHeight),
  };
}

/**
 * Where marks begin on a side: the first ends, and the last begins, within a window from the page's edge; every window
 * between has room for a whole mark, wherever it begins.
 */
function edges(side: number, mark: number, window: number): number[] {
  const count = Math.max(1, Math.ceil((side - window) / (window - mark) - ROUNDING));
  const period = Math.min(side / count, window - mark);
  const first = (side - (count - 1) * period - mark) / 2;
  return Array.from({ length: count }, (_, index) => first + index * period);
}

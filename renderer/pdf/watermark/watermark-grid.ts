/** In inches. */
export interface Sides {
  readonly width: number;
  readonly height: number;
}

/** Positions of the marks on a page, in inches: one mark for each column in each row. */
export interface WatermarkGrid {
  /** Size of a mark. */
  readonly mark: Sides;
  /** Left edges, from the left of the page. */
  readonly columns: readonly number[];
  /**
   * Upper edges, from the top of the page. The layout is symmetric, so these are also the distances from the bottom.
   */
  readonly rows: readonly number[];
}

/** Shorter side of letter paper, in inches: a square of this size fits into both orientations of the paper. */
export const WINDOW = 8.5;

/** Maximum size of a mark, as fractions of the page width and of the window height. */
const MOST_OF_WIDTH = 0.65;
const MOST_OF_HEIGHT = 0.28;
/** Width, in inches, of marks in rows of several: two marks and the gap between them are as wide as the window. */
const WIDTH_IN_ROW = 3;
/** Tolerance in marks, so that a rounding error adds no mark. */
const ROUNDING = 1e-6;

/**
 * Places marks so that every window of 8.5 by 11 inches, in either orientation, contains a complete one: in each
 * direction a mark plus the distance to the next one is at most 8.5 in. A page gets a single centred mark if that is
 * enough. `shape` gives the proportions of a mark. With `windowHeight`, every window of that height contains a mark.
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
 * Returns the start positions of the marks on a side: the first mark ends, and the last one starts, within a window
 * from the page's edge; every window in between contains a complete mark, regardless of its position.
 */
function edges(side: number, mark: number, window: number): number[] {
  const count = Math.max(1, Math.ceil((side - window) / (window - mark) - ROUNDING));
  const period = Math.min(side / count, window - mark);
  const first = (side - (count - 1) * period - mark) / 2;
  return Array.from({ length: count }, (_, index) => first + index * period);
}

import type { WatermarkText } from './watermark-text.ts';

interface Letter {
  readonly width: number;
  /** Outline as an SVG path of polygons. */
  readonly path: string;
}

/** Letters as outlines with a height of 100, so that the mark needs no font. */
const LETTERS: Readonly<Record<string, Letter>> = {
  E: { width: 80, path: 'M0,0 80,0 80,22 25,22 25,39 70,39 70,61 25,61 25,78 80,78 80,100 0,100Z' },
  I: { width: 25, path: 'M0,0 25,0 25,100 0,100Z' },
  P: { width: 80, path: 'M0,0 80,0 80,61 25,61 25,100 0,100ZM25,22 25,39 55,39 55,22Z' },
  R: {
    width: 80,
    path: 'M0,0 80,0 80,61 66,61 80,100 54,100 40,61 25,61 25,100 0,100ZM25,22 25,39 55,39 55,22Z',
  },
  S: { width: 80, path: 'M0,0 80,0 80,22 25,22 25,39 80,39 80,100 0,100 0,78 55,78 55,61 0,61Z' },
  T: { width: 80, path: 'M0,0 80,0 80,22 51,22 51,100 29,100 29,22 0,22Z' },
  V: { width: 80, path: 'M0,0 26,0 40,66 54,0 80,0 54,100 26,100Z' },
  W: {
    width: 110,
    path: 'M0,0 24,0 34,60 46,20 64,20 76,60 86,0 110,0 90,100 66,100 55,62 44,100 20,100Z',
  },
};
const LETTER_HEIGHT = 100;
/** Distance between letters. */
const GAP = 20;

/** Side of a tile, in its own units. */
export const TILE_UNITS = 1000;
/** Side of the square, in tile units, that a word with its shadow fills. */
const WORD_SIDE = 920;
/** Distance from a word down to its white copy, in tile units. */
export const WHITE_SHIFT = 28;

/**
 * Opacity of the word in black and of its white copy. On every flat colour, the difference between the darkest and the
 * lightest pixel is this fraction of each channel's range.
 */
export const WATERMARK_OPACITY: Readonly<Record<WatermarkText, number>> = { TEST: 0.17, PREVIEW: 0.07 };

/** In inches. Every square of this size contains as much of the mark as one word. */
const MOST_SIDE = 2;
/** In inches. On a page that is lower or narrower, the mark is cut off. */
const LEAST_SIDE = 0.25;

/** Returns the side of a tile on a page, in inches: two inches, or less on a small page. */
export function tileSide(width: number, height: number): number {
  return Math.max(LEAST_SIDE, Math.min(MOST_SIDE, width, height));
}

/**
 * Returns the black word of a tile, along its diagonal, as an SVG path of polygons (`M0,0 9,0 9,9Z`) in tile units. The
 * same path, WHITE_SHIFT lower and white, belongs to it. Tiles that are repeated side by side do not overlap.
 */
export function tilePath(text: WatermarkText): string {
  const letters = Array.from(text, (name) => {
    const letter = LETTERS[name];
    if (!letter) throw new Error(`the letter ${name} of the watermark has no outline`);
    return letter;
  });
  const width = letters.reduce((sum, letter) => sum + letter.width + GAP, -GAP);
  const scale = (WORD_SIDE - WHITE_SHIFT) / (width + LETTER_HEIGHT);
  let left = -width / 2;
  const paths = letters.map((letter) => {
    const path = letter.path.replaceAll(/(\d+),(\d+)/g, (_, x, y) => {
      const [right, down] = [left + Number(x), Number(y) - LETTER_HEIGHT / 2];
      return `${onTile((down + right) * scale)},${onTile((down - right) * scale - WHITE_SHIFT / 2)}`;
    });
    left += letter.width + GAP;
    return path;
  });
  return paths.join('');
}

/** Returns a coordinate of a tile, given as the distance from its middle. */
function onTile(distance: number): number {
  return Math.round(TILE_UNITS / 2 + distance);
}

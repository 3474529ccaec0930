import type { KeyMode } from '@trifold/crds';

/** Purpose of a file: a document created with a live or test key, or a preview. */
export type DocumentMode = KeyMode | 'preview';

export type WatermarkText = 'TEST' | 'PREVIEW';

const TEXTS: Readonly<Record<DocumentMode, WatermarkText | undefined>> = {
  live: undefined,
  test: 'TEST',
  preview: 'PREVIEW',
};

/** Returns the text that every page of the file must show; undefined for a live document. */
export function watermarkText(mode: DocumentMode): WatermarkText | undefined {
  return TEXTS[mode];
}

interface Letter {
  readonly width: number;
  /** Center lines of the strokes, as an SVG path of lines. */
  readonly path: string;
}

/** Letters drawn as strokes with a height of 100, so that the mark does not need a font. */
const LETTERS: Readonly<Record<string, Letter>> = {
  E: { width: 65, path: 'M65,0 0,0 0,100 65,100M0,50 55,50' },
  I: { width: 0, path: 'M0,0 0,100' },
  P: { width: 65, path: 'M0,100 0,0 65,0 65,55 0,55' },
  R: { width: 65, path: 'M0,100 0,0 65,0 65,55 0,55M30,55 65,100' },
  S: { width: 65, path: 'M65,0 0,0 0,50 65,50 65,100 0,100' },
  T: { width: 70, path: 'M0,0 70,0M35,0 35,100' },
  V: { width: 70, path: 'M0,0 35,100 70,0' },
  W: { width: 100, path: 'M0,0 25,100 50,20 75,100 100,0' },
};
const LETTER_HEIGHT = 100;
/** Distance between letters. */
const GAP = 30;

/** Side of a tile, in its own units. */
export const TILE_UNITS = 1000;
/** Side of the square, in tile units, that a word with its shadow fills. */
const WORD_SIDE = 920;
/**
 * Width of the strokes, in tile units. They are thin, because text recognition mistakes larger gray areas for ink and
 * then loses the text.
 */
export const STROKE_WIDTH = 18;
/** Distance from a word down to its white copy, in tile units. */
export const WHITE_SHIFT = 28;

/** See a tile's `opacity`. */
const OPACITY: Readonly<Record<WatermarkText, number>> = { TEST: 0.16, PREVIEW: 0.07 };

/** In inches. Every square of this size contains one word's worth of the mark. */
const MAX_SIDE = 2;
/** In inches. On a shorter or narrower page, the mark is cut off. */
const MIN_SIDE = 0.25;

/** Returns the length of a tile's side on a page, in inches: two inches, or less on a small page. */
export function tileSide(width: number, height: number): number {
  return Math.max(MIN_SIDE, Math.min(MAX_SIDE, width, height));
}

/** A word along the diagonal of a tile, in black, and the same WHITE_SHIFT lower in white. Lengths are tile units. */
export interface Tile {
  /** Center lines of the strokes, as an SVG path of lines (`M0,0 9,0 9,9M5,0 5,9`). Joins are round. */
  readonly path: string;
  /**
   * Opacity of each of the two words. On every flat color, the difference between the darkest and the lightest pixel is
   * this fraction of each channel's range.
   */
  readonly opacity: number;
}

/** Returns the tile for a string. Adjacent tiles do not overlap. */
export function watermarkTile(text: WatermarkText): Tile {
  const letters = Array.from(text, (name) => {
    const letter = LETTERS[name];
    if (!letter) throw new Error(`the letter ${name} of the watermark has no strokes`);
    return letter;
  });
  const width = letters.reduce((sum, letter) => sum + letter.width + GAP, -GAP);
  // The word extends along both axes of the tile, because the diagonal is at 45 degrees.
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
  return {
    path: paths.join(''),
    opacity: OPACITY[text],
  };
}

/** Converts a distance from the middle of a tile to a coordinate. */
function onTile(distance: number): number {
  return Math.round(TILE_UNITS / 2 + distance);
}

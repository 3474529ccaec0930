import type { PageDrawings } from '../decoration/page-drawings.ts';
import type { Box, PdfFile } from '../file/pdf-file.ts';
import type { PdfUpdate } from '../file/pdf-update.ts';
import type { SlicedWork } from '../../time-slices.ts';
import {
  STROKE_WIDTH,
  TILE_UNITS,
  tileSide,
  watermarkTile,
  WHITE_SHIFT,
  type WatermarkText,
} from './watermark-tile.ts';

const POINTS_PER_INCH = 72;

/** Resource names. Chromium's own names are a letter and a number. */
const PATTERN = 'TrifoldWatermark';
const FONT = 'TrifoldWatermarkFont';
const STATE = 'TrifoldWatermarkState';

/**
 * Covers every page with the watermark pattern, after all of the page's content and other drawings, so that nothing in
 * the document covers it. The word is also added once as invisible text, for programs and search. Throws PdfSyntaxError
 * when a page has no size.
 */
export function* stampWatermark(
  file: PdfFile,
  update: PdfUpdate,
  drawings: PageDrawings,
  text: WatermarkText,
): SlicedWork<void> {
  const font = update.add('<</Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold>>');
  const patterns = new Map<string, string>();
  for (const page of drawings.pages) {
    const [left, bottom, right, top] = file.mediaBox(page.entries);
    const box = [left, bottom, right - left, top - bottom].join(' ');
    const pattern = patterns.get(box) ?? addPattern(update, text, [left, bottom, right, top]);
    patterns.set(box, pattern);
    // Marked as an artifact, so that screen readers skip it on tagged pages.
    const content =
      `/Artifact BMC q /Pattern cs /${PATTERN} scn ${box} re f ` +
      `BT /${FONT} 1 Tf 3 Tr ${left} ${bottom} Td (${text}) Tj ET Q EMC\n`;
    drawings.draw(page, content, [
      ['Pattern', new Map([[PATTERN, pattern]])],
      ['Font', new Map([[FONT, font]])],
    ]);
    yield;
  }
}

/** Adds a tiling pattern (ISO 32000-1, 8.7.3) with a tile in the middle of the page. Returns a reference to it. */
function addPattern(update: PdfUpdate, text: WatermarkText, [left, bottom, right, top]: Box): string {
  const side = tileSide((right - left) / POINTS_PER_INCH, (top - bottom) / POINTS_PER_INCH) * POINTS_PER_INCH;
  const scale = side / TILE_UNITS;
  const matrix = [scale, 0, 0, -scale, (left + right - side) / 2, (bottom + top + side) / 2];
  const { path, opacity } = watermarkTile(text);
  const word = `${pdfPath(path)} S`;
  return update.addStream(
    `/${STATE} gs ${STROKE_WIDTH} w 1 j 0 G ${word} 1 0 0 1 0 ${WHITE_SHIFT} cm 1 G ${word}`,
    `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 ${TILE_UNITS} ${TILE_UNITS}] ` +
      `/XStep ${TILE_UNITS} /YStep ${TILE_UNITS} /Matrix [${numbers(...matrix)}] ` +
      `/Resources <</ExtGState <</${STATE} <</CA ${opacity} /BM /Normal>>>>>>`,
  );
}

/** Returns an SVG path of lines as PDF operators. */
function pdfPath(path: string): string {
  return path.replaceAll(/(M?)(\d+),(\d+) ?/g, (_, start, x, y) => `${x} ${y} ${start ? 'm' : 'l'} `);
}

function numbers(...values: number[]): string {
  return values.map((value) => String(Number(value.toFixed(5)))).join(' ');
}

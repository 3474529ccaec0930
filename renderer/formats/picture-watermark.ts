import type { Picture } from '../browser/page/picture.ts';
import { WINDOW, watermarkGrid, type Sides } from '../pdf/watermark/watermark-grid.ts';
import type { WatermarkText } from '../pdf/watermark/watermark-text.ts';

interface Letter {
  readonly width: number;
  /** Outline of the letter. */
  readonly path: string;
}

/** Letters as outlines with a height of 100, so that a browser without fonts draws them too. */
const LETTERS: Readonly<Record<string, Letter>> = {
  E: { width: 80, path: 'M0,0H80V22H25V39H70V61H25V78H80V100H0Z' },
  I: { width: 25, path: 'M0,0H25V100H0Z' },
  P: { width: 80, path: 'M0,0H80V61H25V100H0ZM25,22V39H55V22Z' },
  R: { width: 80, path: 'M0,0H80V61H66L80,100H54L40,61H25V100H0ZM25,22V39H55V22Z' },
  S: { width: 80, path: 'M0,0H80V22H25V39H80V100H0V78H55V61H0Z' },
  T: { width: 80, path: 'M0,0H80V22H51V100H29V22H0Z' },
  V: { width: 80, path: 'M0,0H26L40,66L54,0H80L54,100H26Z' },
  W: { width: 110, path: 'M0,0H24L34,60L46,20H64L76,60L86,0H110L90,100H66L55,62L44,100H20Z' },
};
const LETTER_HEIGHT = 100;
/** Distance between letters. */
const GAP = 20;
const PADDING = 12;

/** The letters on their background. */
interface Mark {
  readonly size: Sides;
  readonly svg: string;
}

/** The background keeps the content readable; the outline of the letters is opaque. */
function drawMark(text: WatermarkText): Mark {
  let left = PADDING;
  const letters = Array.from(text, (name) => {
    const letter = LETTERS[name];
    if (!letter) throw new Error(`the letter ${name} of the watermark has no outline`);
    const path = `<path transform="translate(${left} ${PADDING})" d="${letter.path}"/>`;
    left += letter.width + GAP;
    return path;
  });
  const size = { width: left - GAP + PADDING, height: LETTER_HEIGHT + 2 * PADDING };
  const svg =
    `<rect width="${size.width}" height="${size.height}" fill="#fff" fill-opacity="0.5"/>` +
    `<g fill="none" stroke="#bf1a1a" stroke-width="3">${letters.join('')}</g>`;
  return { size, svg };
}

/** Minimum height of a page, in CSS pixels, whose equivalent in a longer picture gets its own mark. */
const LEAST_PAGE = 200;
/** CSS pixels per inch. */
const PIXELS_PER_INCH = 96;

/** Page dimensions in a picture. */
export interface PicturePages {
  /** Height of a page, in CSS pixels of the picture. */
  readonly pageHeight: number;
  /** Scale of the content: divides the number of CSS pixels of a page. */
  readonly scale: number;
}

/**
 * Returns a page that shows a picture under the watermark, repeated so that every window of 8.5 by 11 inches contains a
 * complete mark, as does every part with the height of a page of at least 200 pixels.
 */
export function watermarkedPage(
  { png, width, height }: Picture,
  { pageHeight, scale }: PicturePages,
  text: WatermarkText,
): string {
  const { size: markSize, svg } = drawMark(text);
  const inch = PIXELS_PER_INCH / scale;
  const page = { width: width / inch, height: height / inch };
  const windowHeight = Math.min(WINDOW, Math.max(pageHeight, LEAST_PAGE) / inch);
  const { mark, columns, rows } = watermarkGrid(page, markSize, windowHeight);
  const markScale = (mark.width / markSize.width) * inch;
  const uses = rows.flatMap((top) =>
    columns.map(
      (left) => `<use href="#m" transform="translate(${left * inch} ${top * inch}) scale(${markScale})"/>`,
    ),
  );
  const size = `width="${width}" height="${height}"`;
  return (
    '<!doctype html><style>html,body{margin:0;background:#fff}img,svg{position:absolute;left:0;top:0}</style>' +
    `<img ${size} src="data:image/png;base64,${png.toString('base64')}">` +
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${width} ${height}">` +
    `<defs><g id="m">${svg}</g></defs>${uses.join('')}</svg>`
  );
}

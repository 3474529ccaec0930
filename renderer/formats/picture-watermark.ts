import type { Picture } from '../browser/page/picture.ts';
import { WINDOW, watermarkGrid } from '../pdf/watermark/watermark-grid.ts';

/**
 * The letters of TEST as outlines, in a field of 380 by 100, so that a browser without fonts draws them too. Each
 * letter starts 20 to the right of the previous one's end.
 */
const LETTERS = [
  'M0,0H80V22H51V100H29V22H0Z',
  'M100,0H180V22H125V39H170V61H125V78H180V100H100Z',
  'M200,0H280V22H225V39H280V100H200V78H255V61H200Z',
  'M300,0H380V22H351V100H329V22H300Z',
].join('');
const FIELD = { width: 380, height: 100 };
const PADDING = 12;
/** Size of a mark: the letters on their background. */
const MARK = { width: FIELD.width + 2 * PADDING, height: FIELD.height + 2 * PADDING };

/** The background keeps the content readable; the outline of the letters is opaque. */
const MARK_DRAWING =
  `<rect width="${MARK.width}" height="${MARK.height}" fill="#fff" fill-opacity="0.5"/>` +
  `<path transform="translate(${PADDING} ${PADDING})" d="${LETTERS}" fill="none" stroke="#bf1a1a" stroke-width="3"/>`;

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
): string {
  const inch = PIXELS_PER_INCH / scale;
  const page = { width: width / inch, height: height / inch };
  const windowHeight = Math.min(WINDOW, Math.max(pageHeight, LEAST_PAGE) / inch);
  const { mark, columns, rows } = watermarkGrid(page, MARK, windowHeight);
  const markScale = (mark.width / MARK.width) * inch;
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
    `<defs><g id="m">${MARK_DRAWING}</g></defs>${uses.join('')}</svg>`
  );
}

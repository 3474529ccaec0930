import type { Picture } from '../browser/page/picture.ts';
import {
  STROKE_WIDTH,
  TILE_UNITS,
  tileSide,
  watermarkTile,
  WHITE_SHIFT,
  type WatermarkText,
} from '../pdf/watermark/watermark-tile.ts';

/** CSS pixels per inch. */
const PIXELS_PER_INCH = 96;

/**
 * Returns a page that shows a picture under the pattern of the watermark, with a tile in the middle. `scale` is that of
 * the content: it divides the CSS pixels of an inch.
 */
export function watermarkedPage({ png, width, height }: Picture, scale: number, text: WatermarkText): string {
  const inch = PIXELS_PER_INCH / scale;
  const side = tileSide(width / inch, height / inch) * inch;
  const [left, top] = [(width - side) / 2, (height - side) / 2];
  const size = `width="${width}" height="${height}"`;
  const { path, opacity } = watermarkTile(text);
  const word =
    `<path d="${path}" fill="none" stroke-width="${STROKE_WIDTH}" stroke-linejoin="round" ` +
    `stroke-opacity="${opacity}"`;
  return (
    '<!doctype html><style>html,body{margin:0;background:#fff}img,svg{position:absolute;left:0;top:0}</style>' +
    `<img ${size} src="data:image/png;base64,${png.toString('base64')}">` +
    `<svg xmlns="http://www.w3.org/2000/svg" ${size}>` +
    `<pattern id="p" patternUnits="userSpaceOnUse" width="${TILE_UNITS}" height="${TILE_UNITS}" ` +
    `patternTransform="translate(${left} ${top}) scale(${side / TILE_UNITS})">` +
    `${word} stroke="#000"/>${word} stroke="#fff" transform="translate(0 ${WHITE_SHIFT})"/></pattern>` +
    `<rect ${size} fill="url(#p)"/></svg>`
  );
}

import type { Picture } from '../browser/picture.ts';

/**
 * The letters of TEST as outlines, on a field of 380 by 100: a browser without any font draws them too. Each begins
 * where the one before ended and 20 to the right.
 */
const LETTERS = [
  'M0,0H80V22H51V100H29V22H0Z',
  'M100,0H180V22H125V39H170V61H125V78H180V100H100Z',
  'M200,0H280V22H225V39H280V100H200V78H255V61H200Z',
  'M300,0H380V22H351V100H329V22H300Z',
].join('');
const FIELD = { width: 380, height: 100 };
const PADDING = 12;

/** Most that the text takes of a section's width and height; as on the pages of a PDF. */
const MOST_OF_WIDTH = 0.6;
const MOST_OF_HEIGHT = 0.3;

/** Least height of a section with a text of its own, in CSS pixels: low pages are not filled with it. */
const LEAST_SECTION = 200;

/** A page that shows a picture with the watermark over it: once for each `pageHeight` of it. */
export function watermarkedPage({ png, width, height }: Picture, pageHeight: number): string {
  const size = `width="${width}" height="${height}"`;
  const marks = sections(height, Math.max(pageHeight, LEAST_SECTION)).map((section) => mark(width, section));
  return (
    '<!doctype html><style>html,body{margin:0;background:#fff}img,svg{position:absolute;left:0;top:0}</style>' +
    `<img ${size} src="data:image/png;base64,${png.toString('base64')}">` +
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 0 ${width} ${height}">${marks.join('')}</svg>`
  );
}

interface Section {
  readonly top: number;
  readonly height: number;
}

/** All of the same height, but for a last one that is at least half of it. */
function sections(height: number, usual: number): Section[] {
  const count = Math.max(1, Math.round(height / usual));
  return Array.from({ length: count }, (_, index) => {
    const top = index * usual;
    return { top, height: Math.min(usual, height - top) };
  });
}

/** On a band that leaves what is beneath readable; the letters' outline lets nothing through. */
function mark(width: number, { top, height }: Section): string {
  const scale = Math.min((MOST_OF_WIDTH * width) / FIELD.width, (MOST_OF_HEIGHT * height) / FIELD.height);
  const x = (width - FIELD.width * scale) / 2;
  const y = top + (height - FIELD.height * scale) / 2;
  const [bandWidth, bandHeight] = [FIELD.width + 2 * PADDING, FIELD.height + 2 * PADDING];
  return (
    `<g transform="translate(${x} ${y}) scale(${scale})">` +
    `<rect x="${-PADDING}" y="${-PADDING}" width="${bandWidth}" height="${bandHeight}" fill="#fff" fill-opacity="0.5"/>` +
    `<path d="${LETTERS}" fill="none" stroke="#bf1a1a" stroke-width="3"/></g>`
  );
}

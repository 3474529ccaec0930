import { imageHeader } from '../images/image-header.ts';
import { svgProblem } from './svg-problem.ts';

const BASE64 = /;\s{0,9}base64\s{0,9}$/i;
/** Padding may be absent. */
const DAMAGED = /[^a-z\d+/=]|=[^=]|={3}/i;
const NOT_COMPLETE = 'it ends too early';

/**
 * Returns the reason that browsers do not show the image or use the font of a `data:` URL, as a clause; undefined if
 * its structure is complete. Does not decode pixels. Never throws.
 */
export function embeddedProblem(uri: string, noun: 'image' | 'font'): string | undefined {
  const comma = uri.indexOf(',');
  if (comma === -1) return 'its URL has no comma';
  const type = uri.slice('data:'.length, comma);
  const fragment = uri.indexOf('#', comma);
  const data = uri.slice(comma + 1, fragment === -1 ? undefined : fragment);
  const problem = BASE64.test(type)
    ? base64Problem(data, type, noun)
    : fileProblem(decoded(data), type, noun);
  if (problem === undefined || fragment === -1) return problem;
  return 'its URL ends at an unescaped #. Write %23 instead';
}

function base64Problem(data: string, type: string, noun: 'image' | 'font'): string | undefined {
  const base64 = decoded(data).toString('latin1').replaceAll(/\s+/g, '');
  if (DAMAGED.test(base64) || base64.replaceAll('=', '').length % 4 === 1) return 'its base64 is damaged';
  return fileProblem(Buffer.from(base64, 'base64'), type, noun);
}

/** A `%` without two hex digits is literal. */
function decoded(data: string): Buffer {
  const bytes = Buffer.from(data);
  if (!data.includes('%')) return bytes;
  const byteOf = (_: string, digits: string) => String.fromCharCode(Number.parseInt(digits, 16));
  return Buffer.from(bytes.toString('latin1').replaceAll(/%([\da-f]{2})/gi, byteOf), 'latin1');
}

function fileProblem(file: Buffer, type: string, noun: 'image' | 'font'): string | undefined {
  if (file.length === 0) return 'it is empty';
  if (noun === 'font') return fontProblem(file);
  if (/^\s{0,9}image\/svg\+xml/i.test(type)) return svgProblem(file.toString());
  return rasterProblem(file);
}

/** Also accepts base64 whose type is unknown: an image or a font. */
export function isCompleteFile(file: Buffer): boolean {
  const isBinary = rasterProblem(file) === undefined || fontProblem(file) === undefined;
  return isBinary || svgProblem(file.toString()) === undefined;
}

const ICON = Buffer.from([0, 0, 1, 0]);

function rasterProblem(file: Buffer): string | undefined {
  const header = imageHeader(file);
  if (!header) return file.subarray(0, 4).equals(ICON) ? undefined : 'it is not an image browsers can show';
  return isComplete[header.type](file) ? undefined : NOT_COMPLETE;
}

const isComplete: Readonly<
  Record<'png' | 'jpg' | 'gif' | 'webp' | 'bmp' | 'avif', (file: Buffer) => boolean>
> = {
  png: hasLastChunk,
  // EOI, and the trailer of GIF; other data may follow.
  jpg: (file) => file.lastIndexOf('\xff\xd9', undefined, 'latin1') > 0,
  gif: (file) => file.lastIndexOf(0x3b) > 12,
  webp: (file) => file.readUInt32LE(4) + 8 <= file.length,
  bmp: (file) => file.readUInt32LE(2) <= file.length,
  avif: () => true,
};

/** PNG (W3C), "Chunk layout". */
function hasLastChunk(file: Buffer): boolean {
  for (let at = 8; at + 12 <= file.length; at += 12 + file.readUInt32BE(at)) {
    if (file.toString('latin1', at + 4, at + 8) === 'IEND') return true;
  }
  return false;
}

/** WOFF and WOFF2 files contain their length. */
function fontProblem(file: Buffer): string | undefined {
  const tag = file.toString('latin1', 0, 4);
  if (tag === 'wOFF' || tag === 'wOF2') {
    return file.length >= 44 && file.readUInt32BE(8) <= file.length ? undefined : NOT_COMPLETE;
  }
  if (tag === 'ttcf') return undefined;
  if (!['\0\x01\0\0', 'OTTO', 'true'].includes(tag)) return 'it is not a font browsers can use';
  return hasTables(file) ? undefined : NOT_COMPLETE;
}

/** OpenType, "Table Directory". */
function hasTables(file: Buffer): boolean {
  const tables = file.length < 12 ? 0 : file.readUInt16BE(4);
  if (tables === 0 || file.length < 12 + tables * 16) return false;
  for (let at = 12; at < 12 + tables * 16; at += 16) {
    if (file.readUInt32BE(at + 8) + file.readUInt32BE(at + 12) > file.length) return false;
  }
  return true;
}

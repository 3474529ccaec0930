import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';

/** One red pixel, in base64. */
export function pngPixel(): string {
  return png(1, 1, Buffer.from([0, 255, 0, 0]));
}

/** Returns a square image that does not compress, in base64: three bytes per pixel. */
export function noisePng(size: number): string {
  const row = 1 + size * 3;
  const rows = randomBytes(size * row);
  for (let start = 0; start < rows.length; start += row) rows[start] = 0;
  return png(size, size, rows);
}

/** Pixel format of a PNG (PNG, W3C, "IHDR"). */
export interface PngHeader {
  readonly width: number;
  readonly height: number;
  /** Bits per sample. */
  readonly depth: number;
  /** 0 for gray, 2 for red, green and blue. */
  readonly colour: number;
}

/** Returns an image of compressed rows, in base64. */
export function pngOf({ width, height, depth, colour }: PngHeader, compressed: Buffer): string {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colour, 0, 0, 0], 8);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const chunks = [chunk('IHDR', header), chunk('IDAT', compressed), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([signature, ...chunks]).toString('base64');
}

function png(width: number, height: number, rows: Buffer): string {
  return pngOf({ width, height, depth: 8, colour: 2 }, deflateSync(rows));
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

import { inflateSync } from 'node:zlib';

/** Pixels of a picture. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of a pixel. */
  readonly at: (x: number, y: number) => readonly [number, number, number];
}

/** Reads a PNG as browsers write it: eight bits per channel, red, green and blue, with or without alpha. */
export function readPng(file: Uint8Array): Pixels {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') throw new Error('not a PNG');
  const [width, height, depth, kind] = [
    bytes.readUInt32BE(16),
    bytes.readUInt32BE(20),
    bytes[24],
    bytes[25] ?? 0,
  ];
  const channels = { 2: 3, 6: 4 }[kind];
  if (depth !== 8 || channels === undefined || bytes[28] !== 0) throw new Error('another kind of PNG');
  const rows = unfiltered(inflateSync(content(bytes)), width * channels, channels);
  return {
    width,
    height,
    at(x, y) {
      const start = y * width * channels + x * channels;
      const [red = 0, green = 0, blue = 0] = rows.subarray(start, start + 3);
      return [red, green, blue];
    },
  };
}

function content(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 8; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  return Buffer.concat(parts);
}

/** PNG (W3C), "Filtering". */
function unfiltered(lines: Buffer, rowLength: number, step: number): Buffer {
  const rows = Buffer.alloc((lines.length / (rowLength + 1)) * rowLength);
  for (let at = 0; at < rows.length; at += 1) {
    const row = Math.floor(at / rowLength);
    const index = at % rowLength;
    const before = (back: number, inRow: number) => (inRow >= 0 ? (rows[at - back] ?? 0) : 0);
    const [left, above] = [before(step, index - step), before(rowLength, 0)];
    const corner = before(rowLength + step, index - step);
    const filter = lines[row * (rowLength + 1)] ?? 0;
    rows[at] = (lines[row * (rowLength + 1) + 1 + index] ?? 0) + predicted(filter, left, above, corner);
  }
  return rows;
}

function predicted(filter: number, left: number, above: number, corner: number): number {
  if (filter === 4) return paeth(left, above, corner);
  return [0, left, above, (left + above) >> 1][filter] ?? 0;
}

function paeth(left: number, above: number, corner: number): number {
  const estimate = left + above - corner;
  const distance = (value: number) => Math.abs(estimate - value);
  if (distance(left) <= Math.min(distance(above), distance(corner))) return left;
  return distance(above) <= distance(corner) ? above : corner;
}

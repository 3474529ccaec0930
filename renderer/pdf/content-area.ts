import { constants, inflateSync } from 'node:zlib';
import type { PdfFile } from './file/pdf-file.ts';

/** The area between the margins of the first page, in CSS pixels. */
export interface ContentArea {
  readonly width: number;
  readonly height: number;
  /** Width of the layout. If content was wider than the page, the browser shrank all pages, by a factor of 1.5 at most. */
  readonly layoutWidth: number;
}

/** Units of a print in a CSS pixel: the browser prints at 300 dots per inch. */
const UNITS = 300 / 96;
/** Compressed bytes that hold the start of the content. */
const START = 512;
/** The area between the margins, and the first matrix in it: scale and position of the layout. */
const AREA = /\s([\d.]+) ([\d.]+) re\s+W\* n\s+q\s+([\d.]+) 0 0 [\d.]+ [\d.]+ [\d.]+ cm\s/;

/** Reads the area from the start of the first page; undefined if it is empty. `scale` is that of the print settings. */
export function contentArea(file: PdfFile, scale = 1): ContentArea | undefined {
  const [page] = file.pages();
  const stream = page && file.content(page.entries);
  if (!stream) return undefined;
  const { start, end } = stream.data;
  const bytes = file.bytes.subarray(start, Math.min(end, start + START));
  // The browser does not compress short streams.
  const text = stream.entries.has('Filter')
    ? inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
    : bytes;
  const [, width, height, matrix] = AREA.exec(text.toString('latin1')) ?? [];
  if (width === undefined) return undefined;
  const pixels = (units: string | undefined) => Number(units) / UNITS / scale;
  return { width: pixels(width), height: pixels(height), layoutWidth: Number(width) / Number(matrix) };
}

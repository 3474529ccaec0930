import { constants, inflateSync } from 'node:zlib';
import type { PdfFile } from './file/pdf-file.ts';

/** Widths in CSS pixels. */
export interface WideContent {
  /** Width of the layout, which the browser shrank to the page. */
  readonly layout: number;
  /** Width between the margins of the page. */
  readonly room: number;
}

/** Units of a print in a CSS pixel: the browser prints at 300 dots per inch. */
const UNITS = 300 / 96;
/** Compressed bytes that hold the start of the content. */
const START = 512;
/** The area between the margins, and the first matrix in it: scale and position of the layout. */
const AREA = /\s([\d.]+) [\d.]+ re\s+W\* n\s+q\s+([\d.]+) 0 0 [\d.]+ [\d.]+ [\d.]+ cm\s/;
/** Rounding to whole pixels changes the width, too. */
const TOLERANCE = 1.01;

/**
 * Returns the widths if content was wider than the page, so that the browser shrank all pages, by a factor of 1.5 at most.
 * Both come from the start of the first page. `scale` is that of the print settings.
 */
export function wideContent(file: PdfFile, scale = 1): WideContent | undefined {
  const [page] = file.pages();
  const stream = page && file.content(page.entries);
  if (!stream) return undefined;
  const { start, end } = stream.data;
  const bytes = file.bytes.subarray(start, Math.min(end, start + START));
  // The browser does not compress short streams.
  const text = stream.entries.has('Filter')
    ? inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
    : bytes;
  const [, area, matrix] = AREA.exec(text.toString('latin1')) ?? [];
  const room = Number(area) / UNITS / scale;
  const layout = Number(area) / Number(matrix);
  return layout > room * TOLERANCE ? { layout, room } : undefined;
}

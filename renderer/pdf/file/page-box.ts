import type { PdfFile } from './pdf-file.ts';
import { PdfSyntaxError, type PdfDictionary } from './pdf-syntax.ts';

/** In points. */
export type Box = readonly [left: number, bottom: number, right: number, top: number];

/** Returns the paper area of a page. Throws PdfSyntaxError for a page without a size. */
export function mediaBox(file: PdfFile, entries: PdfDictionary): Box {
  const box = entries.get('MediaBox');
  const [a, b, c, d] = ((box && file.array(box)) ?? []).map((part) => file.number(part));
  if (a === undefined || b === undefined || c === undefined || d === undefined) {
    throw new PdfSyntaxError('the PDF has no size of a page');
  }
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}

import type { PdfFile } from './pdf-file.ts';
import { PdfSyntaxError, type PdfDictionary, type Span } from './pdf-syntax.ts';

/** In points. */
export type Box = readonly [left: number, bottom: number, right: number, top: number];

/** Returns the visible area of a page. Throws PdfSyntaxError for a page without a size. */
export function visibleBox(file: PdfFile, entries: PdfDictionary): Box {
  const media = mediaBox(file, entries);
  const crop = boxIn(file, entries.get('CropBox')) ?? media;
  const visible: Box = [
    Math.max(media[0], crop[0]),
    Math.max(media[1], crop[1]),
    Math.min(media[2], crop[2]),
    Math.min(media[3], crop[3]),
  ];
  return visible[0] < visible[2] && visible[1] < visible[3] ? visible : media;
}

/** Returns the paper area of a page. Throws PdfSyntaxError for a page without a size. */
export function mediaBox(file: PdfFile, entries: PdfDictionary): Box {
  const media = boxIn(file, entries.get('MediaBox'));
  if (!media) throw new PdfSyntaxError('the PDF has no size of a page');
  return media;
}

function boxIn(file: PdfFile, value: Span | undefined): Box | undefined {
  if (!value) return undefined;
  const [a, b, c, d] = (file.array(value) ?? []).map((part) => file.number(part));
  if (a === undefined || b === undefined || c === undefined || d === undefined) {
    throw new PdfSyntaxError('the PDF has no size of a page');
  }
  return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
}

import type { DocumentWarning } from '@trifold/crds';
import { LONGEST_SIDE, type PageGeometry } from '@trifold/platform/templating/page-geometry.ts';
import type { DocumentPage, PrintSettings } from '../browser/page/document-page.ts';
import { decorationSheets, type MergedDecoration } from '../pdf/decoration/decoration-sheets.ts';
import { ofTheBrowser } from '../pdf/finish-pdf.ts';
import type { PrintedDecoration } from '../pdf/decoration/lay-over.ts';
import { mediaBox } from '../pdf/file/page-box.ts';
import { PdfFile } from '../pdf/file/pdf-file.ts';
import { removeActions } from '../pdf/file/pdf-links.ts';
import { TaskError } from './task-error.ts';
import { runInSlices, type SlicedWork } from '../time-slices.ts';

/** Input for printing a document. */
export interface PrintableDocument extends MergedDecoration {
  readonly html: string;
  /** Pixels of its embedded images. */
  readonly imagePixels?: number;
  readonly settings: PrintSettings;
  readonly geometry: PageGeometry;
  /** CSS of the template, for the header and footer. */
  readonly css?: string | undefined;
}

/** A printed document; header and footer are separate files until it is finished. */
export interface PrintedDocument {
  readonly pdf: Buffer;
  readonly decorations?: readonly PrintedDecoration[];
  /** About the document and its headers and footers. */
  readonly warnings: readonly DocumentWarning[];
}

/**
 * Prints a document and then its headers and footers, because the number of pages is known only then
 * (docs/adr/0016-headers-and-footers.md). Rejects with PrintError, or with TaskError: `print_failed` when the browser's
 * output cannot be read, `options_invalid` when `@page` sets a page size beyond the limit of PDF.
 */
export async function printDocument(
  page: DocumentPage,
  { html, imagePixels, settings, geometry, css, ...decoration }: PrintableDocument,
): Promise<PrintedDocument> {
  const pdf = await page.print(html, settings, imagePixels);
  const warnings = page.blocked;
  const printed = await ofTheBrowser(runInSlices(readPages(pdf)));
  if (decoration.header === undefined && decoration.footer === undefined) return { pdf, warnings };
  const { printBackground, paperWidth, paperHeight } = settings;
  const margins = { marginTop: 0, marginRight: 0, marginBottom: 0, marginLeft: 0 };
  const decorations: PrintedDecoration[] = [];
  for (const { html: sheets, ...places } of decorationSheets(decoration, geometry, printed, css)) {
    const sheetSettings = { paperWidth, paperHeight, ...margins, printBackground };
    const sheetsPdf = await page.print(sheets, sheetSettings, imagePixels);
    warnings.push(...page.blocked);
    decorations.push({ ...places, pdf: sheetsPdf });
  }
  return { pdf, decorations, warnings };
}

/** In points. */
interface PageSize {
  readonly width: number;
  readonly height: number;
}

const POINTS_PER_INCH = 72;
/** Tolerance in points: the browser rounds page sizes to whole CSS pixels. */
const ROUNDING = POINTS_PER_INCH / 96;

/** Sizes in options are validated earlier; this also covers those of `@page`. */
function assertPossible({ width, height }: PageSize): void {
  if (Math.max(width, height) <= LONGEST_SIDE * POINTS_PER_INCH + ROUNDING) return;
  const sides = [width, height].map((side) => `${Number((side / POINTS_PER_INCH).toFixed(1))}in`);
  const message = `a page is ${sides.join(' by ')} large: no side may be longer than ${LONGEST_SIDE}in, in @page either`;
  throw new TaskError('options_invalid', message);
}

/** Reads the page sizes and removes actions that are not allowed in a file. */
function* readPages(pdf: Buffer): SlicedWork<PageSize[]> {
  const file = new PdfFile(pdf);
  const sizes: PageSize[] = [];
  for (const { entries } of file.pages()) {
    const [left, bottom, right, top] = mediaBox(file, entries);
    const size = { width: right - left, height: top - bottom };
    assertPossible(size);
    sizes.push(size);
    yield* removeActions(file, entries);
    yield;
  }
  return sizes;
}

import type { PageGeometry } from '@trifold/platform/templates/page-geometry.ts';
import type { DocumentPage, PrintSettings } from '../browser/document-page.ts';
import { bandSheets, type MergedBands } from './band-sheets.ts';
import { ofTheBrowser } from './finish-pdf.ts';
import type { PrintedBands } from './lay-over.ts';
import { mediaBox } from './page-box.ts';
import { PdfFile } from './pdf-file.ts';

/** What a document is printed from. */
export interface PrintableDocument extends MergedBands {
  readonly html: string;
  readonly settings: PrintSettings;
  readonly geometry: PageGeometry;
  /** The template's, for header and footer. */
  readonly css?: string | undefined;
}

/** A document as the browser printed it; header and footer are files of their own until it is finished. */
export interface PrintedDocument {
  readonly pdf: Buffer;
  readonly bands?: readonly PrintedBands[];
}

/**
 * Prints a document, and then its headers and footers, whose number of pages is known by then
 * (docs/adr/0016-headers-and-footers.md). Rejects with PrintError, or with TaskError `print_failed` when what the browser
 * wrote cannot be read.
 */
export async function printDocument(
  page: DocumentPage,
  { html, settings, geometry, css, ...bands }: PrintableDocument,
): Promise<PrintedDocument> {
  const pdf = await page.print(html, settings);
  if (bands.header === undefined && bands.footer === undefined) return { pdf };
  const printed = ofTheBrowser(() => sizesOf(new PdfFile(pdf)));
  const { printBackground, paperWidth, paperHeight } = settings;
  const margins = { marginTop: 0, marginRight: 0, marginBottom: 0, marginLeft: 0 };
  const printedBands: PrintedBands[] = [];
  for (const { html: sheets, ...places } of bandSheets(bands, geometry, printed, css)) {
    const sheetsPdf = await page.print(sheets, { paperWidth, paperHeight, ...margins, printBackground });
    printedBands.push({ ...places, pdf: sheetsPdf });
  }
  return { pdf, bands: printedBands };
}

function sizesOf(file: PdfFile) {
  return file.pages().map(({ entries }) => {
    const [left, bottom, right, top] = mediaBox(file, entries);
    return { width: right - left, height: top - bottom };
  });
}

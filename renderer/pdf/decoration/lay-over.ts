import type { DecorationSheets } from './decoration-sheets.ts';
import type { PageDrawings } from './page-drawings.ts';
import { PdfFile } from '../file/pdf-file.ts';
import { PdfGraft } from '../file/pdf-graft.ts';
import { PdfSyntaxError } from '../file/pdf-syntax.ts';
import type { PdfUpdate } from '../file/pdf-update.ts';
import { DocumentError } from '@trifold/platform/errors/document-error.ts';
import { collect, type SlicedWork } from '../../time-slices.ts';

const SWALLOWED =
  'the header or footer does not close an element, so it does not appear on every page: close the element';

/** Printed headers and footers. */
export interface PrintedDecoration extends Omit<DecorationSheets, 'html'> {
  readonly pdf: Buffer;
}

/**
 * Draws sheets over the pages of a document, aligned at the top left. Throws PdfSyntaxError, and DocumentError
 * `options_invalid` for content that swallows the sheets after it.
 */
export function* layOver(
  file: PdfFile,
  update: PdfUpdate,
  drawings: PageDrawings,
  decoration: PrintedDecoration,
): SlicedWork<void> {
  const printed = new PdfFile(decoration.pdf);
  const sheets = yield* collect(printed.pages());
  const graft = new PdfGraft(printed, update);
  const forms = new Map<number, string>();
  for (const [index, numbers] of decoration.onPage.entries()) {
    const page = drawings.pages[decoration.firstPage + index];
    if (!page) throw new PdfSyntaxError('the PDF does not have a page for each sheet');
    const [left, bottom, right, top] = file.mediaBox(page.entries);
    for (const number of numbers) {
      const sheet = sheets[number];
      // Elements are closed before printing, but some (plaintext) cannot be closed.
      if (!sheet) throw new DocumentError('options_invalid', SWALLOWED);
      const [, sheetBottom, , sheetTop] = printed.mediaBox(sheet.entries);
      const height = sheetTop - sheetBottom;
      const form = forms.get(number) ?? graft.form(sheet, [0, height - (top - bottom), right - left, height]);
      forms.set(number, form);
      const name = `TrifoldSheet${number}`;
      // Marked as an artifact, so that screen readers skip it on tagged pages.
      const drawing = `/Artifact BMC q 1 0 0 1 ${left} ${top - height} cm /${name} Do Q EMC\n`;
      drawings.draw(page, drawing, [['XObject', new Map([[name, form]])]]);
    }
    yield;
  }
}

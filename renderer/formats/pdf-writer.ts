import type { DocumentWarning } from '@trifold/crds';
import type { DocumentPage } from '../browser/page/document-page.ts';
import type { BrowserPool } from '../browser/pool/browser-pool.ts';
import { glyphWarnings, type FontCoverage } from '../glyphs/font-coverage.ts';
import { lacksGlyphs } from '../glyphs/shown-glyphs.ts';
import { finishPdf } from '../pdf/finish-pdf.ts';
import { printDocument, type PrintedDocument } from '../task/print-document.ts';
import type { DocumentToWrite, FormatWriter, WritingTurn, WrittenFile } from './format-writer.ts';

/** Prints documents. */
export class PdfWriter implements FormatWriter {
  readonly #browsers: Pick<BrowserPool, 'withPage'>;
  readonly #fonts: Pick<FontCoverage, 'uncovered'>;

  constructor(browsers: Pick<BrowserPool, 'withPage'>, fonts: Pick<FontCoverage, 'uncovered'>) {
    this.#browsers = browsers;
    this.#fonts = fonts;
  }

  async write(document: DocumentToWrite, { signal, waiting, working }: WritingTurn): Promise<WrittenFile> {
    const { printing, account, priority, properties } = document;
    const { conformance } = printing.options;
    const features = { ...document.features, properties, conformance };
    waiting();
    const uncovered = await this.#fonts.uncovered(document.scripts);
    const use = (page: DocumentPage) => {
      working();
      return printDocument(page, { ...document, ...printing });
    };
    const print = await this.#browsers.withPage(account, signal, use, priority);
    const { pdf, pages } = await finishPdf(print.pdf, features, print.decorations);
    return { body: pdf, pages, warnings: [...print.warnings, ...(await missingGlyphs(uncovered, print))] };
  }
}

/**
 * The file decides: an embedded font may cover a script that no installed font covers, or the text may be invisible.
 */
async function missingGlyphs(
  uncovered: readonly string[],
  { pdf, decorations = [] }: PrintedDocument,
): Promise<DocumentWarning[]> {
  if (uncovered.length === 0) return [];
  for (const file of [pdf, ...decorations.map((decoration) => decoration.pdf)]) {
    if (await lacksGlyphs(file)) return glyphWarnings(uncovered);
  }
  return [];
}

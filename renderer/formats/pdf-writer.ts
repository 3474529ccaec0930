import type { BrowserPool } from '../browser/pool/browser-pool.ts';
import { finishPdf } from '../pdf/finish-pdf.ts';
import { printDocument } from '../task/print-document.ts';
import type { DocumentToWrite, FormatWriter, WritingTurn, WrittenFile } from './format-writer.ts';

/** Prints documents. */
export class PdfWriter implements FormatWriter {
  readonly #browsers: Pick<BrowserPool, 'withPage'>;

  constructor(browsers: Pick<BrowserPool, 'withPage'>) {
    this.#browsers = browsers;
  }

  async write(document: DocumentToWrite, { signal, waiting, working }: WritingTurn): Promise<WrittenFile> {
    const { printing, features, account } = document;
    waiting();
    const print = await this.#browsers.withPage(account, signal, (page) => {
      working();
      return printDocument(page, { ...document, ...printing });
    });
    const { pdf, pages } = await finishPdf(print.pdf, features, print.decorations);
    return { body: pdf, pages, warnings: print.warnings };
  }
}

import type { KeyMode } from '@trifold/crds';
import { PdfFile } from './pdf-file.ts';
import { PdfSyntaxError } from './pdf-syntax.ts';
import { pdfDictionary, PdfUpdate } from './pdf-update.ts';
import { stampWatermark } from './stamp-watermark.ts';
import { TaskError } from './task-error.ts';

export interface FinishedPdf {
  readonly pdf: Buffer;
  readonly pages: number;
}

/**
 * Counts the pages of what the browser printed and appends what is the service's own: the time of the document, and
 * the watermark when a test key made it. What the browser wrote stays as it is before that.
 * Throws TaskError, retryable: `print_failed` for a file that is not a complete PDF of Chromium's, `watermark_failed`
 * when a page cannot be stamped. No document of a test key passes without its watermark.
 */
export function finishPdf(pdf: Buffer, document: { mode: KeyMode; createdAt: Date }): FinishedPdf {
  try {
    const file = new PdfFile(pdf);
    const pages = file.pageCount;
    const update = new PdfUpdate(file);
    describe(file, update, document.createdAt);
    if (document.mode !== 'live') stamp(file, update);
    return { pdf: update.bytes(), pages };
  } catch (error) {
    if (!(error instanceof PdfSyntaxError)) throw error;
    throw new TaskError('print_failed', 'the browser wrote a file that is not a complete PDF', {
      retryable: true,
      cause: error,
    });
  }
}

function stamp(file: PdfFile, update: PdfUpdate): void {
  try {
    stampWatermark(file, update);
  } catch (error) {
    if (!(error instanceof PdfSyntaxError)) throw error;
    const message = 'the watermark of a test document could not be put on every page';
    throw new TaskError('watermark_failed', message, { retryable: true, cause: error });
  }
}

/** The document is as old as its job, however often it was rendered. */
function describe(file: PdfFile, update: PdfUpdate, createdAt: Date): void {
  const info = file.trailer.get('Info');
  const entries = new Map<string, string>();
  if (info) for (const [name, value] of file.dictionary(info)) entries.set(name, file.text(value));
  const time = `(D:${createdAt.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}+00'00')`;
  entries.set('Creator', '(Trifold)');
  entries.set('CreationDate', time);
  entries.set('ModDate', time);
  update.point('Info', update.add(pdfDictionary(entries)));
}

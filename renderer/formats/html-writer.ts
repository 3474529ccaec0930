import { PrintError } from '../browser/page/print-error.ts';
import { mayNavigate } from '../browser/page/page-reuse.ts';
import { watermarkText } from '../pdf/watermark/watermark-tile.ts';
import { encodeUtf8, runInSlices } from '../time-slices.ts';
import type { MergeExtras } from '../merge/template-merger.ts';
import type { DocumentToWrite, FormatWriter, WrittenFile } from './format-writer.ts';

/**
 * Returns the merged document itself; no browser is needed. Rejects with PrintError `document_navigates` for a document
 * with a refresh, which a content security policy cannot block: it would send the reader, and data, elsewhere.
 */
export class HtmlWriter implements FormatWriter {
  mergeExtras({ features: { title, mode } }: Pick<DocumentToWrite, 'features'>): MergeExtras {
    // First-page rules belong to a printed header.
    return { selfContained: { title, watermark: watermarkText(mode) }, rules: undefined };
  }

  async write({ html, preamble }: DocumentToWrite): Promise<WrittenFile> {
    // Never return a file without its policy.
    if (preamble === undefined) throw new Error('the document was merged without a preamble');
    if (mayNavigate(html)) throw PrintError.navigated();
    return { body: await runInSlices(encodeUtf8(preamble, html)), pages: 0 };
  }
}

import { PrintError } from '../browser/print-error.ts';
import { mayLeave } from '../browser/residue.ts';
import { selfContained } from './self-contained-html.ts';
import type { DocumentToWrite, FormatWriter, WrittenFile } from './format-writer.ts';

/**
 * Gives the merged document itself. No browser is needed. What no policy holds back is refused: a refresh would take the
 * reader elsewhere, and data with it. Rejects with PrintError `document_navigates`.
 */
export class HtmlWriter implements FormatWriter {
  write({ html, features }: DocumentToWrite): Promise<WrittenFile> {
    if (mayLeave(html)) return Promise.reject(PrintError.navigated());
    const { title, mode } = features;
    const text = selfContained(html, { title, watermark: mode !== 'live' });
    return Promise.resolve({ body: Buffer.from(text), pages: 0 });
  }
}

import { selfContained } from './self-contained-html.ts';
import type { DocumentToWrite, FormatWriter, WrittenFile } from './format-writer.ts';

/** Gives the merged document itself. No browser is needed. */
export class HtmlWriter implements FormatWriter {
  write({ html, features }: DocumentToWrite): Promise<WrittenFile> {
    const { title, mode } = features;
    const text = selfContained(html, { title, watermark: mode !== 'live' });
    return Promise.resolve({ body: Buffer.from(text), pages: 0 });
  }
}

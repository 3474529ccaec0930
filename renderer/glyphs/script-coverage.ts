import { inflateSync } from 'node:zlib';
import type { DocumentPage } from '../browser/page/document-page.ts';
import { WARM_UP_SETTINGS } from '../browser/pool/warm-up.ts';
import { PdfFile } from '../pdf/file/pdf-file.ts';
import { hasNoGlyph } from './shown-glyphs.ts';
import { EMOJI, SCRIPT_SAMPLES } from './unicode-scripts.ts';

/**
 * Prints a letter of each script and returns the scripts that no font covers: documents show boxes or nothing for them.
 * Rejects with PrintError.
 */
export async function findMissingScripts(page: Pick<DocumentPage, 'print'>): Promise<string[]> {
  const samples = { ...SCRIPT_SAMPLES, [EMOJI.name]: EMOJI.sample };
  const letters = Object.values(samples).map(
    (code) => `<p style="break-after:page">${String.fromCodePoint(code)}</p>`,
  );
  const html = `<!doctype html><meta charset="utf-8">${letters.join('')}`;
  const file = new PdfFile(await page.print(html, WARM_UP_SETTINGS));
  const contents = Array.from(file.pages(), ({ entries }) => {
    const value = entries.get('Contents');
    const stream = value && file.stream(value);
    return stream
      ? inflateSync(file.bytes.subarray(stream.data.start, stream.data.end)).toString('latin1')
      : '';
  });
  // Colour glyphs may be drawings or pictures without any text.
  return Object.keys(samples).filter((_name, index) => hasNoGlyph(contents[index] ?? ''));
}

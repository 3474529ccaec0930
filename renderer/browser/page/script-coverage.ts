import { inflateSync } from 'node:zlib';
import { PdfFile } from '../../pdf/file/pdf-file.ts';
import { WARM_UP_SETTINGS } from '../pool/warm-up.ts';
import type { DocumentPage } from './document-page.ts';

/**
 * For each script that the image has fonts for, a letter that fonts of other scripts lack. The emoji sample is not a
 * face: text fonts contain some faces, but no other emoji.
 */
const SAMPLES: Readonly<Record<string, string>> = {
  Latin: 'é',
  Greek: 'Ω',
  Cyrillic: 'Ж',
  Hebrew: 'ש',
  Arabic: 'ع',
  Chinese: '汉',
  Japanese: 'あ',
  Korean: '한',
  Emoji: '🎉',
};

/** Text operators of a content stream and the glyphs they show. */
const SHOWN = /<([0-9a-fA-F]*)>|\bT[jJ]\b/g;
/** The glyph for letters that no font has, as the browser's PDF writer encodes it. */
const NO_GLYPH = /^(?:0000)+$/;

/**
 * Prints a letter of each script and returns the scripts that no font covers: documents show boxes or nothing for them.
 * Rejects with PrintError.
 */
export async function findMissingScripts(page: Pick<DocumentPage, 'print'>): Promise<string[]> {
  const names = Object.keys(SAMPLES);
  const letters = Object.values(SAMPLES).map((letter) => `<p style="break-after:page">${letter}</p>`);
  const html = `<!doctype html><meta charset="utf-8">${letters.join('')}`;
  const file = new PdfFile(await page.print(html, WARM_UP_SETTINGS));
  const contents = Array.from(file.pages(), ({ entries }) => {
    const value = entries.get('Contents');
    const stream = value && file.stream(value);
    return stream
      ? inflateSync(file.bytes.subarray(stream.data.start, stream.data.end)).toString('latin1')
      : '';
  });
  return names.filter((_name, index) => isMissing(contents[index] ?? ''));
}

/** Colour glyphs may be drawings or pictures without any text. */
function isMissing(content: string): boolean {
  const shown = Array.from(content.matchAll(SHOWN), ([, glyphs = '']) => glyphs).filter(Boolean);
  return shown.some((glyphs) => NO_GLYPH.test(glyphs));
}

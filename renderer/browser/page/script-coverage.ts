import { inflateSync } from 'node:zlib';
import { PdfFile } from '../../pdf/file/pdf-file.ts';
import { WARM_UP_SETTINGS } from '../pool/warm-up.ts';
import type { DocumentPage } from './document-page.ts';

/**
 * A letter of each script that the image has fonts for, which fonts of another script do not have. Of emoji that is none
 * of the faces: fonts for text have those, and no others.
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

/** The text operators of a content stream and what they show. */
const SHOWN = /<([0-9a-fA-F]*)>|\bT[jJ]\b/g;
/** The glyph that stands for every letter that no font has, as the browser's writer names it. */
const NO_GLYPH = /^(?:0000)+$/;

/**
 * Prints a letter of each script and says of which scripts no font has it: documents get boxes, or nothing, in their
 * place. Rejects with PrintError.
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

/** Coloured letters may be drawings or pictures, with no text at all. */
function isMissing(content: string): boolean {
  const shown = Array.from(content.matchAll(SHOWN), ([, glyphs = '']) => glyphs).filter(Boolean);
  return shown.some((glyphs) => NO_GLYPH.test(glyphs));
}

import { create } from 'content-disposition';

/** What a GenerationJob can hold (its spec, filename). */
const LONGEST_NAME = 255;
const EXTENSION = '.pdf';

/** Control and separator characters, and those that turn the direction of the text around them. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;
const PATH_SEPARATORS = /[/\\]/g;

/**
 * A file name that can be shown and saved anywhere: any Unicode, but no path, no control characters, and `.pdf` at its
 * end. Undefined when nothing is left of it.
 */
export function safeFilename(name: string): string | undefined {
  const cleaned = name.toWellFormed().replace(INVISIBLE, '').replace(PATH_SEPARATORS, '_').trim();
  const hasExtension = cleaned.toLowerCase().endsWith(EXTENSION);
  const stem = hasExtension ? cleaned.slice(0, -EXTENSION.length) : cleaned;
  if (/^[.\s]*$/.test(stem)) return undefined;
  return shortened(stem) + (hasExtension ? cleaned.slice(-EXTENSION.length) : EXTENSION);
}

/** Cut where it is too long, but never inside a character. */
function shortened(stem: string): string {
  const most = LONGEST_NAME - EXTENSION.length;
  return stem.length <= most
    ? stem
    : stem
        .slice(0, most)
        .toWellFormed()
        .replace(/\ufffd$/, '');
}

/** The Content-Disposition header of a document (RFC 6266, RFC 8187). */
export function contentDisposition(filename: string | undefined, id: string): string {
  return create((filename !== undefined && safeFilename(filename)) || `${id}${EXTENSION}`);
}

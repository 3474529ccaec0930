import { extensionOf, type DocumentFormat } from '@trifold/crds';
import { create } from 'content-disposition';

/** What a GenerationJob can hold (its spec, filename). */
const LONGEST_NAME = 255;

/** Control and separator characters, and those that turn the direction of the text around them. */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;
const PATH_SEPARATORS = /[/\\]/g;

/**
 * A file name that can be shown and saved anywhere: any Unicode, but no path, no control characters, and at its end
 * the extension of its format. Undefined when nothing is left of it.
 */
export function safeFilename(name: string, format: DocumentFormat = 'pdf'): string | undefined {
  const extension = extensionOf(format);
  const cleaned = name.toWellFormed().replace(INVISIBLE, '').replace(PATH_SEPARATORS, '_').trim();
  const hasExtension = cleaned.toLowerCase().endsWith(extension);
  const stem = hasExtension ? cleaned.slice(0, -extension.length) : cleaned;
  if (/^[.\s]*$/.test(stem)) return undefined;
  const most = LONGEST_NAME - extension.length;
  return shortened(stem, most) + (hasExtension ? cleaned.slice(-extension.length) : extension);
}

/** Cut where it is too long, but never inside a character. */
function shortened(stem: string, most: number): string {
  return stem.length <= most
    ? stem
    : stem
        .slice(0, most)
        .toWellFormed()
        .replace(/\ufffd$/, '');
}

/** The Content-Disposition header of a document (RFC 6266, RFC 8187). */
export function contentDisposition(
  filename: string | undefined,
  id: string,
  format: DocumentFormat = 'pdf',
): string {
  return create((filename !== undefined && safeFilename(filename, format)) || `${id}${extensionOf(format)}`);
}

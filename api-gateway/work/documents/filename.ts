import { extensionOf, type DocumentFormat } from '@trifold/crds';
import { create } from 'content-disposition';
import { ApiError } from '../../server/errors/api-error.ts';

/** File system limit in UTF-8 bytes. A GenerationJob allows this number of characters (its spec, filename). */
const MAX_NAME_LENGTH = 255;

/**
 * Control and separator characters, characters that change the text direction, and zero-width spaces. Joiners (U+200C,
 * U+200D) are kept: Persian text and emoji need them.
 */
const INVISIBLE = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;
const PATH_SEPARATORS = /[/\\]/g;

/**
 * Returns a file name that is safe to show and save: any Unicode, but no path and no control characters. It ends with
 * the format's extension and has at most 255 bytes in UTF-8. Undefined if nothing is left.
 */
export function safeFilename(name: string, format: DocumentFormat = 'pdf'): string | undefined {
  const extension = extensionOf(format);
  const cleaned = name.toWellFormed().replace(INVISIBLE, '').replace(PATH_SEPARATORS, '_').trim();
  const hasExtension = cleaned.toLowerCase().endsWith(extension);
  const stem = hasExtension ? cleaned.slice(0, -extension.length) : cleaned;
  if (/^[.\s]*$/.test(stem)) return undefined;
  const most = MAX_NAME_LENGTH - extension.length;
  return shortened(stem, most) + (hasExtension ? cleaned.slice(-extension.length) : extension);
}

/** Returns what prevents a file from being saved under exactly this name, or undefined. */
export function findFilenameProblem(name: string): string | undefined {
  if (/[/\\]|^[a-z]:/i.test(name)) return 'must not contain a path';
  if (name.search(INVISIBLE) !== -1) {
    return 'must not contain control characters or invisible formatting characters';
  }
  if (/^[.\s]*$/.test(name)) return 'contains no characters that are allowed in a file name';
  return Buffer.byteLength(name) > MAX_NAME_LENGTH ? `must have at most ${MAX_NAME_LENGTH} bytes` : undefined;
}

/** Inserts a number before the extension: `a (2).pdf`. `name` is safe and has the extension; so is the result. */
export function numberedFilename(name: string, number: number, format: DocumentFormat): string {
  const dot = name.length - extensionOf(format).length;
  const end = ` (${number})${name.slice(dot)}`;
  return shortened(name.slice(0, dot), MAX_NAME_LENGTH - Buffer.byteLength(end)) + end;
}

/** Returns the safe form of a request's file name. Throws ApiError `invalid_request` with `path`. */
export function usableFilename(name: string, format: DocumentFormat, path: string): string {
  const safe = safeFilename(name, format);
  if (safe !== undefined) return safe;
  const detail = { path, message: 'contains no characters that are allowed in a file name' };
  throw new ApiError('invalid_request', `${path} ${detail.message}`, { details: [detail] });
}

const CHARACTERS = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Truncates to at most `most` bytes. Never splits a grapheme, unless a single one is too long. */
function shortened(stem: string, most: number): string {
  if (Buffer.byteLength(stem) <= most) return stem;
  const characters = Array.from(CHARACTERS.segment(stem), ({ segment }) => segment);
  return beginningOf(characters, most) || beginningOf(stem, most);
}

/** Joins the first parts that fit in `bytes`. */
function beginningOf(parts: Iterable<string>, bytes: number): string {
  let beginning = '';
  let room = bytes;
  for (const part of parts) {
    room -= Buffer.byteLength(part);
    if (room < 0) break;
    beginning += part;
  }
  return beginning;
}

/** The Content-Disposition header of a document (RFC 6266, RFC 8187). */
export function contentDisposition(
  filename: string | undefined,
  id: string,
  format: DocumentFormat = 'pdf',
): string {
  return create((filename !== undefined && safeFilename(filename, format)) || `${id}${extensionOf(format)}`);
}

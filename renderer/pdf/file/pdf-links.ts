import type { PdfFile } from './pdf-file.ts';
import { valueAt, type PdfDictionary, type Span } from './pdf-syntax.ts';
import type { SlicedWork } from '../../time-slices.ts';

/** Link schemes that a file keeps. Others can start programs, run scripts or access the reader's files. */
const ALLOWED = /^(?:https?|mailto|tel):/i;
/** Number of URI characters to read; every scheme is shorter. */
const READ = 64;

/** Whether a file may contain a link, in any format. Relative links are not allowed: a file has no base URL. */
export function isAllowedLink(url: string): boolean {
  return ALLOWED.test(url);
}

/**
 * Removes the actions of a page's annotations except links to allowed URLs: overwrites each with `null` and spaces, so
 * that no offset changes. Links within the document are not actions. Runs in time proportional to the annotations.
 */
export function* removeActions(file: PdfFile, page: PdfDictionary): SlicedWork<void> {
  const annotations = page.get('Annots');
  if (!annotations) return;
  for (const annotation of file.elements(annotations) ?? []) {
    const action = file.dictionary(annotation).get('A');
    if (action && !isAllowed(file, action)) overwrite(file, action);
    yield;
  }
}

function isAllowed(file: PdfFile, action: Span): boolean {
  const entries = file.dictionary(action);
  const [kind, uri] = [entries.get('S'), entries.get('URI')];
  if (!kind || !uri || file.text(kind) !== '/URI') return false;
  return isAllowedLink(startOfString(file, uri));
}

/** Ignores escapes: the browser writes none in the allowed schemes. */
function startOfString(file: PdfFile, value: Span): string {
  const text = file.bytes.toString('latin1', value.start, Math.min(value.end, value.start + READ));
  if (!text.startsWith('<')) return text.slice(1);
  return Buffer.from(text.slice(1), 'hex').toString('latin1');
}

/** Overwrites the action itself, even if the annotation only refers to it. */
function overwrite(file: PdfFile, action: Span): void {
  const { start, end } = valueAt(file.bytes, file.resolve(action).start);
  file.bytes.fill(' ', start, end);
  file.bytes.write('null', start, 'latin1');
}

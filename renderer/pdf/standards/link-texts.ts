import type { NamedLink } from '../../browser/page/accessible-content.ts';
import type { SlicedWork } from '../../time-slices.ts';
import type { PdfFile } from '../file/pdf-file.ts';
import { isAllowedLink } from '../file/pdf-links.ts';
import { dictionaryAt, referenceIn, valueAt, type PdfDictionary } from '../file/pdf-syntax.ts';
import { pdfText, textOf } from '../file/pdf-text.ts';
import { pdfDictionary, type PdfUpdate } from '../file/pdf-update.ts';
import { ELEMENT } from './structure-tree.ts';

/** Address for a link whose action is not allowed in a file. */
const NO_TARGET = '';

/**
 * Describes each link of a tagged file with its text (ISO 32000-1, 12.5.2, Contents), or else with its URL. The browser
 * writes links in document order, and several annotations for a link that wraps.
 */
export function* addLinkTexts(
  file: PdfFile,
  update: PdfUpdate,
  links: readonly NamedLink[],
): SlicedWork<void> {
  const textsByUrl = Map.groupBy(links, ({ url }) =>
    isAllowedLink(url) || !URL.canParse(url) ? url : NO_TARGET,
  );
  for (const [object, { start }] of yield* file.objects()) {
    yield;
    const annotations = annotationsOf(file, start + `${object} 0 obj`.length);
    const [first] = annotations.values();
    const url = first && urlOf(file, first);
    if (url === undefined) continue;
    const text = textsByUrl.get(url)?.shift()?.text || url;
    if (text === '') continue;
    for (const [number, entries] of annotations) {
      const written = Array.from(entries, ([name, value]) => [name, file.text(value)] as const);
      update.replace(number, pdfDictionary([...written, ['Contents', pdfText(text)]]));
    }
  }
}

/** Returns a structure element's annotations, by object number; none for any other object. */
function annotationsOf(file: PdfFile, start: number): Map<number, PdfDictionary> {
  const annotations = new Map<number, PdfDictionary>();
  const value = valueAt(file.bytes, start);
  if (file.text({ ...value, end: value.start + ELEMENT.length }) !== ELEMENT) return annotations;
  const kids = dictionaryAt(file.bytes, value.start).get('K');
  for (const kid of kids ? (file.elements(kids) ?? [kids]) : []) {
    const target = file.text(kid).startsWith('<<') ? file.dictionary(kid).get('Obj') : undefined;
    const number = target && referenceIn(file.bytes, target);
    if (target && number !== undefined) annotations.set(number, file.dictionary(target));
  }
  return annotations;
}

/** Returns the URL of a link, `#` and the name of its target, or NO_TARGET. */
function urlOf(file: PdfFile, annotation: PdfDictionary): string {
  const [action, target] = [annotation.get('A'), annotation.get('Dest')];
  if (target) return `#${file.text(target).slice(1)}`;
  const url = action && file.text(action) !== 'null' ? file.dictionary(action).get('URI') : undefined;
  return url ? textOf(file.text(url)) : NO_TARGET;
}

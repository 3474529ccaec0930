import type { PdfFile } from './pdf-file.ts';
import type { PdfDictionary, Span } from './pdf-syntax.ts';
import { pdfDictionary } from './pdf-update.ts';

/** References by name, by category (`Font`). */
export type Resources = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Serializes resources with others, which replace those with the same name. */
export function resourcesWith(file: PdfFile, value: Span | undefined, added: Resources): string {
  const resources: PdfDictionary = value ? file.dictionary(value) : new Map();
  const written = textsOf(file, resources);
  for (const [category, references] of added) {
    const own = resources.get(category);
    const entries = own ? textsOf(file, file.dictionary(own)) : new Map<string, string>();
    written.set(category, pdfDictionary(new Map([...entries, ...references])));
  }
  return pdfDictionary(written);
}

/** Returns the entries of a dictionary as they are in the file. */
export function textsOf(file: PdfFile, entries: PdfDictionary): Map<string, string> {
  return new Map(Array.from(entries, ([name, value]) => [name, file.text(value)]));
}

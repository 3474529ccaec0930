import type { PdfFile, PdfPage } from '../file/pdf-file.ts';
import type { PdfDictionary, Span } from '../file/pdf-syntax.ts';
import { pdfDictionary, type PdfUpdate } from '../file/pdf-update.ts';
import type { SlicedWork } from '../../time-slices.ts';

/** Resource categories (`Font`) with references by name. */
export type PageResources = readonly (readonly [category: string, ReadonlyMap<string, string>])[];

interface Additions {
  readonly streams: string[];
  readonly resources: Map<string, Map<string, string>>;
}

/**
 * Adds drawings over the content of pages, in call order. Encloses the content in q and Q, because it does not restore
 * its coordinate system. Throws PdfSyntaxError for malformed pages.
 */
export class PageDrawings {
  readonly pages: readonly PdfPage[];
  readonly #file: PdfFile;
  readonly #update: PdfUpdate;
  readonly #additions = new Map<PdfPage, Additions>();

  constructor(file: PdfFile, update: PdfUpdate, pages: readonly PdfPage[]) {
    this.#file = file;
    this.#update = update;
    this.pages = pages;
  }

  /** Draws a stream of the update on a page. The stream must leave the graphics state unchanged. */
  draw(page: PdfPage, stream: string, resources: PageResources): void {
    const additions: Additions = this.#additions.get(page) ?? { streams: [], resources: new Map() };
    this.#additions.set(page, additions);
    additions.streams.push(stream);
    for (const [category, references] of resources) {
      const all = additions.resources.get(category) ?? new Map<string, string>();
      for (const [name, reference] of references) all.set(name, reference);
      additions.resources.set(category, all);
    }
  }

  /** Writes the changed pages. Call it once, after all drawings. */
  *write(): SlicedWork<void> {
    if (this.#additions.size === 0) return;
    const before = this.#update.addStream('q\n');
    const behind = this.#update.addStream('\nQ\n');
    for (const [{ object, entries }, { streams, resources }] of this.#additions) {
      const written = this.#texts(entries);
      written.set('Contents', `[${[before, ...this.#contentsOf(entries), behind, ...streams].join(' ')}]`);
      written.set('Resources', this.#resourcesWith(resources, entries.get('Resources')));
      this.#update.replace(object, pdfDictionary(written));
      yield;
    }
  }

  #contentsOf(entries: PdfDictionary): string[] {
    const contents = entries.get('Contents');
    if (!contents || this.#file.text(contents) === 'null') return [];
    const parts = this.#file.array(contents) ?? [contents];
    return parts.map((part) => this.#file.text(part));
  }

  #resourcesWith(added: Additions['resources'], value: Span | undefined): string {
    const resources = value ? this.#file.dictionary(value) : new Map<string, Span>();
    const written = this.#texts(resources);
    for (const [category, references] of added) {
      const own = resources.get(category);
      const entries = own ? this.#texts(this.#file.dictionary(own)) : new Map<string, string>();
      written.set(category, pdfDictionary([...entries, ...references]));
    }
    return pdfDictionary(written);
  }

  #texts(entries: PdfDictionary): Map<string, string> {
    const texts = new Map<string, string>();
    for (const [name, value] of entries) texts.set(name, this.#file.text(value));
    return texts;
  }
}

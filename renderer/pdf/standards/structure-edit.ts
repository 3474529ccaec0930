import type { SlicedWork } from '../../time-slices.ts';
import { referenceIn } from '../file/pdf-syntax.ts';
import { pdfDictionary, type PdfUpdate } from '../file/pdf-update.ts';
import { ownKids, type StructureElement, type StructureTree } from './structure-tree.ts';

/** Collects changes to structure elements, so that each element is written once. */
export class StructureEdit {
  readonly #tree: StructureTree;
  readonly #update: PdfUpdate;
  /** Changed entries by object number. */
  readonly #changed = new Map<number, Map<string, string>>();

  constructor(tree: StructureTree, update: PdfUpdate) {
    this.#tree = tree;
    this.#update = update;
  }

  /** Adds an element, whose other entries can refer to it. Returns a reference to it. */
  add(
    type: string,
    parent: string,
    entriesOf: (reference: string) => Readonly<Record<string, string>>,
  ): string {
    const reference = this.#update.add('null');
    const entries = { Type: '/StructElem', S: `/${type}`, P: parent, ...entriesOf(reference) };
    this.#update.replace(Number.parseInt(reference, 10), pdfDictionary(Object.entries(entries)));
    return reference;
  }

  setType({ object }: StructureElement, type: string): void {
    this.#entries(object).set('S', `/${type}`);
  }

  /** Sets the number of rows that a table cell spans. */
  setRows({ object }: StructureElement, rows: number): void {
    const entries = this.#entries(object);
    const attributes = entries.get('A');
    if (attributes) entries.set('A', attributes.replace(/\/RowSpan \d+/, `/RowSpan ${rows}`));
  }

  /** Sets an element's child elements, given as references. Keeps its marked content and annotations. */
  setKids(element: StructureElement, references: readonly string[]): void {
    const { file } = this.#tree;
    const contents = ownKids(file, this.#tree.entries(element)).flatMap((kid) =>
      referenceIn(file.bytes, kid) === undefined ? [file.text(kid)] : [],
    );
    this.#entries(element.object).set('K', `[${[...contents, ...references].join(' ')}]`);
  }

  /** Adds an element that contains others. Their parent must then contain it instead. Returns a reference to it. */
  addAround(type: string, parent: string, kids: readonly number[]): string {
    return this.add(type, parent, (reference) => {
      for (const kid of kids) this.#entries(kid).set('P', reference);
      return { K: `[${kids.map((kid) => `${kid} 0 R`).join(' ')}]` };
    });
  }

  /** Moves a list item's child elements into a body, except for its parts. */
  enclose(item: StructureElement, parts: ReadonlySet<number>): void {
    const enclosed = item.kids.filter((kid) => !parts.has(kid));
    if (enclosed.length === 0) return;
    const body = this.addAround('LBody', `${item.object} 0 R`, enclosed);
    const kept = item.kids.filter((kid) => parts.has(kid)).map((kid) => `${kid} 0 R`);
    this.setKids(item, [...kept, body]);
  }

  *write(): SlicedWork<void> {
    for (const [object, entries] of this.#changed) {
      this.#update.replace(object, pdfDictionary(entries));
      yield;
    }
  }

  #entries(object: number): Map<string, string> {
    const known = this.#changed.get(object);
    if (known) return known;
    const entries = new Map(this.#tree.texts(object));
    this.#changed.set(object, entries);
    return entries;
  }
}

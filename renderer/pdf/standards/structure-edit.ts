import type { SlicedWork } from '../../time-slices.ts';
import { PdfSyntaxError, referenceIn } from '../file/pdf-syntax.ts';
import { pdfDictionary, type PdfUpdate } from '../file/pdf-update.ts';
import { structureRoot } from './structure.ts';
import { ownKids, type StructureElement, type StructureTree } from './structure-tree.ts';

/** Collects changes to structure elements, so that each element is written once. */
export class StructureEdit {
  readonly #tree: StructureTree;
  readonly #update: PdfUpdate;
  /** Changed entries by object number. */
  readonly #changed = new Map<number, Map<string, string>>();
  /** Notes with their ids, in order. */
  readonly #notes: (readonly [id: string, reference: string])[] = [];

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

  /** Sets the elements in an element, given as references. Marked content and annotations stay. */
  setKids(element: StructureElement, references: readonly string[]): void {
    const { file } = this.#tree;
    const contents = ownKids(file, this.#tree.entries(element)).flatMap((kid) =>
      referenceIn(file.bytes, kid) === undefined ? [file.text(kid)] : [],
    );
    this.#entries(element.object).set('K', `[${[...contents, ...references].join(' ')}]`);
  }

  /** Puts the elements in a list item into a body, except for its parts. */
  enclose(item: StructureElement, parts: ReadonlySet<number>): void {
    const enclosed = item.kids.filter((kid) => !parts.has(kid));
    if (enclosed.length === 0) return;
    const kids = enclosed.map((kid) => `${kid} 0 R`);
    const body = this.add('LBody', `${item.object} 0 R`, () => ({ K: `[${kids.join(' ')}]` }));
    for (const kid of enclosed) this.#entries(kid).set('P', body);
    const kept = item.kids.filter((kid) => parts.has(kid)).map((kid) => `${kid} 0 R`);
    this.setKids(item, [...kept, body]);
  }

  /** Gives a note an id. */
  addId({ object }: StructureElement): void {
    const id = `(note${String(this.#notes.length + 1).padStart(8, '0')})`;
    this.#entries(object).set('ID', id);
    this.#notes.push([id, `${object} 0 R`]);
  }

  /** Writes the changes. */
  *write(): SlicedWork<void> {
    for (const [object, entries] of this.#changed) {
      this.#update.replace(object, pdfDictionary(entries));
      yield;
    }
    if (this.#notes.length > 0) this.#writeIds();
  }

  /** Adds the notes to the tree of ids (ISO 32000-1, 14.7.2). Its other ids begin with `node`, which is less. */
  #writeIds(): void {
    const { file } = this.#tree;
    const root = file.dictionary(file.trailer.get('Root')).get('StructTreeRoot');
    const number = root && referenceIn(file.bytes, root);
    if (!root || number === undefined) return;
    const ids = file.dictionary(root).get('IDTree');
    const tree = ids && file.dictionary(ids);
    if (tree?.has('Names')) throw new PdfSyntaxError('the PDF has an unexpected tree of ids');
    const branches = tree?.get('Kids');
    const others = Array.from((branches && file.elements(branches)) ?? [], (kid) => file.text(kid));
    const [first, last] = [this.#notes[0]?.[0], this.#notes.at(-1)?.[0]];
    const branch = this.#update.add(
      pdfDictionary([
        ['Limits', `[${first} ${last}]`],
        ['Names', `[${this.#notes.flat().join(' ')}]`],
      ]),
    );
    const all = this.#update.add(pdfDictionary([['Kids', `[${[...others, branch].join(' ')}]`]]));
    const entries = structureRoot(file, root).filter(([name]) => name !== 'IDTree');
    this.#update.replace(number, pdfDictionary([...entries, ['IDTree', all]]));
  }

  #entries(object: number): Map<string, string> {
    const known = this.#changed.get(object);
    if (known) return known;
    const entries = new Map(this.#tree.texts(object));
    this.#changed.set(object, entries);
    return entries;
  }
}

import type { SlicedWork } from '../../time-slices.ts';
import type { PdfFile } from './pdf-file.ts';
import { valueAt } from './pdf-syntax.ts';
import { scanTokens, type TokenVisitor } from './pdf-tokens.ts';

/** IDs of structure elements as the browser writes them: its number for the HTML node, shared by all documents. */
const ID = /^\(node(\d{8})\)$/;
const ID_START = '(node';
const ID_LENGTH = '(node00000000)'.length;
/** Entries with such IDs: in elements, in their attributes, and in the tree that finds elements. */
const OWNERS: readonly string[] = ['ID', 'Headers', 'Names', 'Limits'];

/**
 * Numbers the structure elements of a tagged file from 1, in place, so that a file does not depend on what the browser
 * printed before. Keeps the order of the IDs, because their tree is sorted.
 */
export function* renumberStructureIds(file: PdfFile): SlicedWork<void> {
  if (!file.dictionary(file.trailer.get('Root')).has('StructTreeRoot')) return;
  const ids = new StructureIds(file.bytes);
  let next = 0;
  for (const [object, { start, end }] of yield* file.objects()) {
    yield;
    if (next < start) next = file.bytes.indexOf(ID_START, start, 'latin1');
    if (next === -1) break;
    if (next >= end) continue;
    const value = valueAt(file.bytes, start + `${object} 0 obj`.length);
    scanTokens(file.bytes, value.start, value.end, ids);
  }
  ids.renumber();
}

class StructureIds implements TokenVisitor {
  readonly #bytes: Buffer;
  readonly #places = new Map<string, number[]>();
  #owner = '';

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  name(start: number, end: number): void {
    this.#owner = this.#bytes.toString('latin1', start + 1, end);
  }

  string(start: number, end: number): void {
    if (end - start !== ID_LENGTH || !OWNERS.includes(this.#owner)) return;
    const [, number] = ID.exec(this.#bytes.toString('latin1', start, end)) ?? [];
    if (number === undefined) return;
    const places = this.#places.get(number) ?? [];
    places.push(end - 1 - number.length);
    this.#places.set(number, places);
  }

  word(): void {}

  dictionary(): void {}

  renumber(): void {
    for (const [index, number] of [...this.#places.keys()].toSorted().entries()) {
      const other = String(index + 1).padStart(number.length, '0');
      for (const place of this.#places.get(number) ?? []) this.#bytes.write(other, place, 'latin1');
    }
  }
}

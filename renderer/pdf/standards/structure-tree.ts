import type { SlicedWork } from '../../time-slices.ts';
import type { PdfFile } from '../file/pdf-file.ts';
import {
  dictionaryAt,
  PdfSyntaxError,
  referenceIn,
  valueAt,
  type PdfDictionary,
  type Span,
} from '../file/pdf-syntax.ts';
import { standardType } from './structure.ts';

/** Start of a structure element as the browser and this service write it. */
export const ELEMENT = '<</Type /StructElem';

/** Whether an element only groups others: they count as elements of its parent. */
export function isGroup({ type }: Pick<StructureElement, 'type'>): boolean {
  return type === 'NonStruct' || type === 'Div' || type === 'Part';
}

/** A structure element (ISO 32000-1, 14.7.2). */
export interface StructureElement {
  /** Object number. */
  readonly object: number;
  /** Standard type: `P`. */
  readonly type: string;
  /** Position in the file. */
  readonly value: Span;
  /** Object numbers of its child elements. */
  readonly kids: readonly number[];
  /** Object numbers of its annotations. */
  readonly annotations: readonly number[];
}

/** The structure elements of a tagged file. */
export class StructureTree {
  readonly file: PdfFile;
  readonly #elements: ReadonlyMap<number, StructureElement>;
  readonly #root: readonly number[];

  private constructor(
    file: PdfFile,
    elements: ReadonlyMap<number, StructureElement>,
    root: readonly number[],
  ) {
    this.file = file;
    this.#elements = elements;
    this.#root = root;
  }

  /** Reads the structure of a file; empty for a file without a structure. */
  static *read(file: PdfFile): SlicedWork<StructureTree> {
    const elements = new Map<number, StructureElement>();
    for (const [object, { start }] of yield* file.objects()) {
      const value = valueAt(file.bytes, start + `${object} 0 obj`.length);
      if (file.bytes.toString('latin1', value.start, value.start + ELEMENT.length) === ELEMENT) {
        elements.set(object, elementOf(file, object, value));
      }
      yield;
    }
    const root = file.dictionary(file.trailer.get('Root')).get('StructTreeRoot');
    return new StructureTree(file, elements, root ? kidsOf(file, file.dictionary(root)).elements : []);
  }

  /** Yields each element before its children, with its parent, in reading order. */
  *inOrder(): Generator<readonly [element: StructureElement, parent: StructureElement | undefined]> {
    const open: (readonly [number, StructureElement | undefined])[] = [];
    const add = (kids: readonly number[], parent?: StructureElement) => {
      for (const kid of kids.toReversed()) open.push([kid, parent]);
    };
    add(this.#root);
    const seen = new Set<number>();
    for (let next = open.pop(); next; next = open.pop()) {
      const [object, parent] = next;
      const element = this.#elements.get(object);
      if (!element || seen.has(object)) continue;
      seen.add(object);
      yield [element, parent];
      add(element.kids, isGroup(element) ? parent : element);
    }
  }

  /** Returns the elements in an element, including groups. */
  ownKids({ kids }: StructureElement): StructureElement[] {
    return kids.flatMap((object) => this.#elements.get(object) ?? []);
  }

  /** Returns an element's children, with each group replaced by its own children. */
  kids(element: StructureElement): StructureElement[] {
    return this.ownKids(element).flatMap((kid) => (isGroup(kid) ? this.kids(kid) : [kid]));
  }

  entries({ value }: StructureElement): PdfDictionary {
    return dictionaryAt(this.file.bytes, value.start);
  }

  /** Returns the entries of an element, as in the file. Throws PdfSyntaxError if there is no such element. */
  texts(object: number): (readonly [name: string, value: string])[] {
    const element = this.#elements.get(object);
    if (!element) throw new PdfSyntaxError('the PDF lacks an expected structure element');
    return Array.from(this.entries(element), ([name, value]) => [name, this.file.text(value)] as const);
  }
}

function elementOf(file: PdfFile, object: number, value: Span): StructureElement {
  const entries = dictionaryAt(file.bytes, value.start);
  const type = entries.get('S');
  const { elements, annotations } = kidsOf(file, entries);
  return {
    object,
    type: standardType(type ? file.text(type).slice(1) : ''),
    value,
    kids: elements,
    annotations,
  };
}

/** Returns the object numbers of the child elements and the annotations of an element or the root. */
function kidsOf(file: PdfFile, entries: PdfDictionary): { elements: number[]; annotations: number[] } {
  const found = { elements: [] as number[], annotations: [] as number[] };
  for (const kid of ownKids(file, entries)) {
    const object = referenceIn(file.bytes, kid);
    if (object !== undefined) found.elements.push(object);
    else if (file.text(kid).startsWith('<<')) {
      const target = file.dictionary(kid).get('Obj');
      const annotation = target && referenceIn(file.bytes, target);
      if (annotation !== undefined) found.annotations.push(annotation);
    }
  }
  return found;
}

/** Returns an element's content: references to elements, and marked content as numbers or dictionaries. */
export function ownKids(file: PdfFile, entries: PdfDictionary): readonly Span[] {
  const kids = entries.get('K');
  if (!kids) return [];
  const elements = referenceIn(file.bytes, kids) === undefined ? file.elements(kids) : undefined;
  return elements ? [...elements] : [kids];
}

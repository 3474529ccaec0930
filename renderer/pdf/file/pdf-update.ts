import type { PdfFile } from './pdf-file.ts';
import type { Span } from './pdf-syntax.ts';
import type { SlicedWork } from '../../time-slices.ts';

/** Number of bytes copied at a time. */
const COPIED_AT_A_TIME = 2 ** 20;

const [BEFORE_OBJECT, BEHIND_OBJECT] = [' 0 obj\n', '\nendobj\n'];

/** Object number, and either the object as Latin-1 text or all of its bytes in the original file. */
type WrittenObject = readonly [number: number, object: string | Span];

/** Objects to add to a file or to replace in it. */
export class PdfUpdate {
  readonly #file: PdfFile;
  readonly #added = new Map<number, string>();
  readonly #replaced = new Map<number, string>();
  readonly #trailer = new Map<string, string>();
  #size: number;

  constructor(file: PdfFile) {
    this.#file = file;
    this.#size = file.size;
    for (const [name, value] of file.trailer) this.#trailer.set(name, file.text(value));
  }

  /** Adds an object given as Latin-1 text. Returns a reference to it. */
  add(object: string): string {
    const number = this.#size;
    this.#size += 1;
    this.#added.set(number, object);
    return `${number} 0 R`;
  }

  /** Adds an uncompressed stream; `entries` extend its dictionary, which already has the length. */
  addStream(content: string, entries = ''): string {
    return this.add(pdfStream(`<</Length ${content.length} ${entries}>>`, content));
  }

  /** Replaces an object in the file, or one that was added. */
  replace(number: number, object: string): void {
    (this.#added.has(number) ? this.#added : this.#replaced).set(number, object);
  }

  /** Sets an entry in the trailer. */
  point(name: string, value: string): void {
    this.#trailer.set(name, value);
  }

  /**
   * Returns the file with the update appended (ISO 32000-1, 7.5.6, "Incremental updates"). The original bytes do not
   * change.
   */
  *appended(): SlicedWork<Buffer> {
    const { bytes, table } = this.#file;
    this.#trailer.set('Prev', String(table));
    return yield* this.#written({ start: 0, end: bytes.length }, [...this.#added, ...this.#replaced]);
  }

  /**
   * Returns the file rewritten as one revision, without the originals of replaced objects. The order is: added objects,
   * unchanged ones, then replaced ones in replacement order.
   */
  *rewritten(): SlicedWork<Buffer> {
    const objects: WrittenObject[] = [...this.#added];
    let header = this.#file.table;
    for (const object of yield* this.#file.objects()) {
      const [number, { start }] = object;
      header = Math.min(header, start);
      if (!this.#replaced.has(number)) objects.push(object);
      yield;
    }
    for (const object of this.#replaced) objects.push(object);
    // A table that is not appended has an entry for every number (ISO 32000-1, 7.5.4).
    const offsets = new Map<number, number>();
    for (let number = 0; number < this.#size; number += 1) {
      offsets.set(number, FREE);
      yield;
    }
    return yield* this.#written({ start: 0, end: header }, objects, offsets);
  }

  /** Writes part of the original file, and objects with a table of their offsets. */
  *#written(
    head: Span,
    objects: readonly WrittenObject[],
    offsets = new Map<number, number>(),
  ): SlicedWork<Buffer> {
    let table = head.end + 1;
    for (const [number, object] of objects) {
      offsets.set(number, table);
      table += typeof object === 'string' ? enclosed(number, object).length : object.end - object.start;
      yield;
    }
    this.#trailer.set('Size', String(this.#size));
    const trailer = `trailer\n${pdfDictionary(this.#trailer)}\nstartxref\n${table}\n%%EOF\n`;
    const end = (yield* crossReferences(offsets)) + trailer;
    const file = Buffer.allocUnsafe(table + end.length);
    yield* this.#copy(head, file, 0);
    file.write('\n', head.end, 'latin1');
    for (const [number, object] of objects) {
      const at = offsets.get(number) ?? 0;
      if (typeof object === 'string') file.write(enclosed(number, object), at, 'latin1');
      else yield* this.#copy(object, file, at);
      yield;
    }
    file.write(end, table, 'latin1');
    return file;
  }

  *#copy({ start, end }: Span, to: Buffer, at: number): SlicedWork<void> {
    for (let from = start; from < end; from += COPIED_AT_A_TIME) {
      this.#file.bytes.copy(to, at + from - start, from, Math.min(end, from + COPIED_AT_A_TIME));
      yield;
    }
  }
}

function enclosed(number: number, object: string): string {
  return `${number}${BEFORE_OBJECT}${object}${BEHIND_OBJECT}`;
}

/** Serializes a dictionary of serialized values. */
export function pdfDictionary(entries: Iterable<readonly [string, string]>): string {
  const lines = Array.from(entries, ([name, value]) => `/${name} ${value}`);
  return `<<${lines.join('\n')}>>`;
}

/** Returns a stream with its dictionary. */
export function pdfStream(dictionary: string, content: string): string {
  return `${dictionary}\nstream\n${content}\nendstream`;
}

/** Offset for a number without an object. */
const FREE = -1;

/** One subsection for each range of consecutive numbers. */
function* crossReferences(offsets: ReadonlyMap<number, number>): SlicedWork<string> {
  const numbers = [...offsets.keys()].sort((a, b) => a - b);
  const sections: number[][] = [];
  for (const number of numbers) {
    const last = sections.at(-1);
    if (last && last.at(-1) === number - 1) last.push(number);
    else sections.push([number]);
    yield;
  }
  let table = 'xref\n';
  for (const section of sections) {
    table += `${section[0]} ${section.length}\n`;
    for (const number of section) {
      table += entryOf(offsets.get(number) ?? FREE);
      yield;
    }
  }
  return table;
}

function entryOf(offset: number): string {
  return offset === FREE ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`;
}

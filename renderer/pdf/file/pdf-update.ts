import type { PdfFile } from './pdf-file.ts';
import type { SlicedWork } from '../../time-slices.ts';

/** Bytes that are copied at a time. */
const COPIED_AT_A_TIME = 2 ** 20;

const [BEFORE_OBJECT, BEHIND_OBJECT] = [' 0 obj\n', '\nendobj\n'];

/** Objects to append to a file, whose own bytes stay unchanged (ISO 32000-1, 7.5.6, "Incremental updates"). */
export class PdfUpdate {
  readonly #file: PdfFile;
  readonly #objects = new Map<number, string>();
  readonly #trailer = new Map<string, string>();
  #size: number;

  constructor(file: PdfFile) {
    this.#file = file;
    this.#size = file.size;
    for (const [name, value] of file.trailer) this.#trailer.set(name, file.text(value));
  }

  /** Adds an object, given as Latin-1 text. Returns a reference to it. */
  add(object: string): string {
    const number = this.#size;
    this.#size += 1;
    this.#objects.set(number, object);
    return `${number} 0 R`;
  }

  /** Adds an uncompressed stream; `entries` extend its dictionary, which already has the length. */
  addStream(content: string, entries = ''): string {
    return this.add(`<</Length ${content.length} ${entries}>>\nstream\n${content}\nendstream`);
  }

  /** Replaces an object of the file. */
  replace(number: number, object: string): void {
    this.#objects.set(number, object);
  }

  /** Sets an entry of the trailer. */
  point(name: string, value: string): void {
    this.#trailer.set(name, value);
  }

  /** Returns the file with the update appended. */
  *bytes(): SlicedWork<Buffer> {
    const { bytes: original, table } = this.#file;
    const offsets = new Map<number, number>();
    let at = original.length + 1;
    for (const [number, object] of this.#objects) {
      offsets.set(number, at);
      at += `${number}`.length + BEFORE_OBJECT.length + object.length + BEHIND_OBJECT.length;
    }
    this.#trailer.set('Size', String(this.#size));
    this.#trailer.set('Prev', String(table));
    const trailer = `trailer\n${pdfDictionary(this.#trailer)}\nstartxref\n${at}\n%%EOF\n`;
    const end = (yield* crossReferences(offsets)) + trailer;
    const file = Buffer.allocUnsafe(at + end.length);
    yield* this.#copy(original, file);
    file.write('\n', original.length, 'latin1');
    for (const [number, object] of this.#objects) {
      file.write(`${number}${BEFORE_OBJECT}${object}${BEHIND_OBJECT}`, offsets.get(number) ?? 0, 'latin1');
      yield;
    }
    file.write(end, at, 'latin1');
    return file;
  }

  *#copy(from: Buffer, to: Buffer): SlicedWork<void> {
    for (let start = 0; start < from.length; start += COPIED_AT_A_TIME) {
      from.copy(to, start, start, start + COPIED_AT_A_TIME);
      yield;
    }
  }
}

/** Serializes a dictionary of serialized values. */
export function pdfDictionary(entries: Iterable<readonly [string, string]>): string {
  const lines = Array.from(entries, ([name, value]) => `/${name} ${value}`);
  return `<<${lines.join('\n')}>>`;
}

/** One subsection for each range of consecutive numbers. */
function* crossReferences(offsets: ReadonlyMap<number, number>): SlicedWork<string> {
  const numbers = [...offsets.keys()].sort((a, b) => a - b);
  const sections: number[][] = [];
  for (const number of numbers) {
    const last = sections.at(-1);
    if (last && last.at(-1) === number - 1) last.push(number);
    else sections.push([number]);
  }
  let table = 'xref\n';
  for (const section of sections) {
    table += `${section[0]} ${section.length}\n`;
    for (const number of section) {
      table += `${String(offsets.get(number)).padStart(10, '0')} 00000 n \n`;
      yield;
    }
  }
  return table;
}

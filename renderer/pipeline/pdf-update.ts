import type { PdfFile } from './pdf-file.ts';

/** Objects to be appended to a file, whose own bytes stay as they are (ISO 32000-1, 7.5.6, "Incremental updates"). */
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

  /** Adds an object, as bytes in Latin-1. Returns a reference to it. */
  add(object: string): string {
    const number = this.#size;
    this.#size += 1;
    this.#objects.set(number, object);
    return `${number} 0 R`;
  }

  /** Adds a stream that is not compressed. */
  addStream(content: string): string {
    return this.add(`<</Length ${content.length}>>\nstream\n${content}\nendstream`);
  }

  /** Puts another object in the place of one that the file has. */
  replace(number: number, object: string): void {
    this.#objects.set(number, object);
  }

  /** Sets an entry of the trailer. */
  point(name: string, value: string): void {
    this.#trailer.set(name, value);
  }

  /** The file with the update behind it. */
  bytes(): Buffer {
    const { bytes: original, table } = this.#file;
    const offsets = new Map<number, number>();
    const parts = ['\n'];
    let at = original.length + 1;
    for (const [number, object] of this.#objects) {
      const text = `${number} 0 obj\n${object}\nendobj\n`;
      offsets.set(number, at);
      parts.push(text);
      at += text.length;
    }
    this.#trailer.set('Size', String(this.#size));
    this.#trailer.set('Prev', String(table));
    const trailer = `trailer\n${pdfDictionary(this.#trailer)}\nstartxref\n${at}\n%%EOF\n`;
    parts.push(crossReferences(offsets), trailer);
    return Buffer.concat([original, Buffer.from(parts.join(''), 'latin1')]);
  }
}

/** A dictionary of values that are written already. */
export function pdfDictionary(entries: Iterable<readonly [string, string]>): string {
  const lines = Array.from(entries, ([name, value]) => `/${name} ${value}`);
  return `<<${lines.join('\n')}>>`;
}

/** One subsection for each run of numbers. */
function crossReferences(offsets: ReadonlyMap<number, number>): string {
  const numbers = [...offsets.keys()].sort((a, b) => a - b);
  const sections: number[][] = [];
  for (const number of numbers) {
    const last = sections.at(-1);
    if (last && last.at(-1) === number - 1) last.push(number);
    else sections.push([number]);
  }
  const texts = sections.map((section) => {
    const entries = section.map((number) => `${String(offsets.get(number)).padStart(10, '0')} 00000 n \n`);
    return `${section[0]} ${section.length}\n${entries.join('')}`;
  });
  return `xref\n${texts.join('')}`;
}

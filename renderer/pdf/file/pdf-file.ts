import {
  dictionaryAt,
  elementsAt,
  PdfSyntaxError,
  referenceIn,
  skipSpace,
  valueAt,
  type PdfDictionary,
  type Span,
} from './pdf-syntax.ts';
import type { SlicedWork } from '../../time-slices.ts';

/** A page with the entries that it inherits from its ancestors. */
export interface PdfPage {
  /** Object number. */
  readonly object: number;
  /** The page's own entries, and inherited ones for other names. */
  readonly entries: PdfDictionary;
}

/** A stream in its compressed form. */
export interface PdfStream {
  readonly entries: PdfDictionary;
  readonly data: Span;
}

/** In points. */
export type Box = readonly [left: number, bottom: number, right: number, top: number];

/** Objects by number, in file order, each with all bytes up to the next one. */
type PdfObjects = readonly (readonly [object: number, bytes: Span])[];

/** Entries that pages inherit (ISO 32000-1, 7.7.3.4). */
const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate'];
/** Length of the part at the end of the file that contains `startxref`. */
const TAIL = 1024;
const ENTRY = 20;
/** Cross-reference entry of an object in use. */
const IN_USE = /^\d{10} 00000 n/;
/** Trailer entries of files that this kind of update cannot be appended to. */
const UNSUPPORTED = ['Encrypt', 'Prev', 'XRefStm'];

/**
 * A PDF as Chromium writes it: one cross-reference table, no encryption, objects of generation 0. Reads only what the
 * file itself points to, so that document text cannot pass for structure. Throws PdfSyntaxError for anything else,
 * including valid PDFs of other kinds (cross-reference streams, earlier updates).
 */
export class PdfFile {
  readonly bytes: Buffer;
  readonly trailer: PdfDictionary;
  /** Offset of the cross-reference table. */
  readonly table: number;
  /** One more than the highest object number. */
  readonly size: number;
  readonly #entries: number;
  #objects: PdfObjects | undefined;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    const tail = bytes.toString('latin1', Math.max(0, bytes.length - TAIL), bytes.length);
    this.table = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail)?.[1] ?? Number.NaN);
    if (!(this.table < bytes.length)) throw new PdfSyntaxError('the PDF has no startxref');
    const header = /^xref\s+0 (\d+) ?\r?\n/.exec(bytes.toString('latin1', this.table, this.table + 64));
    if (!header) throw new PdfSyntaxError('the PDF has no classic cross-reference table');
    this.size = Number(header[1]);
    this.#entries = this.table + header[0].length;
    this.trailer = this.#readTrailer();
  }

  /** Returns a value, or the value that it refers to. */
  resolve(value: Span): Span {
    const object = referenceIn(this.bytes, value);
    if (object === undefined) return value;
    const start = this.#startOf(object);
    return { start, end: start };
  }

  /** Returns the entries of a dictionary, or of the dictionary that a value refers to. */
  dictionary(value: Span | undefined): PdfDictionary {
    if (!value) throw new PdfSyntaxError('the PDF lacks an expected dictionary');
    return dictionaryAt(this.bytes, this.resolve(value).start);
  }

  /**
   * Yields the elements of an array, or of the array that a value refers to, reading each on demand; undefined for
   * anything else.
   */
  elements(value: Span): Iterable<Span> | undefined {
    const { start } = this.resolve(value);
    return this.bytes[start] === 0x5b ? elementsAt(this.bytes, start) : undefined;
  }

  /** Returns a number, or the number that a value refers to. */
  number(value: Span): number {
    const { start } = this.resolve(value);
    const text = /^[+-]?(?:\d+\.?\d*|\.\d+)(?=[\s\]>/]|$)/.exec(
      this.bytes.toString('latin1', start, start + 32),
    );
    if (!text) throw new PdfSyntaxError('the PDF lacks an expected number');
    return Number(text[0]);
  }

  text({ start, end }: Span): string {
    return this.bytes.toString('latin1', start, end);
  }

  /** Returns the stream that a value refers to, with its bytes as they are in the file; undefined for anything else. */
  stream(value: Span): PdfStream | undefined {
    const { start } = this.resolve(value);
    const { end } = valueAt(this.bytes, start);
    const keyword = /^\s*stream\r?\n/.exec(this.bytes.toString('latin1', end, end + 32));
    if (!keyword) return undefined;
    const entries = dictionaryAt(this.bytes, start);
    const length = entries.get('Length');
    const from = end + keyword[0].length;
    const to = from + (length ? this.number(length) : Number.NaN);
    if (!/^\s*endstream/.test(this.bytes.toString('latin1', to, to + 16))) {
      throw new PdfSyntaxError('the PDF has an unterminated stream');
    }
    return { entries, data: { start: from, end: to } };
  }

  /** Returns the content of a page, if it is one stream. */
  content(page: PdfDictionary): PdfStream | undefined {
    const contents = page.get('Contents');
    return contents && this.stream(contents);
  }

  /** Returns the paper area of a page. Throws PdfSyntaxError for a page without a size. */
  mediaBox(page: PdfDictionary): Box {
    const box = page.get('MediaBox');
    const [a, b, c, d] = Array.from((box && this.elements(box)) ?? [], (part) => this.number(part));
    if (a === undefined || b === undefined || c === undefined || d === undefined) {
      throw new PdfSyntaxError('a page of the PDF has no size');
    }
    return [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  }

  get pageCount(): number {
    const root = this.dictionary(this.#pageTree());
    const count = root.get('Count');
    if (!count || this.#typeOf(root) !== '/Pages') throw new PdfSyntaxError('the PDF has no page tree');
    return this.number(count);
  }

  /**
   * Yields every page in order. Throws PdfSyntaxError, including at the end, if their number differs from the root's
   * count.
   */
  *pages(): Generator<PdfPage, void, void> {
    let count = 0;
    const seen = new Set<number>();
    const open: { node: Span; inherited: PdfDictionary }[] = [
      { node: this.#pageTree(), inherited: new Map() },
    ];
    for (let next = open.pop(); next; next = open.pop()) {
      const object = referenceIn(this.bytes, next.node);
      if (object === undefined || seen.has(object)) throw new PdfSyntaxError('the PDF has no page tree');
      seen.add(object);
      const entries = this.dictionary(next.node);
      const kids = entries.get('Kids');
      if (!kids) {
        count += 1;
        yield { object, entries: new Map([...next.inherited, ...this.#asPage(entries)]) };
      } else {
        const inherited = inheritedFrom(entries, next.inherited);
        for (const node of [...(this.elements(kids) ?? [])].toReversed()) open.push({ node, inherited });
      }
    }
    if (count !== this.pageCount) throw new PdfSyntaxError('the PDF has an inconsistent page tree');
  }

  /** Returns the objects in use. */
  *objects(): SlicedWork<PdfObjects> {
    this.#objects ??= yield* this.#readObjects();
    return this.#objects;
  }

  *#readObjects(): SlicedWork<PdfObjects> {
    const found: number[] = [];
    for (let object = 1; object < this.size; object += 1) {
      if (IN_USE.test(this.#entryOf(object))) found.push(this.#offsetOf(object));
      yield;
    }
    const objects: (readonly [object: number, bytes: Span])[] = [];
    const starts = Float64Array.from(found).sort();
    for (const [index, start] of starts.entries()) {
      const object = Number.parseInt(this.bytes.toString('latin1', start, start + ENTRY), 10);
      objects.push([object, { start, end: starts[index + 1] ?? this.table }]);
      yield;
    }
    return objects;
  }

  #pageTree(): Span {
    const pages = this.dictionary(this.trailer.get('Root')).get('Pages');
    if (!pages) throw new PdfSyntaxError('the PDF has no page tree');
    return pages;
  }

  #asPage(entries: PdfDictionary): PdfDictionary {
    if (this.#typeOf(entries) !== '/Page') throw new PdfSyntaxError('the PDF lacks an expected page');
    return entries;
  }

  #typeOf(entries: PdfDictionary): string {
    const type = entries.get('Type');
    return type ? this.text(type) : '';
  }

  #readTrailer(): PdfDictionary {
    const start = skipSpace(this.bytes, this.#entries + this.size * ENTRY);
    if (this.bytes.toString('latin1', start, start + 7) !== 'trailer') {
      throw new PdfSyntaxError('the PDF has no classic cross-reference table');
    }
    const trailer = dictionaryAt(this.bytes, start + 7);
    const unsupported = UNSUPPORTED.find((name) => trailer.has(name));
    if (unsupported) throw new PdfSyntaxError(`the PDF has an unsupported trailer with /${unsupported}`);
    return trailer;
  }

  /** Returns the offset of an object's value. */
  #startOf(object: number): number {
    return skipSpace(this.bytes, this.#offsetOf(object) + headerOf(object).length);
  }

  #offsetOf(object: number): number {
    const line = this.#entryOf(object);
    const offset = IN_USE.test(line) ? Number(line.slice(0, 10)) : Number.NaN;
    const header = headerOf(object);
    if (!(offset < this.table) || this.bytes.toString('latin1', offset, offset + header.length) !== header) {
      throw new PdfSyntaxError(`the PDF has no object ${object}`);
    }
    return offset;
  }

  /** Returns the line of an object in the cross-reference table; empty if there is none. */
  #entryOf(object: number): string {
    const entry = this.#entries + object * ENTRY;
    return object < this.size ? this.bytes.toString('latin1', entry, entry + ENTRY) : '';
  }
}

function headerOf(object: number): string {
  return `${object} 0 obj`;
}

function inheritedFrom(node: PdfDictionary, above: PdfDictionary): PdfDictionary {
  const inherited = new Map(above);
  for (const name of INHERITED) {
    const value = node.get(name);
    if (value) inherited.set(name, value);
  }
  return inherited;
}

import type { PdfFile, PdfPage } from './pdf-file.ts';
import {
  dictionaryAt,
  elementsAt,
  PdfSyntaxError,
  referenceIn,
  valueAt,
  type PdfDictionary,
  type Span,
} from './pdf-syntax.ts';
import { pdfDictionary, pdfStream, type PdfUpdate } from './pdf-update.ts';

/** The browser never nests this deeply. */
const MAX_DEPTH = 64;

/** Copies pages of one file into the update of another, as drawings. Shared objects are copied once. */
export class PdfGraft {
  readonly #from: PdfFile;
  readonly #update: PdfUpdate;
  /** References in the updated file, by object number in the source file. */
  readonly #taken = new Map<number, string>();

  constructor(from: PdfFile, update: PdfUpdate) {
    this.#from = from;
    this.#update = update;
  }

  /**
   * Adds the content of a page as a form (ISO 32000-1, 8.10), in the page's own coordinates and clipped to `box`.
   * Returns a reference to it. Throws PdfSyntaxError for a page whose content is not one stream.
   */
  form({ entries }: PdfPage, box: readonly number[]): string {
    const stream = this.#from.content(entries);
    if (!stream) throw new PdfSyntaxError('a page of the PDF has no content');
    const written = this.#entries(stream.entries, 0);
    const resources = entries.get('Resources');
    written.set('Type', '/XObject');
    written.set('Subtype', '/Form');
    written.set('BBox', `[${box.join(' ')}]`);
    written.set('Resources', resources ? this.#value(resources, 0) : '<<>>');
    return this.#update.add(pdfStream(pdfDictionary(written), this.#from.text(stream.data)));
  }

  #value(value: Span, depth: number): string {
    if (depth > MAX_DEPTH) throw new PdfSyntaxError('the PDF is nested too deeply');
    const { bytes } = this.#from;
    const object = referenceIn(bytes, value);
    if (object !== undefined) return this.#object(object, value);
    const start = bytes.toString('latin1', value.start, value.start + 2);
    if (start === '<<') return pdfDictionary(this.#entries(dictionaryAt(bytes, value.start), depth));
    if (!start.startsWith('[')) return this.#from.text(value);
    const parts = Array.from(elementsAt(bytes, value.start), (part) => this.#value(part, depth + 1));
    return `[${parts.join(' ')}]`;
  }

  #entries(entries: PdfDictionary, depth: number): Map<string, string> {
    const written = new Map<string, string>();
    for (const [name, value] of entries) written.set(name, this.#value(value, depth + 1));
    return written;
  }

  /** Reserves the number before copying the content, which may refer back to it. */
  #object(number: number, reference: Span): string {
    const known = this.#taken.get(number);
    if (known !== undefined) return known;
    const taken = this.#update.add('null');
    this.#taken.set(number, taken);
    const stream = this.#from.stream(reference);
    const text = stream
      ? pdfStream(pdfDictionary(this.#entries(stream.entries, 0)), this.#from.text(stream.data))
      : this.#value(valueAt(this.#from.bytes, this.#from.resolve(reference).start), 0);
    this.#update.replace(Number.parseInt(taken, 10), text);
    return taken;
  }
}

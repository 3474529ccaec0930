import { deflatedStream } from '../file/deflated-stream.ts';
import { inflatedLines } from '../file/inflated-stream.ts';
import type { PdfFile, PdfStream } from '../file/pdf-file.ts';
import { PdfSyntaxError, referenceIn, type PdfDictionary, type Span } from '../file/pdf-syntax.ts';
import { scanTokens } from '../file/pdf-tokens.ts';
import type { PdfUpdate } from '../file/pdf-update.ts';
import { ContentMarks, MarkingScan } from './content-marks.ts';

/** Maximum bytes without an operator. */
const MAX_OPERANDS = 2 ** 24;

/**
 * Rewrites content so that everything that the browser has not marked as part of the structure is an artifact (ISO
 * 14289-1, 7.1): backgrounds, borders, and images without a description.
 */
export class ContentArtifacts {
  readonly #file: PdfFile;
  readonly #update: PdfUpdate;
  /** Drawings with marks of their own, by object number. */
  readonly #drawings = new Map<number, Span>();

  constructor(file: PdfFile, update: PdfUpdate) {
    this.#file = file;
    this.#update = update;
  }

  /** Yields the content of a page or a drawing with artifacts. Throws PdfSyntaxError for marks that overlap. */
  async *marked(
    stream: PdfStream,
    resources: PdfDictionary | undefined,
  ): AsyncGenerator<Buffer | string, void, void> {
    const marks = new ContentMarks((name) => this.#hasMarks(resources, name));
    let rest: Buffer = Buffer.alloc(0);
    for await (const lines of inflatedLines(this.#file, stream)) {
      const bytes = Buffer.concat([rest, lines]);
      const scan = new MarkingScan(bytes, marks);
      scanTokens(bytes, 0, bytes.length, scan);
      yield* scan.written();
      rest = Buffer.from(bytes.subarray(scan.end));
      if (rest.length > MAX_OPERANDS) throw new PdfSyntaxError('a page of the PDF has too many operands');
    }
    yield* [rest, marks.close()].filter(({ length }) => length > 0);
  }

  /** Rewrites the drawings with marks that the pages contain, and those that they contain. */
  async rewriteDrawings(): Promise<void> {
    // The map grows while it is iterated.
    for (const [object, reference] of this.#drawings) {
      const stream = this.#file.stream(reference);
      if (!stream) throw new PdfSyntaxError('a drawing of the PDF has no content');
      const { entries } = stream;
      const resources = entries.get('Resources');
      const kept = Array.from(entries, ([name, value]) => [name, this.#file.text(value)] as const);
      const content = () => this.marked(stream, resources && this.#file.dictionary(resources));
      const rewritten = await deflatedStream(
        content,
        kept.filter(([name]) => name !== 'Filter' && name !== 'Length'),
      );
      this.#update.replace(object, rewritten);
    }
  }

  #hasMarks(resources: PdfDictionary | undefined, name: string): boolean {
    const drawings = resources?.get('XObject');
    const reference = drawings && this.#file.dictionary(drawings).get(name);
    const object = reference && referenceIn(this.#file.bytes, reference);
    if (!reference || object === undefined) throw new PdfSyntaxError('the PDF lacks an expected drawing');
    if (!this.#file.dictionary(reference).has('StructParents')) return false;
    this.#drawings.set(object, reference);
    return true;
  }
}

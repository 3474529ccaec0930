import { deflatedStream } from '../file/deflated-stream.ts';
import { inflatedLines } from '../file/inflated-stream.ts';
import type { PdfFile, PdfStream } from '../file/pdf-file.ts';
import { PdfSyntaxError, referenceIn, type PdfDictionary, type Span } from '../file/pdf-syntax.ts';
import { scanTokens } from '../file/pdf-tokens.ts';
import type { PdfUpdate } from '../file/pdf-update.ts';
import { ConformanceError } from './conformance-error.ts';
import { ContentMarks, MarkingScan } from './content-marks.ts';
import type { Violations } from './violations.ts';

const UNEXPECTED = 'a page has content whose place in the structure is not known';
const REPEATED = 'an element is drawn twice, as elements with a CSS mask are';
/** Maximum number of bytes without an operator. */
const MAX_OPERANDS = 2 ** 24;

/**
 * Rewrites content so that everything that the browser has not marked as part of the structure is an artifact (ISO
 * 14289-1, 7.1): backgrounds, borders, and images without a description.
 */
export class ContentArtifacts {
  readonly #file: PdfFile;
  readonly #update: PdfUpdate;
  readonly #violations: Violations;
  /** Whether drawings have marks, by object number. */
  readonly #known = new Map<number, boolean>();
  /** Drawings with marks that the content contains, by object number. */
  readonly #drawings = new Map<number, Span>();

  constructor(file: PdfFile, update: PdfUpdate, violations: Violations) {
    this.#violations = violations;
    this.#file = file;
    this.#update = update;
  }

  /**
   * Yields the content of a page or a drawing with artifacts. Throws ConformanceError for marks that overlap: the rest of
   * the content is not known.
   */
  async *marked(
    stream: PdfStream,
    resources: PdfDictionary | undefined,
  ): AsyncGenerator<Buffer | string, void, void> {
    const drawings = this.#drawingsIn(resources);
    const marks = new ContentMarks({
      hasMarks: (name) => this.#hasMarks(drawings.get(name)),
      unexpected: () => {
        const { level, all } = this.#violations;
        return new ConformanceError({ level, rule: '7.1-1', what: UNEXPECTED }, all);
      },
    });
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

  /** Whether a drawing has marks or contains a drawing that does. Such drawings are rewritten later. */
  #hasMarks(reference: Span | undefined): boolean {
    if (!reference) throw new PdfSyntaxError('the PDF lacks an expected drawing');
    const object = this.#markedObject(reference);
    if (object === undefined) return false;
    if (this.#drawings.has(object)) this.#violations.report('7.20-2', REPEATED);
    this.#drawings.set(object, reference);
    return true;
  }

  /** Returns the object number of a drawing with marks; undefined for any other drawing. */
  #markedObject(reference: Span): number | undefined {
    const object = referenceIn(this.#file.bytes, reference);
    if (object === undefined) return undefined;
    const known = this.#known.get(object);
    if (known !== undefined) return known ? object : undefined;
    this.#known.set(object, false);
    const entries = this.#file.dictionary(reference);
    const resources = entries.get('Resources');
    const inside = [...this.#drawingsIn(resources && this.#file.dictionary(resources)).values()];
    const isMarked =
      entries.has('StructParents') || inside.some((each) => this.#markedObject(each) !== undefined);
    this.#known.set(object, isMarked);
    return isMarked ? object : undefined;
  }

  #drawingsIn(resources: PdfDictionary | undefined): PdfDictionary {
    const drawings = resources?.get('XObject');
    return drawings ? this.#file.dictionary(drawings) : new Map();
  }
}

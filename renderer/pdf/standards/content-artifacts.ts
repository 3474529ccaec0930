import { deflatedStream } from '../file/deflated-stream.ts';
import { inflatedLines } from '../file/inflated-stream.ts';
import type { PdfFile, PdfStream } from '../file/pdf-file.ts';
import { PdfSyntaxError, referenceIn, type PdfDictionary, type Span } from '../file/pdf-syntax.ts';
import { scanTokens } from '../file/pdf-tokens.ts';
import { resourcesWith, textsOf } from '../file/resources.ts';
import type { PdfUpdate } from '../file/pdf-update.ts';
import { ConformanceError } from './conformance-error.ts';
import {
  ContentMarks,
  MarkingScan,
  UNMARKED,
  type ContentChanges,
  type DrawingUse,
} from './content-marks.ts';
import type { Violations } from './violations.ts';

const UNEXPECTED = 'a page has content whose place in the structure is not known';
const REPEATED = 'an element is drawn twice, as elements with a CSS mask are: remove the mask';
/** Suffix of a copy's name. */
const COPY = 'Copy';
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
  /** References to drawings that have copies without marks, and to the copies, by object number. */
  readonly #copies = new Map<number, { readonly reference: Span; readonly copy: string }>();

  constructor(file: PdfFile, update: PdfUpdate, violations: Violations) {
    this.#violations = violations;
    this.#file = file;
    this.#update = update;
  }

  /**
   * Yields the content of a page or a drawing with artifacts. Throws ConformanceError for marks that overlap: the rest of
   * the content is not known. `copies` receives copies of repeated drawings, by name; without it, they are violations.
   */
  async *marked(
    stream: PdfStream,
    resources: PdfDictionary | undefined,
    copies?: Map<string, string>,
  ): AsyncGenerator<Buffer | string, void, void> {
    const drawings = this.#drawingsIn(resources);
    const marks = new ContentMarks({
      use: (name) => this.#use(name, drawings.get(name), copies),
      unexpected: () => {
        const { level, all } = this.#violations;
        return new ConformanceError({ level, rule: '7.1-1', what: UNEXPECTED }, all);
      },
    });
    yield* this.#changed(stream, marks);
  }

  async *#changed(stream: PdfStream, changes: ContentChanges): AsyncGenerator<Buffer | string, void, void> {
    let rest: Buffer = Buffer.alloc(0);
    for await (const lines of inflatedLines(this.#file, stream)) {
      const bytes = Buffer.concat([rest, lines]);
      const scan = new MarkingScan(bytes, changes);
      scanTokens(bytes, 0, bytes.length, scan);
      yield* scan.written();
      rest = Buffer.from(bytes.subarray(scan.end));
      if (rest.length > MAX_OPERANDS) throw new PdfSyntaxError('a page of the PDF has too many operands');
    }
    yield* [rest, changes.close()].filter(({ length }) => length > 0);
  }

  /** Rewrites the drawings with marks that the pages contain, and the drawings with marks inside them. */
  async rewriteDrawings(): Promise<void> {
    // The maps grow while they are iterated.
    for (const [object, reference] of this.#drawings) {
      const { stream, resources } = this.#drawing(reference);
      const copies = new Map<string, string>();
      const content = () => this.marked(stream, resources, copies);
      this.#update.replace(object, await this.#rewritten(stream, content, copies));
    }
    for (const { reference, copy } of this.#copies.values()) {
      const { stream, resources } = this.#drawing(reference);
      const copies = this.#copiesIn(resources);
      const content = () => this.#changed(stream, UNMARKED);
      const entries = new Map([...stream.entries].filter(([name]) => name !== 'StructParents'));
      const written = await this.#rewritten({ ...stream, entries }, content, copies);
      this.#update.replace(Number.parseInt(copy, 10), written);
    }
  }

  #drawing(reference: Span): { stream: PdfStream; resources: PdfDictionary | undefined } {
    const stream = this.#file.stream(reference);
    if (!stream) throw new PdfSyntaxError('a drawing of the PDF has no content');
    const resources = stream.entries.get('Resources');
    return { stream, resources: resources && this.#file.dictionary(resources) };
  }

  /** Returns a drawing with other content. Copies are added to its drawings, by name, after the content is written. */
  async #rewritten(
    { entries }: PdfStream,
    content: () => AsyncGenerator<Buffer | string, void, void>,
    copies: ReadonlyMap<string, string>,
  ): Promise<string> {
    const file = this.#file;
    const written = function* () {
      for (const [name, text] of textsOf(file, entries)) {
        if (name === 'Filter' || name === 'Length') continue;
        const added = new Map(copies.size > 0 ? [['XObject', copies]] : []);
        yield [name, name === 'Resources' ? resourcesWith(file, entries.get(name), added) : text] as const;
      }
    };
    return deflatedStream(content, written());
  }

  /** A drawing with marks is part of the structure where it first occurs. A copy without marks replaces the others. */
  #use(name: string, reference: Span | undefined, copies: Map<string, string> | undefined): DrawingUse {
    if (!reference) throw new PdfSyntaxError('the PDF lacks an expected drawing');
    const object = this.#markedObject(reference);
    if (object === undefined) return 'unmarked';
    if (!this.#drawings.has(object)) {
      this.#drawings.set(object, reference);
      return 'marked';
    }
    if (!copies) {
      this.#violations.report('7.20-2', REPEATED);
      return 'marked';
    }
    const instead = `${name}${COPY}`;
    copies.set(instead, this.#copy(object, reference));
    return { instead };
  }

  #copy(object: number, reference: Span): string {
    const known = this.#copies.get(object);
    if (known) return known.copy;
    const copy = this.#update.add('null');
    this.#copies.set(object, { reference, copy });
    return copy;
  }

  /** Returns unmarked copies of the drawings with marks in a copy, by drawing name. */
  #copiesIn(resources: PdfDictionary | undefined): Map<string, string> {
    const copies = new Map<string, string>();
    for (const [name, reference] of this.#drawingsIn(resources)) {
      const object = this.#markedObject(reference);
      if (object !== undefined) copies.set(name, this.#copy(object, reference));
    }
    return copies;
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

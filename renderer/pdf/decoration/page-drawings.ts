import type { ContentArtifacts } from '../standards/content-artifacts.ts';
import { deflatedStream } from '../file/deflated-stream.ts';
import { inflatedStream } from '../file/inflated-stream.ts';
import type { PdfFile, PdfPage, PdfStream } from '../file/pdf-file.ts';
import { resourcesWith, textsOf } from '../file/resources.ts';
import { PdfSyntaxError, referenceIn, type PdfDictionary } from '../file/pdf-syntax.ts';
import { pdfDictionary, type PdfUpdate } from '../file/pdf-update.ts';
import { runInSlices, type SlicedWork } from '../../time-slices.ts';
import { TrifoldError } from '@trifold/platform/errors/trifold-error.ts';

/** Resource categories (`Font`) with references by name. */
export type PageResources = readonly (readonly [category: string, ReadonlyMap<string, string>])[];

interface Additions {
  content: string;
  readonly resources: Map<string, Map<string, string>>;
}

/**
 * Adds drawings over the content of pages, in call order. Wraps the content in q and Q, because it does not restore its
 * coordinate system. Call `append` or `merge` once, after all drawings. Throws PdfSyntaxError for malformed pages.
 */
export class PageDrawings {
  readonly pages: readonly PdfPage[];
  readonly #file: PdfFile;
  readonly #update: PdfUpdate;
  readonly #artifacts: ContentArtifacts | undefined;
  readonly #additions = new Map<PdfPage, Additions>();

  /** With `artifacts`, `merge` also marks the content of all pages. */
  constructor(file: PdfFile, update: PdfUpdate, pages: readonly PdfPage[], artifacts?: ContentArtifacts) {
    this.#file = file;
    this.#update = update;
    this.pages = pages;
    this.#artifacts = artifacts;
  }

  /** Draws content on a page. The content must leave the graphics state unchanged. */
  draw(page: PdfPage, content: string, resources: PageResources): void {
    const additions: Additions = this.#additions.get(page) ?? { content: '', resources: new Map() };
    this.#additions.set(page, additions);
    additions.content += content;
    for (const [category, references] of resources) {
      const all = additions.resources.get(category) ?? new Map<string, string>();
      for (const [name, reference] of references) all.set(name, reference);
      additions.resources.set(category, all);
    }
  }

  /** Writes the changed pages, with each drawing in a stream after the page's own. */
  *append(): SlicedWork<void> {
    const before = this.#update.addStream('q\n');
    for (const [page, { content, resources }] of this.#additions) {
      const behind = this.#update.addStream(`\nQ\n${content}`);
      const contents = `[${[before, ...this.#contentsOf(page.entries), behind].join(' ')}]`;
      this.#replacePage(page, contents, resources);
      yield;
    }
  }

  /**
   * Writes the changed pages, with each drawing in the page's own stream. First replaces the streams of all pages, then
   * the pages: if a file written in this order is cut off, no page lacks its drawings.
   */
  async merge(): Promise<void> {
    for (const page of this.#artifacts ? this.pages : this.#additions.keys()) {
      const contents = page.entries.get('Contents');
      const object = contents && referenceIn(this.#file.bytes, contents);
      if (object === undefined) throw new PdfSyntaxError('a page of the PDF has no content');
      this.#update.replace(object, await this.#mergedContent(page));
    }
    await this.#artifacts?.rewriteDrawings();
    await runInSlices(this.#replacePages());
  }

  /**
   * Returns the content of a page between `q` and `Q`, because it does not restore its coordinate system, followed by
   * its drawings, as one compressed stream. Memory use is proportional to the compressed content, because a page can
   * compress a thousandfold. Rejects with PdfSyntaxError for content that is not a single Chromium stream.
   */
  async #mergedContent(page: PdfPage): Promise<string> {
    const stream = this.#file.content(page.entries);
    const filter = stream?.entries.get('Filter');
    if (!stream || (filter && this.#file.text(filter) !== '/FlateDecode')) throw unreadable();
    const own = this.#ownContent(page, stream);
    const behind = this.#additions.get(page)?.content ?? '';
    const content = async function* () {
      yield 'q\n';
      yield* own;
      yield `\nQ\n${behind}`;
    };
    try {
      return await deflatedStream(content);
    } catch (error) {
      throw error instanceof TrifoldError ? error : unreadable(error);
    }
  }

  #ownContent({ entries }: PdfPage, stream: PdfStream): AsyncIterable<Buffer | string> {
    if (!this.#artifacts) return inflatedStream(this.#file, stream);
    const resources = entries.get('Resources');
    return this.#artifacts.marked(stream, resources && this.#file.dictionary(resources));
  }

  *#replacePages(): SlicedWork<void> {
    for (const [page, { resources }] of this.#additions) {
      this.#replacePage(page, undefined, resources);
      yield;
    }
  }

  #replacePage(
    { object, entries }: PdfPage,
    contents: string | undefined,
    added: Additions['resources'],
  ): void {
    const written = textsOf(this.#file, entries);
    if (contents !== undefined) written.set('Contents', contents);
    written.set('Resources', resourcesWith(this.#file, entries.get('Resources'), added));
    this.#update.replace(object, pdfDictionary(written));
  }

  #contentsOf(entries: PdfDictionary): string[] {
    const contents = entries.get('Contents');
    if (!contents || this.#file.text(contents) === 'null') return [];
    return Array.from(this.#file.elements(contents) ?? [contents], (part) => this.#file.text(part));
  }
}

function unreadable(cause?: unknown): PdfSyntaxError {
  return new PdfSyntaxError('a page of the PDF has no readable content', cause);
}

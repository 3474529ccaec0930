import { constants, inflateSync } from 'node:zlib';
import type { PdfFile, PdfStream } from './file/pdf-file.ts';

/** The area between the margins of a page, in CSS pixels. */
export interface ContentArea {
  readonly width: number;
  readonly height: number;
}

/** If content is wider than the page, the browser shrinks all pages by at most this factor. */
export const MAX_SHRINK = 1.5;
/** Rounding to whole pixels also changes the scale. */
export const TOLERANCE = 1.01;

/** Print units per CSS pixel: the browser prints at 300 dots per inch. */
const UNITS = 300 / 96;
const UNITS_PER_POINT = 300 / 72;
/** Number of pixels by which the browser may change an area. */
const ROUNDING = 4;
/** Maximum number of compressed bytes to search in the content. */
const MAX_SEARCHED = 2 ** 13;
/** Number of compressed bytes that contain the scale of most pages: the browser writes it before the first text. */
const START = 2 ** 9;

/** A scale and a position: the page's, or a drawing's. Image matrices also flip. */
const MATRIX = /\s([\d.]+) 0 0 [\d.]+ -?[\d.]+ -?[\d.]+ cm\s/g;
/** A clip, in print units: the area between the margins, or a drawing's viewport. */
const CLIP = /\s([\d.]+) ([\d.]+) re\s+W\* n\s/g;
const ANY_CLIP = /\sW\*? n\s/;

export interface ExpectedPage {
  /** Area according to the print settings. */
  readonly area: ContentArea;
  /** Scale in the print settings. */
  readonly scale: number;
  /** Whether the document may set a different page size or margins. */
  readonly hasPageRules: boolean;
}

/** Layout properties that the first printed page reveals. */
export class FirstPage {
  readonly #file: PdfFile;
  readonly #expected: ExpectedPage;
  /** Print units per CSS pixel of the document, unless it was shrunk. */
  readonly #unit: number;
  readonly #stream: PdfStream | undefined;
  #searched: string | undefined;

  constructor(file: PdfFile, expected: ExpectedPage) {
    const [page] = file.pages();
    this.#file = file;
    this.#expected = expected;
    this.#unit = UNITS * expected.scale;
    this.#stream = page && file.content(page.entries);
  }

  /** Whether the browser may have shrunk the pages. Only a layout proves it: drawings have separate scales. */
  mayBeShrunk(): boolean {
    const full = this.#unit / TOLERANCE;
    const isFull = (content: string) => hasScale(content, full, this.#unit * TOLERANCE);
    // Every live document is searched, so most are read no further than this.
    if (isFull(this.#contentTo(START)) || isFull(this.#content)) return false;
    const isShrunk = hasScale(this.#content, full / MAX_SHRINK / TOLERANCE, full);
    // A page with only images does not reveal its scale.
    return isShrunk || (ANY_CLIP.test(this.#content) && !hasScale(this.#content, 0, Infinity));
  }

  /** Whether the page is empty except for a background and margin boxes. */
  isEmpty(): boolean {
    return !ANY_CLIP.test(this.#content);
  }

  /**
   * Returns the clip that approximates the settings' area, which the browser rounds. If the document may change the
   * area, returns the largest clip, provided that it covers too much of the paper to be a drawing.
   */
  area(): ContentArea {
    const { area: expected, hasPageRules } = this.#expected;
    const paper = this.#paper();
    let largest: ContentArea | undefined;
    for (const [, width, height] of this.#content.matchAll(CLIP)) {
      const clip = { width: Number(width) / this.#unit, height: Number(height) / this.#unit };
      if (isNearly(clip, expected)) return clip;
      const least = largest ?? { width: paper.width / 2, height: paper.height / 2 };
      if (clip.width >= least.width && clip.height >= least.height) largest = clip;
    }
    return hasPageRules ? (largest ?? paper) : expected;
  }

  get #content(): string {
    this.#searched ??= this.#contentTo(MAX_SEARCHED);
    return this.#searched;
  }

  /** Returns the content in the stream's first `limit` bytes. */
  #contentTo(limit: number): string {
    return this.#stream ? contentOf(this.#file, this.#stream, limit) : '';
  }

  #paper(): ContentArea {
    const [page] = this.#file.pages();
    const [left, bottom, right, top] = page ? this.#file.mediaBox(page.entries) : [0, 0, 0, 0];
    const pixels = (points: number) => (points * UNITS_PER_POINT) / this.#unit;
    return { width: pixels(right - left), height: pixels(top - bottom) };
  }
}

function isNearly(one: ContentArea, other: ContentArea): boolean {
  return Math.abs(one.width - other.width) < ROUNDING && Math.abs(one.height - other.height) < ROUNDING;
}

function hasScale(content: string, least: number, most: number): boolean {
  for (const [, scale] of content.matchAll(MATRIX)) {
    if (Number(scale) >= least && Number(scale) <= most) return true;
  }
  return false;
}

function contentOf(file: PdfFile, { entries, data }: PdfStream, limit: number): string {
  const bytes = file.bytes.subarray(data.start, Math.min(data.end, data.start + limit));
  // The browser does not compress short streams.
  const content = entries.has('Filter') ? inflateSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }) : bytes;
  return content.toString('latin1');
}

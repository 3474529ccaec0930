import { visibleBox } from '../file/page-box.ts';
import type { PageDrawings, PageResources } from '../decoration/page-drawings.ts';
import type { PdfFile } from '../file/pdf-file.ts';
import { PdfSyntaxError, type PdfDictionary } from '../file/pdf-syntax.ts';
import type { PdfUpdate } from '../file/pdf-update.ts';
import type { SlicedWork } from '../../time-slices.ts';
import { watermarkGrid, type Sides, type WatermarkGrid } from './watermark-grid.ts';
import type { WatermarkText } from './watermark-text.ts';

/** Widths and height of the capitals of Helvetica-Bold, as fractions of the font size (Adobe's metrics). */
const TEXT_WIDTHS: Readonly<Record<WatermarkText, number>> = {
  TEST: 0.611 + 0.667 + 0.667 + 0.611,
  PREVIEW: 0.667 + 0.722 + 0.667 + 0.667 + 0.278 + 0.667 + 0.944,
};
const TEXT_HEIGHT = 0.718;
/** Fraction of the font size. */
const LINE_WIDTH = 0.03;
const PADDING = 0.12;

const POINTS_PER_INCH = 72;

/**
 * The background behind the letters is white at half opacity: the content below stays readable and keeps half of every
 * colour. The outline of the letters is opaque and has a tenth of green and blue, so that it contrasts with any
 * background that a template may choose.
 */
const BAND = { alpha: 0.5, colour: '1 1 1 rg' };
const OUTLINE = { alpha: 1, colour: '0.75 0.1 0.1 RG' };

/** Resource names. Chromium's own names are a letter and a number. */
const FONT = 'TrifoldTestFont';
const BAND_STATE = 'TrifoldTestBand';
const OUTLINE_STATE = 'TrifoldTestOutline';
const MARK_FORM = 'TrifoldTestMark';
const ROW_FORM = 'TrifoldTestRow';

/**
 * Adds the watermark to every page as rows of text, after all of the page's content and other drawings, so that nothing
 * in the document covers it. Throws PdfSyntaxError, before any result exists, when a page cannot be stamped.
 */
export function* stampWatermark(
  file: PdfFile,
  update: PdfUpdate,
  drawings: PageDrawings,
  text: WatermarkText,
): SlicedWork<void> {
  const stamp = new Stamp(file, update, text);
  for (const page of drawings.pages) {
    const { content, resources } = stamp.stampFor(page.entries);
    drawings.draw(page, content, resources);
    yield;
  }
}

/** Drawing of the watermark on a page. */
interface PageStamp {
  readonly content: string;
  readonly resources: PageResources;
}

/** A page as the reader sees it. */
interface View {
  /** In PDF units. */
  readonly width: number;
  readonly height: number;
  /** PDF units per inch. */
  readonly inch: number;
  /** Maps coordinates of the view, from its lower left corner, to those of the page. */
  readonly matrix: readonly number[];
}

/** Pages of the same size share a stamp, and all pages share the form of a mark. */
class Stamp {
  readonly #file: PdfFile;
  readonly #update: PdfUpdate;
  readonly #mark: Mark;
  readonly #stamps = new Map<string, PageStamp>();

  constructor(file: PdfFile, update: PdfUpdate, text: WatermarkText) {
    this.#file = file;
    this.#update = update;
    this.#mark = addMark(update, text);
  }

  stampFor(entries: PdfDictionary): PageStamp {
    const view = this.#viewOf(entries);
    const key = JSON.stringify(view);
    const known = this.#stamps.get(key);
    if (known) return known;
    const stamp = this.#add(view);
    this.#stamps.set(key, stamp);
    return stamp;
  }

  /** Each row is a form: a large page has a thousand marks, and every page of a document may have a different size. */
  #add({ width, height, inch, matrix }: View): PageStamp {
    const grid = watermarkGrid({ width: width / inch, height: height / inch }, this.#mark.size);
    const row = addForm(this.#update, {
      box: [0, 0, width, grid.mark.height * inch],
      resources: `/XObject <</${MARK_FORM} ${this.#mark.form}>>`,
      content: rowContent(grid, this.#mark.size, inch),
    });
    const lines = grid.rows.map(
      (bottom) => `q ${numbers(1, 0, 0, 1, 0, bottom * inch)} cm /${ROW_FORM} Do Q`,
    );
    const content = this.#update.addStream(`q ${numbers(...matrix)} cm\n${lines.join('\n')}\nQ\n`);
    return { content, resources: [['XObject', new Map([[ROW_FORM, row]])]] };
  }

  #viewOf(entries: PdfDictionary): View {
    const [left, bottom, right, top] = visibleBox(this.#file, entries);
    const turn = TURNS[(((this.#numberIn(entries, 'Rotate', 0) % 360) + 360) % 360) / 90];
    if (!turn) throw new PdfSyntaxError('the PDF has no right angle where one belongs');
    const [cos, sin] = turn;
    const [width, height] = cos === 0 ? [top - bottom, right - left] : [right - left, top - bottom];
    const originX = (left + right - cos * width + sin * height) / 2;
    const originY = (bottom + top - sin * width - cos * height) / 2;
    const inch = POINTS_PER_INCH / this.#numberIn(entries, 'UserUnit', 1);
    return { width, height, inch, matrix: [cos, sin, -sin, cos, originX, originY] };
  }

  #numberIn(entries: PdfDictionary, name: string, otherwise: number): number {
    const value = entries.get(name);
    return value ? this.#file.number(value) : otherwise;
  }
}

/** Cosine and sine of the rotation that readers apply. */
const TURNS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/** The text on its background, in fractions of the font size. */
interface Mark {
  /** Reference to the form that draws it. */
  readonly form: string;
  readonly size: Sides;
}

function addMark(update: PdfUpdate, text: WatermarkText): Mark {
  const size = { width: TEXT_WIDTHS[text] + 2 * PADDING, height: TEXT_HEIGHT + 2 * PADDING };
  const font = update.add(
    '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding>>',
  );
  const states =
    `/${BAND_STATE} ${update.add(graphicsState(BAND.alpha))} ` +
    `/${OUTLINE_STATE} ${update.add(graphicsState(OUTLINE.alpha))}`;
  const form = addForm(update, {
    box: [0, 0, size.width, size.height],
    resources: `/Font <</${FONT} ${font}>> /ExtGState <<${states}>>`,
    content: [
      `/${BAND_STATE} gs ${BAND.colour}`,
      `${numbers(0, 0, size.width, size.height)} re f`,
      `/${OUTLINE_STATE} gs ${OUTLINE.colour}`,
      `${LINE_WIDTH} w`,
      `BT /${FONT} 1 Tf 1 Tr ${PADDING} ${PADDING} Td (${text}) Tj ET`,
    ].join('\n'),
  });
  return { form, size };
}

function rowContent({ mark, columns }: WatermarkGrid, size: Sides, inch: number): string {
  const scale = (mark.width / size.width) * inch;
  return columns
    .map((left) => `q ${numbers(scale, 0, 0, scale, left * inch, 0)} cm /${MARK_FORM} Do Q`)
    .join('\n');
}

interface FormContent {
  readonly box: readonly number[];
  readonly resources: string;
  readonly content: string;
}

/** Adds a form (ISO 32000-1, 8.10). Returns a reference to it. */
function addForm(update: PdfUpdate, { box, resources, content }: FormContent): string {
  const entries = `/Type /XObject /Subtype /Form /BBox [${numbers(...box)}] /Resources <<${resources}>>`;
  return update.addStream(content, entries);
}

function graphicsState(alpha: number): string {
  return `<</Type /ExtGState /ca ${alpha} /CA ${alpha} /BM /Normal /SMask /None>>`;
}

function numbers(...values: number[]): string {
  return values.map((value) => String(Number(value.toFixed(4)))).join(' ');
}

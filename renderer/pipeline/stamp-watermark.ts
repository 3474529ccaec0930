import { visibleBox, type Box } from './page-box.ts';
import type { PageDrawings, PageResources } from './page-drawings.ts';
import type { PdfFile } from './pdf-file.ts';
import { PdfSyntaxError, type PdfDictionary } from './pdf-syntax.ts';
import type { PdfUpdate } from './pdf-update.ts';

/** What every page of a document made with a test key carries (interface, "Authentication" 2). */
export const WATERMARK_TEXT = 'TEST';

/** Widths and height of the capitals of Helvetica-Bold, in thousandths of the font's size (Adobe's metrics). */
const TEXT_WIDTH = 611 + 667 + 667 + 611;
const TEXT_HEIGHT = 718;
/** Most that the text takes of a page's width and height. */
const MOST_OF_WIDTH = 0.6;
const MOST_OF_HEIGHT = 0.3;
/** Largest size of the font, in points: poppler shows no text at all that is larger than 1,440. */
const LARGEST_SIZE = 1400;
/** In parts of the font's size. */
const LINE_WIDTH = 0.03;
const PADDING = 0.12;

/**
 * White at half strength, on which the letters stand, leaves what is beneath readable, and at least half of every
 * colour. The letters' outline lets nothing through and has a tenth of green and blue. So they differ on whatever
 * background, however a template chooses it.
 */
const BAND = { alpha: 0.5, colour: '1 1 1 rg' };
const OUTLINE = { alpha: 1, colour: '0.75 0.1 0.1 RG' };

/** Names of resources. Chromium's own are a letter and a number. */
const FONT = 'TrifoldTestFont';
const BAND_STATE = 'TrifoldTestBand';
const OUTLINE_STATE = 'TrifoldTestOutline';

/**
 * Puts the watermark on every page: a line of text behind all of the page's content and what else is drawn on it, so that
 * nothing in the document lies over it. Throws PdfSyntaxError, before anything could pass for finished, when a page cannot
 * be stamped.
 */
export function stampWatermark(file: PdfFile, update: PdfUpdate, drawings: PageDrawings): void {
  new Stamp(file, update).stampAll(drawings);
}

class Stamp {
  readonly #file: PdfFile;
  readonly #update: PdfUpdate;
  readonly #resources: PageResources;
  /** By what is drawn: pages of one size share it. */
  readonly #marks = new Map<string, string>();

  constructor(file: PdfFile, update: PdfUpdate) {
    this.#file = file;
    this.#update = update;
    const font = update.add(
      '<</Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding>>',
    );
    this.#resources = [
      ['Font', new Map([[FONT, font]])],
      [
        'ExtGState',
        new Map([
          [BAND_STATE, update.add(graphicsState(BAND.alpha))],
          [OUTLINE_STATE, update.add(graphicsState(OUTLINE.alpha))],
        ]),
      ],
    ];
  }

  stampAll(drawings: PageDrawings): void {
    for (const page of drawings.pages) drawings.draw(page, this.#markFor(page.entries), this.#resources);
  }

  #markFor(entries: PdfDictionary): string {
    const text = drawing(visibleBox(this.#file, entries), this.#rotationOf(entries));
    const known = this.#marks.get(text);
    if (known !== undefined) return known;
    const mark = this.#update.addStream(text);
    this.#marks.set(text, mark);
    return mark;
  }

  #rotationOf(entries: PdfDictionary): number {
    const value = entries.get('Rotate');
    const degrees = value ? this.#file.number(value) : 0;
    return (((degrees % 360) + 360) % 360) / 90;
  }
}

/** Cosine and sine of what a reader turns back. */
const TURNS = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
] as const;

/** The text in the middle of the visible page, horizontal for whoever looks at it. */
function drawing([left, bottom, right, top]: Box, quarterTurns: number): string {
  const turn = TURNS[quarterTurns];
  if (!turn) throw new PdfSyntaxError('the PDF has no right angle where one belongs');
  const [cos, sin] = turn;
  const [width, height] = cos === 0 ? [top - bottom, right - left] : [right - left, top - bottom];
  const fitting = Math.min((MOST_OF_WIDTH * width * 1000) / TEXT_WIDTH, MOST_OF_HEIGHT * height);
  const size = Math.min(fitting, LARGEST_SIZE);
  const [textWidth, textHeight] = [(size * TEXT_WIDTH) / 1000, (size * TEXT_HEIGHT) / 1000];
  const originX = (left + right - cos * textWidth + sin * textHeight) / 2;
  const originY = (bottom + top - sin * textWidth - cos * textHeight) / 2;
  const padding = size * PADDING;
  const band = [-padding, -padding, textWidth + 2 * padding, textHeight + 2 * padding];
  return [
    'q',
    `${numbers(cos, sin, -sin, cos, originX, originY)} cm`,
    `/${BAND_STATE} gs ${BAND.colour}`,
    `${numbers(...band)} re f`,
    `/${OUTLINE_STATE} gs ${OUTLINE.colour}`,
    `${numbers(size * LINE_WIDTH)} w`,
    `BT /${FONT} ${numbers(size)} Tf 1 Tr (${WATERMARK_TEXT}) Tj ET`,
    'Q\n',
  ].join('\n');
}

function graphicsState(alpha: number): string {
  return `<</Type /ExtGState /ca ${alpha} /CA ${alpha} /BM /Normal /SMask /None>>`;
}

function numbers(...values: number[]): string {
  return values.map((value) => String(Number(value.toFixed(4)))).join(' ');
}

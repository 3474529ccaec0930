import {
  AlignmentType,
  HeadingLevel,
  LineRuleType,
  Paragraph,
  TextRun,
  type IBordersOptions,
  type IParagraphOptions,
  type Table,
} from 'docx';
import { hasContent, isInline, runsOf } from './inline.ts';
import type { Images } from './images.ts';
import type { Lists, ListPosition } from './lists.ts';
import type { Box, LaidOut, Style } from './snapshot-tree.ts';
import { borderOf, entryOf, hexColour, pixels, SIDES, twips } from './units.ts';

export type Block = Paragraph | Table;

export interface Shared {
  readonly images: Images;
  readonly lists: Lists;
  /** Adds a table, or content that can only be shown as one. */
  readonly tables: (node: LaidOut, flow: Flow) => boolean;
}

/** Maximum space between two paragraphs, in CSS pixels. */
const MOST_SPACE = 2000;
/** How much a box may grow beyond its size in the browser, in CSS pixels and as a fraction of its width. */
export const SLACK = 4;
const SLACK_PART = 0.03;
/** Differences of less than a CSS pixel are ignored. */
const ROUNDING = 1;

const HEADINGS: Readonly<Record<string, (typeof HeadingLevel)[keyof typeof HeadingLevel]>> =
  Object.fromEntries(
    ([1, 2, 3, 4, 5, 6] as const).map((level) => [`h${level}`, HeadingLevel[`HEADING_${level}`]]),
  );

const ALIGNMENTS: Readonly<Record<string, (typeof AlignmentType)[keyof typeof AlignmentType]>> = {
  left: AlignmentType.LEFT,
  right: AlignmentType.RIGHT,
  center: AlignmentType.CENTER,
  justify: AlignmentType.JUSTIFIED,
  end: AlignmentType.END,
  '-webkit-center': AlignmentType.CENTER,
  '-webkit-right': AlignmentType.RIGHT,
};

/** Position of the blocks, and the number of tables around them. @default 0 */
type Room = Pick<Box, 'x' | 'width'> & { readonly depth?: number };

/** A column of blocks: of the page, or of a cell. */
export class Flow {
  readonly blocks: Block[] = [];
  readonly shared: Shared;
  readonly left: number;
  readonly right: number;
  /** Number of tables around it. */
  readonly depth: number;
  /** Bottom edge of the last block, from which the next gap is measured. Undefined before the first block of a cell. */
  bottom: number | undefined;
  #breaksPage = false;
  #list: ListPosition | undefined;
  #numberNext = false;
  #heading: (typeof HEADINGS)[string] | undefined;

  constructor(shared: Shared, { x, width, depth = 0 }: Room, top: number | undefined) {
    this.shared = shared;
    this.depth = depth;
    this.left = x;
    this.right = x + width;
    this.bottom = top;
  }

  /** Adds the content of a block: lines of text as paragraphs, other blocks one by one. */
  addChildren(container: LaidOut): void {
    let line: LaidOut[] = [];
    const flush = () => {
      if (hasContent(line)) this.#addLines(container, line);
      line = [];
    };
    for (const child of container.children) {
      if (isInline(child)) line.push(child);
      else {
        flush();
        this.addBlock(child);
      }
    }
    flush();
  }

  addBlock(node: LaidOut): void {
    const { style, name } = node;
    if (startsPage(style['break-before'])) this.#breaksPage = true;
    if (name === 'hr') this.#addRule(node);
    else if (!this.shared.tables(node, this)) this.#addInPlace(node);
    if (startsPage(style['break-after'])) this.#breaksPage = true;
    this.bottom = Math.max(this.bottom ?? 0, node.box.y + node.box.height);
  }

  /** Adds a table at its position; without a paragraph between them, two tables would merge. */
  addTable(table: Table, top: number): void {
    const gap = this.#gapTo(top);
    const follows = this.blocks.at(-1);
    if (gap > 0 || this.#breaksPage || (follows && !(follows instanceof Paragraph))) this.#addSpace(gap);
    this.blocks.push(table);
  }

  /** Returns the blocks. The content of a cell must end with a paragraph. */
  ended(): Block[] {
    if (!(this.blocks.at(-1) instanceof Paragraph)) this.#addSpace(0);
    return this.blocks;
  }

  /** Distance from the left edge, in CSS pixels. */
  indentOf(x: number): number {
    return Math.max(0, x - this.left);
  }

  #addInPlace(node: LaidOut): void {
    const [heading, list, numberNext] = [this.#heading, this.#list, this.#numberNext];
    this.#heading = entryOf(HEADINGS, node.name) ?? heading;
    if (node.name === 'ul' || node.name === 'ol') this.#list = this.shared.lists.enter(node, list);
    if (node.style.display === 'list-item') this.#numberNext = node.style['list-style-type'] !== 'none';
    this.addChildren(node);
    [this.#heading, this.#list] = [heading, list];
    this.#numberNext = node.style.display === 'list-item' ? false : numberNext && this.#numberNext;
  }

  #addLines(container: LaidOut, line: readonly LaidOut[]): void {
    const { style } = container;
    const content = contentBox(container);
    const whole = line.length === container.children.length;
    const { y, height } = container.box;
    const [top, bottom] = whole ? [y, y + height] : linesOf(line, style);
    const before = twips(this.#gapTo(top));
    const options: IParagraphOptions = {
      children: runsOf(line, style, this.shared.images),
      spacing: { before, after: 0, ...lineHeight(style) },
      ...directionOf(style),
      ...(whole && looksOf(style)),
      ...this.#marginsOf(content, style),
      ...this.#headingOrListItem(content, style),
      ...(style['break-inside'] === 'avoid' && { keepLines: true }),
    };
    this.#push(options);
    this.bottom = Math.max(this.bottom ?? 0, bottom);
  }

  #headingOrListItem({ x }: Box, style: Style): IParagraphOptions {
    const heading = this.#heading;
    const numbering = this.#numberNext ? this.#list : undefined;
    this.#numberNext = false;
    const left = twips(this.indentOf(x));
    return {
      ...(heading !== undefined && { heading, keepNext: true }),
      ...(numbering && {
        numbering: this.shared.lists.numberingOf(numbering, style['list-style-type']),
        indent: { left: Math.max(left, HANGING), hanging: HANGING },
      }),
    };
  }

  /** Fonts of another program may be slightly wider; the slack keeps a line that fills its box on one line. */
  #marginsOf({ x, width }: Box, style: Style): IParagraphOptions {
    const slack = SLACK + width * SLACK_PART;
    const isAtEnd = /right|end/.test(style['text-align']);
    const left = this.indentOf(x) - (isAtEnd ? slack : 0);
    const right = this.right - x - width - (isAtEnd ? 0 : slack);
    return {
      indent: {
        ...(left > ROUNDING && { left: twips(left) }),
        ...(right > ROUNDING && { right: twips(right) }),
      },
    };
  }

  #addRule({ style, box }: LaidOut): void {
    const border =
      borderOf(style['border-top-width'], style['border-top-style'], style['border-top-color']) ??
      borderOf('1px', 'solid', 'rgb(128, 128, 128)');
    const before = twips(this.#gapTo(box.y));
    this.#push({
      ...(border && { border: { bottom: border } }),
      spacing: { before, after: 0, line: 20, lineRule: LineRuleType.EXACT },
    });
  }

  /** Adds an empty paragraph with the height of a gap. */
  #addSpace(height: number): void {
    const line = Math.max(20, twips(height));
    this.#push({
      children: [new TextRun({ text: '', size: 2 })],
      spacing: { before: 0, after: 0, line, lineRule: LineRuleType.EXACT },
    });
  }

  #push(options: IParagraphOptions): void {
    this.blocks.push(new Paragraph({ ...options, ...(this.#breaksPage && { pageBreakBefore: true }) }));
    this.#breaksPage = false;
  }

  #gapTo(top: number): number {
    if (this.bottom === undefined) return 0;
    return Math.min(MOST_SPACE, Math.max(0, top - this.bottom));
  }
}

/** Distance between the text of a list item and its number, in twips. */
const HANGING = 300;

function startsPage(value: string): boolean {
  return ['page', 'always', 'left', 'right', 'recto', 'verso'].includes(value);
}

/** Top of the first line and bottom of the last; the boxes of texts are only as high as their font. */
function linesOf(line: readonly LaidOut[], style: Style): readonly [number, number] {
  const boxes = line.map(({ box }) => box).filter(({ height }) => height > 0);
  const size = pixels(style['font-size']);
  const half = Math.max(0, (pixels(style['line-height']) - size * 1.15) / 2);
  // The stack limits the number of arguments of a call, and a line may have more texts than that.
  const top = boxes.reduce((least, { y }) => Math.min(least, y - half), Infinity);
  const bottom = boxes.reduce((most, { y, height }) => Math.max(most, y + height + half), -Infinity);
  return [top, bottom];
}

/** Content area of a box, without its borders and padding. */
export function contentBox({ box, style }: LaidOut): Box {
  const inset = (side: (typeof SIDES)[number]) =>
    pixels(style[`padding-${side}`]) + pixels(style[`border-${side}-width`]);
  return {
    x: box.x + inset('left'),
    y: box.y + inset('top'),
    width: box.width - inset('left') - inset('right'),
    height: box.height - inset('top') - inset('bottom'),
  };
}

export function bordersOf(style: Style): IBordersOptions | undefined {
  const sides = SIDES.flatMap((side) => {
    const border = borderOf(
      style[`border-${side}-width`],
      style[`border-${side}-style`],
      style[`border-${side}-color`],
    );
    return border ? [[side, border] as const] : [];
  });
  return sides.length === 0 ? undefined : Object.fromEntries(sides);
}

/** Borders of a paragraph are outside its text, at the distance of the padding; at most 31 points. */
function paddedBordersOf(style: Style): IBordersOptions | undefined {
  const borders = bordersOf(style);
  if (!borders) return undefined;
  const padded = SIDES.flatMap((side) => {
    const space = Math.min(31, Math.round(pixels(style[`padding-${side}`]) * 0.75));
    const border = borders[side];
    return border ? [[side, { ...border, space }] as const] : [];
  });
  return Object.fromEntries(padded);
}

function looksOf(style: Style): IParagraphOptions {
  const border = paddedBordersOf(style);
  const fill = hexColour(style['background-color']);
  return { ...(border && { border }), ...(fill !== undefined && { shading: { fill } }) };
}

function lineHeight(style: Style): { line?: number; lineRule?: typeof LineRuleType.AT_LEAST } {
  const height = pixels(style['line-height']);
  return height > 0 ? { line: twips(height), lineRule: LineRuleType.AT_LEAST } : {};
}

function directionOf(style: Style): IParagraphOptions {
  const alignment = ALIGNMENTS[style['text-align']];
  return {
    ...(style.direction === 'rtl' && { bidirectional: true }),
    ...(alignment !== undefined && { alignment }),
  };
}

import {
  AlignmentType,
  HeadingLevel,
  LineRuleType,
  Paragraph,
  Tab,
  TextRun,
  type IBordersOptions,
  type IParagraphOptions,
  type Table,
} from 'docx';
import type { Anchors } from './anchors.ts';
import { needOf } from './column-widths.ts';
import { contentBox } from './content-box.ts';
import type { Findings } from './findings.ts';
import { fontOf, hasContent, isInline, NOTHING_AROUND, runsOf, withinBlock, type Around } from './inline.ts';
import type { Images } from './images.ts';
import type { Lists, ListPosition, Marker } from './lists.ts';
import type { Box, LaidOut, Style } from './snapshot-tree.ts';
import { borderOf, entryOf, fillOf, pixels, SIDES, twips, xmlText } from './units.ts';

export type Block = Paragraph | Table;

export interface Shared {
  readonly images: Images;
  readonly lists: Lists;
  readonly anchors: Anchors;
  readonly findings: Findings;
  /** Right edge of the page, in CSS pixels. */
  readonly pageWidth: number;
  /** Adds a table, or content that can only be shown as a table. */
  readonly tables: (node: LaidOut, flow: Flow) => boolean;
}

/** Maximum space between two paragraphs, in CSS pixels. */
const MAX_SPACE = 2000;
/** Maximum growth of a box beyond its size in the browser, in CSS pixels and as a fraction of its width. */
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
  '-webkit-left': AlignmentType.LEFT,
  '-webkit-center': AlignmentType.CENTER,
  '-webkit-right': AlignmentType.RIGHT,
};

/** The blocks' position in the browser. */
export interface Room extends Pick<Box, 'x' | 'width'> {
  /** Width in the file. @default its width in the browser */
  readonly available?: number;
  /** Number of enclosing tables. @default 0 */
  readonly depth?: number;
  readonly around?: Around;
}

/** The marker of a list item that has no paragraph yet. */
interface PendingMarker {
  readonly item: LaidOut;
  readonly marker: LaidOut;
  readonly shown: Marker;
}

/** A column of blocks: on the page, or in a cell. */
export class Flow {
  readonly blocks: Block[] = [];
  readonly shared: Shared;
  readonly left: number;
  readonly right: number;
  /** Width in the file, in CSS pixels. */
  readonly available: number;
  /** Number of enclosing tables. */
  readonly depth: number;
  /** Bottom edge of the last block, from which the next gap is measured. Undefined before the first block of a cell. */
  bottom: number | undefined;
  #breaksPage = false;
  #list: ListPosition | undefined;
  #marker: PendingMarker | undefined;
  #heading: (typeof HEADINGS)[string] | undefined;
  #around: Around;

  constructor(
    shared: Shared,
    { x, width, available = width, depth = 0, around = NOTHING_AROUND }: Room,
    top: number | undefined,
  ) {
    this.shared = shared;
    this.depth = depth;
    this.left = x;
    this.right = x + width;
    this.available = available;
    this.bottom = top;
    this.#around = around;
  }

  /** Returns a cell's flow. The first cell gets the list item's marker. */
  inner(room: Room, top?: number): Flow {
    const flow = new Flow(this.shared, { ...room, depth: this.depth + 1, around: this.#around }, top);
    flow.#marker = this.#marker;
    this.#marker = undefined;
    return flow;
  }

  /** Adds the content of a block: lines of text as paragraphs, child blocks individually. */
  addChildren(container: LaidOut): void {
    let line: LaidOut[] = [];
    const flush = () => {
      if (hasContent(line)) this.#addLines(container, line);
      else for (const node of line) this.#noteAnchors(node);
      line = [];
    };
    for (const child of inShownOrder(container)) {
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
    const [around, bottom] = [this.#around, this.bottom];
    const isPositioned = style.position === 'absolute' || style.position === 'fixed';
    if (isPositioned) this.bottom = undefined;
    this.#around = withinBlock(node, { around, anchors: this.shared.anchors });
    this.shared.anchors.note(node);
    if (startsPage(style['break-before'])) this.#breaksPage = true;
    if (name === 'hr') this.#addRule(node);
    else if (this.shared.tables(node, this)) this.bottom = node.box.y + node.box.height;
    else this.#addInPlace(node);
    if (startsPage(style['break-after'])) this.#breaksPage = true;
    // A positioned block does not affect the position of the content after it.
    if (isPositioned) this.bottom = bottom;
    this.#around = around;
  }

  /** Adds a table at its position; two tables without a paragraph between them would merge. */
  addTable(table: Table, top: number): void {
    const gap = this.#gapTo(top);
    const follows = this.blocks.at(-1);
    if (gap > 0 || this.#breaksPage || (follows && !(follows instanceof Paragraph))) this.#addSpace(gap);
    this.blocks.push(table);
  }

  /** Returns the blocks. The content of a cell must end with a paragraph. */
  ended(): Block[] {
    this.#addMarkerAlone();
    if (!(this.blocks.at(-1) instanceof Paragraph)) this.#addSpace(0);
    return this.blocks;
  }

  /** Distance of a box from the edge where its text starts, in CSS pixels. */
  indentOf({ x, width }: Pick<Box, 'x' | 'width'>, { direction }: Pick<Style, 'direction'>): number {
    return Math.max(0, direction === 'rtl' ? this.right - x - width : x - this.left);
  }

  #addInPlace(node: LaidOut): void {
    const [heading, list] = [this.#heading, this.#list];
    this.#heading = entryOf(HEADINGS, node.name) ?? heading;
    if (node.name === 'ul' || node.name === 'ol') this.#list = this.shared.lists.enter(node, list);
    if (node.marker && node.style.visibility === 'visible') this.#beginItem(node, node.marker);
    else if (node.style.display === 'list-item' && this.#list) this.shared.lists.number(node, this.#list);
    this.addChildren(node);
    if (this.#marker?.item === node) this.#addMarkerAlone();
    [this.#heading, this.#list] = [heading, list];
  }

  #beginItem(item: LaidOut, marker: LaidOut): void {
    this.#addMarkerAlone();
    this.#marker = { item, marker, shown: this.shared.lists.markerOf(item, marker, this.#list) };
  }

  /** Width of the list item's marker that the next paragraph starts with, in CSS pixels; 0 if there is none. */
  get markerWidth(): number {
    return this.#marker ? Math.max(MARKER_WIDTH, this.#marker.marker.box.width + MARKER_GAP) : 0;
  }

  /** Adds an item without text. */
  #addMarkerAlone(): void {
    if (this.#marker) this.#addLines(this.#marker.item, []);
  }

  #noteAnchors(node: LaidOut): void {
    this.shared.anchors.note(node);
    for (const child of node.children) this.#noteAnchors(child);
  }

  #addLines(container: LaidOut, line: readonly LaidOut[]): void {
    const { style } = container;
    const content = contentBox(container);
    const whole = line.length === container.children.length;
    const { y, height } = container.box;
    const [top, bottom] = whole ? [y, y + height] : linesOf(line, style);
    const before = twips(this.#gapTo(top));
    const marker = this.#markerFor(content, style);
    const looks = whole ? looksOf(style) : {};
    const isOneLine =
      Object.keys(looks).length === 0 && isLineHigh(whole ? content.height : bottom - top, style);
    const { images, anchors } = this.shared;
    const around = { ...this.#around, lines: `${this.#around.lines} ${style['text-decoration-line']}` };
    const width = Math.max(1, this.available - this.indentOf(content, style));
    const runs = runsOf(line, { around, images, anchors, width });
    const options: IParagraphOptions = {
      children: [...marker.children, ...runs],
      spacing: { before, after: 0, ...lineHeight(style) },
      ...directionOf(style),
      ...looks,
      ...this.#marginsOf(container, isOneLine),
      ...(this.#heading !== undefined && { heading: this.#heading, keepNext: true }),
      ...marker.options,
      ...(style['break-inside'] === 'avoid' && { keepLines: true }),
    };
    this.#push(options);
    this.bottom = Math.max(this.bottom ?? 0, bottom);
  }

  /** Returns the marker that the next paragraph starts with, as a number that Word counts or as text with a tab. */
  #markerFor(content: Box, style: Style): { children: TextRun[]; options: IParagraphOptions } {
    const pending = this.#marker;
    this.#marker = undefined;
    if (!pending) return { children: [], options: {} };
    const { item, marker, shown } = pending;
    const isInside = item.style['list-style-position'] === 'inside' || marker.style.display === 'inline';
    const left = twips(this.indentOf(content, style));
    const hanging = isInside ? 0 : twips(Math.max(MARKER_WIDTH, marker.box.width + MARKER_GAP));
    const indent = { left: Math.max(left, hanging), ...(hanging > 0 && { hanging }) };
    if ('numbering' in shown) return { children: [], options: { numbering: shown.numbering, indent } };
    const children = isInside ? [xmlText(shown.text)] : [xmlText(shown.text.trimEnd()), new Tab()];
    const isRtl = item.style.direction === 'rtl';
    const run = new TextRun({ ...fontOf(marker.style), ...(isRtl && { rightToLeft: true }), children });
    return { children: [run], options: { indent } };
  }

  /** Another program's fonts may be slightly wider; the slack keeps a line that fills its box on one line. */
  #marginsOf(container: LaidOut, isOneLine: boolean): IParagraphOptions {
    const { style } = container;
    const content = contentBox(container);
    const { x, width } = content;
    // A word that is wider than its box is not broken.
    const need = Math.min(this.available, needOf(container));
    const slack = SLACK + width * SLACK_PART;
    const isRtl = style.direction === 'rtl';
    const isAtEnd = endsAtEdge(style);
    const most = Math.max(0, this.available - Math.max(MIN_WIDTH, need));
    // A single line needs no right edge.
    const needsBoth = !isOneLine || /center|justify/.test(style['text-align']);
    const near = this.indentOf(content, style) - (isAtEnd ? slack : 0);
    const far = (isRtl ? x - this.left : this.right - x - width) - (isAtEnd ? 0 : slack);
    const before = needsBoth || !isAtEnd ? Math.min(most, near) : 0;
    const after = needsBoth || isAtEnd ? Math.min(far, most - Math.max(0, before)) : 0;
    return indentOf(before, after, style);
  }

  #addRule({ style, box }: LaidOut): void {
    const border =
      borderOf(style['border-top-width'], style['border-top-style'], style['border-top-color']) ??
      borderOf('1px', 'solid', 'rgb(128, 128, 128)');
    const before = twips(this.#gapTo(box.y));
    this.bottom = box.y + box.height;
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
    const children = [...this.shared.anchors.take(), ...(options.children ?? [])];
    this.blocks.push(
      new Paragraph({ ...options, children, ...(this.#breaksPage && { pageBreakBefore: true }) }),
    );
    this.#breaksPage = false;
  }

  #gapTo(top: number): number {
    if (this.bottom === undefined) return 0;
    return Math.min(MAX_SPACE, Math.max(0, top - this.bottom));
  }
}

/** Space for a list item's marker before its text, in CSS pixels, and for a wider marker in another font. */
const MARKER_WIDTH = 20;
const MARKER_GAP = 3;
/** Minimum width of a paragraph, in CSS pixels. */
const MIN_WIDTH = 48;

function indentOf(before: number, after: number, style: Style): IParagraphOptions {
  const firstLine = twips(pixels(style['text-indent']));
  return {
    indent: {
      ...(firstLine > 0 && { firstLine }),
      ...(before > ROUNDING && { left: twips(before) }),
      ...(after > ROUNDING && { right: twips(after) }),
    },
  };
}

function endsAtEdge({ direction, 'text-align': alignment }: Style): boolean {
  return alignment === 'end' || alignment.endsWith(direction === 'rtl' ? 'left' : 'right');
}

/** Whether there is at most one line of text. */
function isLineHigh(height: number, style: Style): boolean {
  return height < Math.max(pixels(style['line-height']), pixels(style['font-size']) * 1.2) * 1.7;
}

/** Columns of boxes may be reversed or ordered differently than in the HTML. */
function inShownOrder({ style, children }: LaidOut): readonly LaidOut[] {
  if (!/flex$|grid$/.test(style.display)) return children;
  return children.toSorted((one, other) => one.box.y - other.box.y);
}

function startsPage(value: string): boolean {
  return ['page', 'always', 'left', 'right', 'recto', 'verso'].includes(value);
}

/** Top of the first line and bottom of the last; text boxes are only as tall as their font. */
function linesOf(line: readonly LaidOut[], style: Style): readonly [number, number] {
  const boxes = line.map(({ box }) => box).filter(({ height }) => height > 0);
  const size = pixels(style['font-size']);
  const half = Math.max(0, (pixels(style['line-height']) - size * 1.15) / 2);
  // The stack limits the number of call arguments, and a line may contain more strings than that.
  const top = boxes.reduce((least, { y }) => Math.min(least, y - half), Infinity);
  const bottom = boxes.reduce((most, { y, height }) => Math.max(most, y + height + half), -Infinity);
  // Content without height is below what precedes it.
  return boxes.length > 0 ? [top, bottom] : [0, 0];
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

/** Paragraph borders are outside the text, at a distance equal to the padding, at most 31 points. */
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
  const fill = fillOf(style);
  return { ...(border && { border }), ...(fill !== undefined && { shading: { fill } }) };
}

function lineHeight(style: Style): { line?: number; lineRule?: typeof LineRuleType.AT_LEAST } {
  const height = pixels(style['line-height']);
  return height > 0 ? { line: twips(height), lineRule: LineRuleType.AT_LEAST } : {};
}

function directionOf(style: Style): IParagraphOptions {
  const alignment = entryOf(ALIGNMENTS, style['text-align']);
  return {
    ...(style.direction === 'rtl' && { bidirectional: true }),
    ...(alignment !== undefined && { alignment }),
  };
}

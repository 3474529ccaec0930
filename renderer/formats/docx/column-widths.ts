import { contentBox } from './content-box.ts';
import { isDrawing, type LaidOut } from './snapshot-tree.ts';
import { pixels } from './units.ts';

/** A column in the browser, and the width it needs so that no word breaks, in CSS pixels. */
export interface Column {
  readonly width: number;
  readonly need: number;
}

/** Words may be wider in another program's font. */
export const WIDER = 1.04;
/** Maximum extra space in a column that fits its lines, in CSS pixels. */
const TIGHT = 2;
/** Average width of a character, as a fraction of the font size. */
const CHARACTER = 0.6;

/** Characters at which a line may break, including between East Asian characters. */
const BREAKS = /[\s\u00ad\u200b\u3000-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef-]+/;

/** Returns widths whose sum is at most `room`. Columns that need more space take it from those with space to spare. */
export function columnsFor(columns: readonly Column[], room: number): number[] {
  const need = sum(columns.map((column) => column.need));
  if (need >= room) return shortened(columns, room);
  const widths = columns.map((column) => Math.max(column.width, column.need));
  const excess = sum(widths) - Math.min(room, Math.max(need, sum(columns.map(({ width }) => width))));
  if (excess <= 0) return widths;
  const spare = sum(widths) - need;
  return widths.map((width, index) => width - ((width - (columns[index]?.need ?? 0)) / spare) * excess);
}

/** Gives narrow columns the width they need; wide ones share the rest equally, and their words break. */
function shortened(columns: readonly Column[], room: number): number[] {
  let [width, rest] = [0, room];
  for (const [index, { need }] of columns.toSorted((one, other) => one.need - other.need).entries()) {
    width = rest / (columns.length - index);
    if (need > width) break;
    rest -= need;
  }
  return columns.map(({ need }) => Math.max(1, Math.min(need, width)));
}

export function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}

/** Estimates the width at which no word in a cell or a box is broken. */
export function needOf(node: LaidOut): number {
  const edges = node.box.width - contentBox(node).width;
  return Math.max(1, widestIn(node, node.box.width - edges) + edges);
}

/** Whether a cell's lines fill its width, which is the case in a column that is as wide as its text. */
export function isTight(cell: LaidOut): boolean {
  const { x, width } = contentBox(cell);
  let [start, end] = [Infinity, -Infinity];
  const add = (node: LaidOut) => {
    for (const child of node.children) add(child);
    if (node.name !== '#text' || !isLine(node)) return;
    start = Math.min(start, node.box.x);
    end = Math.max(end, node.box.x + node.box.width);
  };
  add(cell);
  return start <= x + TIGHT && end >= x + width - TIGHT;
}

/** Text on several lines does not reveal the width of its characters. */
function isLine({ text, style, box }: LaidOut): boolean {
  return box.height < pixels(style['font-size']) * 2 && text.trim() !== '';
}

/** Width of the longest word or the widest image. `width` is the cell's, which an unbreakable line may exceed. */
function widestIn(root: LaidOut, width: number): number {
  let [widest, word] = [0, 0];
  const add = (node: LaidOut) => {
    if (isDrawing(node)) widest = Math.max(widest, node.box.width);
    else if (node.name === '#text') {
      const words = wordsOf(node, width);
      // A word may continue in the next element.
      word += words.shift() ?? 0;
      widest = Math.max(widest, word, ...words);
      word = words.at(-1) ?? word;
    } else {
      if (!node.style.display.startsWith('inline')) word = 0;
      for (const child of node.children) add(child);
      if (!node.style.display.startsWith('inline')) word = 0;
    }
  };
  add(root);
  return widest;
}

/** Widths of the unbreakable parts of a string: the first, the longest and the last. */
function wordsOf(node: LaidOut, width: number): number[] {
  const { text, style, box } = node;
  if (style['overflow-wrap'] === 'anywhere' || style['word-break'] === 'break-all') return [0, 0];
  if (style['text-wrap-mode'] === 'nowrap') return [Math.min(box.width, width) * WIDER];
  const size = pixels(style['font-size']);
  const characters = text.trim().length;
  const character = (isLine(node) ? box.width / characters : size * CHARACTER) * WIDER;
  const [first = 0, ...others] = text.split(BREAKS).map((word) => word.length * character);
  if (others.length === 0) return [first];
  return [first, others.reduce((longest, each) => Math.max(longest, each)), others.at(-1) ?? 0];
}

import { TableCell, type ITableCellOptions, type Table } from 'docx';
import { isTight, needOf, WIDER, type Column } from './column-widths.ts';
import { bordersOf, SLACK, type Flow, type Room } from './flow.ts';
import { isInline } from './inline.ts';
import type { LaidOut, Style } from './snapshot-tree.ts';
import { MAX_COLUMNS } from './table-grid.ts';
import { fillOf, pixels, twips } from './units.ts';
import { dxa, fitted, NO_MARGINS, tableOf } from './word-table.ts';

/** Boxes whose tops differ by less than this are in the same row, in CSS pixels. */
const SAME_ROW = 2;

/** Whether a flex container or a grid has adjacent boxes. */
export function isRowOfBoxes({ style, children }: LaidOut): boolean {
  if (!/^(?:inline-)?(?:flex|grid)$/.test(style.display)) return false;
  const boxes = children.filter(isShown);
  const rows = inRows(boxes);
  return rows.some((row) => row.length > 1) && rows.every((row) => row.length <= MAX_COLUMNS);
}

/** Text between boxes also counts as a box, unless it is only white space. */
function isShown({ name, text }: LaidOut): boolean {
  return name !== '#text' || text.trim() !== '';
}

function inRows(boxes: readonly LaidOut[]): LaidOut[][] {
  const rows: LaidOut[][] = [];
  let bottom = -Infinity;
  for (const box of [...boxes].toSorted((one, other) => one.box.y - other.box.y)) {
    if (box.box.y + SAME_ROW < bottom) rows.at(-1)?.push(box);
    else rows.push([box]);
    bottom = Math.max(bottom, box.box.y + box.box.height);
  }
  return rows.map((row) => row.toSorted((one, other) => one.box.x - other.box.x));
}

/** Adds a table for each row of boxes. */
export function addRowsOfBoxes(node: LaidOut, flow: Flow): void {
  const rows = inRows(node.children.filter(isShown));
  for (const [index, row] of rows.entries()) {
    const isFirst = index === 0;
    const top = isFirst ? node.box.y : Math.min(...row.map(({ box }) => box.y));
    const edge = edgeOf(node.style, { isFirst, isLast: index === rows.length - 1 });
    flow.addTable(rowOfBoxes(node, row, { flow, edge }), top);
    flow.bottom = Math.max(...row.map(({ box }) => box.y + box.height));
  }
}

type Edge = Pick<ITableCellOptions, 'borders' | 'margins' | 'shading'>;

function edgeOf(style: Style, { isFirst, isLast }: { isFirst: boolean; isLast: boolean }): Edge {
  const { top, bottom } = bordersOf(style) ?? {};
  const fill = fillOf(style);
  return {
    borders: { ...(isFirst && top && { top }), ...(isLast && bottom && { bottom }) },
    margins: {
      ...NO_MARGINS,
      ...(isFirst && { top: twips(pixels(style['padding-top'])) }),
      ...(isLast && { bottom: twips(pixels(style['padding-bottom'])) }),
    },
    ...(fill !== undefined && { shading: { fill } }),
  };
}

/**
 * Each box gets a cell that extends to the start of the next one and includes part of the gap between them; the first
 * cell starts at the container's edge. In right-to-left text, the first cell is on the right.
 */
function rowOfBoxes(
  node: LaidOut,
  row: readonly LaidOut[],
  { flow, edge }: { flow: Flow; edge: Edge },
): Table {
  const isRtl = node.style.direction === 'rtl';
  const offset = ({ box }: LaidOut) =>
    isRtl ? node.box.x + node.box.width - box.x - box.width : box.x - node.box.x;
  const boxes = isRtl ? row.toReversed() : row;
  const starts = boxes.map((child, index) => {
    const before = boxes[index - 1];
    const gap = before ? Math.max(0, offset(child) - offset(before) - before.box.width) : 0;
    // Slightly before the box if there is space.
    return before ? offset(child) - Math.min(gap / 2, SLACK + child.box.width * 0.03) : 0;
  });
  const end = Math.max(node.box.width, ...boxes.map((child) => offset(child) + child.box.width));
  const columns = boxes.map((child, index): Column => {
    const width = Math.max(1, (starts[index + 1] ?? end) - (starts[index] ?? 0));
    return { width: isTight(child) ? width * WIDER : width, need: needOf(child) };
  });
  const widths = fitted(columns, { ...node, box: { ...node.box, width: end } }, flow);
  const made = boxes.map((child, index) => {
    const before = offset(child) - (starts[index] ?? 0);
    const { width = 1 } = columns[index] ?? {};
    const x = isRtl ? child.box.x + child.box.width + before - width : child.box.x - before;
    return cellOfBox(child, { x, width, available: widths[index] ?? 1 }, { flow, edge });
  });
  return tableOf([{ children: made }], widths, { flow, node });
}

function cellOfBox(
  child: LaidOut,
  room: Room & { readonly available: number },
  { flow, edge }: { flow: Flow; edge: Edge },
): TableCell {
  const inner = flow.inner(room);
  if (isInline(child)) inner.addChildren({ ...child, children: [child] });
  else inner.addBlock(child);
  return new TableCell({
    children: inner.ended(),
    width: dxa(room.available),
    ...edge,
  });
}

import {
  BorderStyle,
  HeightRule,
  LineRuleType,
  Paragraph,
  Table,
  TableCell,
  TableLayoutType,
  TableRow,
  VerticalAlignTable,
  WidthType,
  type IBordersOptions,
  type ITableCellOptions,
  type ITableRowOptions,
} from 'docx';
import { columnsFor, isTight, needOf, sum, WIDER, type Column } from './column-widths.ts';
import { contentBox } from './content-box.ts';
import { bordersOf, MARKER_WIDTH, SLACK, type Flow, type Room } from './flow.ts';
import { isInline } from './inline.ts';
import type { LaidOut, Style } from './snapshot-tree.ts';
import { fillOf, pixels, SIDES, twips } from './units.ts';

const NO_BORDER = { style: BorderStyle.NONE, size: 0, color: 'auto' } as const;
const NO_BORDERS = Object.fromEntries(
  [...SIDES, 'insideHorizontal', 'insideVertical'].map((side) => [side, NO_BORDER]),
);
const NO_MARGINS = { marginUnitType: WidthType.DXA, top: 0, bottom: 0, left: 0, right: 0 } as const;
/** Boxes whose tops differ by less than this are in the same row, in CSS pixels. */
const SAME_ROW = 2;
/** Maximum number of columns in Word. */
const MAX_COLUMNS = 63;
/**
 * Maximum depth of nested tables, because programs take far longer for each level. Deeper content stays without table
 * styling.
 */
const DEEPEST = 16;

/**
 * Adds a node that can only be shown as a table, and returns whether it is one: a table, boxes side by side, or a box
 * around blocks.
 */
export function addAsTable(node: LaidOut, flow: Flow): boolean {
  if (flow.depth >= DEEPEST) {
    if (node.style.display === 'table') {
      flow.shared.findings.unsupported(`more than ${DEEPEST} nested tables`, 'The content is stacked.', node);
    }
    return false;
  }
  if (node.style.display === 'table') addTable(node, flow);
  else if (isRowOfBoxes(node)) addRowsOfBoxes(node, flow);
  else if (isBoxAroundBlocks(node)) addBox(node, flow);
  else return false;
  return true;
}

/** A row of the file. */
type Cells = Omit<ITableRowOptions, 'children'> & { readonly children: readonly TableCell[] };

interface Row {
  readonly node: LaidOut;
  readonly group: LaidOut | undefined;
  readonly cells: LaidOut[];
}

function addTable(table: LaidOut, flow: Flow): void {
  for (const caption of table.children) if (caption.style.display === 'table-caption') flow.addBlock(caption);
  const all = rowsOf(table);
  const grid = new Grid(all);
  const rows = all.filter((row) => grid.has(row));
  if (rows.length === 0 || grid.columns === 0 || grid.columns > MAX_COLUMNS) {
    if (grid.columns > MAX_COLUMNS) {
      flow.shared.findings.unsupported(`more than ${MAX_COLUMNS} columns`, 'The cells are stacked.', table);
    }
    for (const { cells } of rows) for (const cell of cells) flow.addChildren(cell);
    return;
  }
  const widths = fitted(grid.columnsOf(table.box.width), table, flow);
  const made = rows.map((row) => rowOf(row, table, { flow, grid, widths }));
  flow.addTable(tableOf(made, widths, { flow, node: table }), table.box.y);
}

/** Widths in CSS pixels of columns that fit into the flow. */
function fitted(columns: readonly Column[], node: LaidOut, flow: Flow): number[] {
  const { findings, pageWidth } = flow.shared;
  const room = flow.available - flow.indentOf(node.box, node.style);
  if (node.box.x + node.box.width > pageWidth + SLACK && node.box.width > room + SLACK) {
    findings.tooWide(node, pageWidth);
  }
  const [first] = columns;
  if (!first || !flow.hasMarker) return columnsFor(columns, room);
  const marked = { width: first.width + MARKER_WIDTH, need: first.need + MARKER_WIDTH };
  return columnsFor([marked, ...columns.slice(1)], room);
}

/** Returns rows in display order: head first, foot last. */
function rowsOf(table: LaidOut): Row[] {
  const order = (node: LaidOut) =>
    ({ 'table-header-group': 0, 'table-footer-group': 2 })[node.style.display] ?? 1;
  const parts = [...table.children].toSorted((one, other) => order(one) - order(other));
  return parts.flatMap((part): Row[] => {
    if (part.style.display === 'table-row') return [{ node: part, group: undefined, cells: cellsOf(part) }];
    const rows = part.children.filter(({ style }) => style.display === 'table-row');
    return rows.map((node) => ({ node, group: part, cells: cellsOf(node) }));
  });
}

function cellsOf(row: LaidOut): LaidOut[] {
  return row.children.filter(({ style }) => style.display === 'table-cell');
}

interface Place {
  readonly column: number;
  readonly columns: number;
  /** Index of its row, and the number of rows that are shown. */
  readonly row: number;
  rows: number;
}

/** Columns of each cell (HTML, "Forming a table"). */
class Grid {
  readonly columns: number;
  readonly #places = new Map<LaidOut, Place>();
  readonly #empty = new Set<Row>();

  constructor(rows: readonly Row[]) {
    const taken: number[] = [];
    const emptyBefore = [0];
    for (const [index, row] of rows.entries()) {
      if (row.cells.length === 0 && isCovered(row, taken, index)) this.#empty.add(row);
      for (const cell of row.cells) this.#place(cell, taken, { index, left: rows.length - index });
      emptyBefore.push(this.#empty.size);
    }
    this.columns = Math.min(taken.length, MAX_COLUMNS + 1);
    for (const place of this.#places.values()) {
      const empty = (emptyBefore[place.row + place.rows] ?? 0) - (emptyBefore[place.row] ?? 0);
      place.rows -= empty;
    }
  }

  of(cell: LaidOut): Place {
    return this.#places.get(cell) ?? { column: 0, columns: 1, row: 0, rows: 1 };
  }

  /** Whether a row is shown: a browser shows none for a row that has only cells of earlier rows. */
  has(row: Row): boolean {
    return !this.#empty.has(row);
  }

  /** Columns without a cell of their own share the remaining width. */
  columnsOf(whole: number): Column[] {
    const widths: number[] = [];
    const needs: number[] = [];
    for (const [cell, { column, columns }] of this.#places) {
      if (columns > 1) continue;
      const width = cell.box.width * (isTight(cell) ? WIDER : 1);
      widths[column] = Math.max(widths[column] ?? 0, width);
      needs[column] = Math.max(needs[column] ?? 0, needOf(cell));
    }
    const known = widths.filter((width) => width !== undefined);
    const left = Math.max(1, whole - sum(known));
    const open = Math.max(1, this.columns - known.length);
    return Array.from({ length: this.columns }, (_, column) => ({
      width: Math.max(1, widths[column] ?? left / open),
      need: needs[column] ?? 1,
    }));
  }

  /** `taken`: for each column, the first row in which it is free. */
  #place(cell: LaidOut, taken: number[], row: { index: number; left: number }): void {
    let column = 0;
    while (column <= MAX_COLUMNS && (taken[column] ?? 0) > row.index) column += 1;
    const columns = span(cell.attributes['colspan'], MAX_COLUMNS);
    const rows = Math.min(row.left, span(cell.attributes['rowspan'], row.left));
    for (let at = column; at < column + columns; at += 1) taken[at] = row.index + rows;
    this.#places.set(cell, { column, columns, row: row.index, rows });
  }
}

/** Whether a row without cells has no height, or that of cells of earlier rows. */
function isCovered({ node }: Row, taken: readonly number[], index: number): boolean {
  return node.box.height < 1 || taken.some((free) => free > index);
}

/** Zero means all that are left. */
function span(text: string | undefined, all: number): number {
  const value = Number.parseInt(text ?? '1', 10);
  if (value === 0) return all;
  return Math.min(all, Math.max(1, Number.isNaN(value) ? 1 : value));
}

function rowOf(
  row: Row,
  table: LaidOut,
  { flow, grid, widths }: { flow: Flow; grid: Grid; widths: readonly number[] },
): Cells {
  for (const node of [row.group, row.node]) if (node) flow.shared.anchors.note(node);
  const children = row.cells.map((cell) => {
    flow.shared.anchors.note(cell);
    const { column, columns, rows } = grid.of(cell);
    const width = sum(widths.slice(column, column + columns));
    const behind = [cell, row.node, row.group, table].filter((node) => node !== undefined);
    return new TableCell({
      children: contentOf(cell, flow, { width }),
      width: dxa(width),
      ...(columns > 1 && { columnSpan: columns }),
      ...(rows > 1 && { rowSpan: rows }),
      ...paddingOf(cell.style),
      ...looksOf(behind),
      verticalAlign: VERTICAL[cell.style['vertical-align']] ?? VerticalAlignTable.TOP,
    });
  });
  const isHead = row.group?.style.display === 'table-header-group';
  const inOnePiece = [row.node, row.group].some((node) => node?.style['break-inside'] === 'avoid');
  return {
    children: children.length > 0 ? children : [emptyCell(grid.columns)],
    ...(children.length === 0 && { height: { value: twips(row.node.box.height), rule: HeightRule.ATLEAST } }),
    ...(isHead && { tableHeader: true }),
    ...(inOnePiece && { cantSplit: true }),
  };
}

function emptyCell(columns: number): TableCell {
  const line = new Paragraph({ spacing: { before: 0, after: 0, line: 20, lineRule: LineRuleType.EXACT } });
  return new TableCell({ children: [line], ...(columns > 1 && { columnSpan: columns }) });
}

const VERTICAL: Readonly<Record<string, (typeof VerticalAlignTable)[keyof typeof VerticalAlignTable]>> = {
  middle: VerticalAlignTable.CENTER,
  bottom: VerticalAlignTable.BOTTOM,
};

/** Returns a width of CSS pixels. */
function dxa(width: number) {
  return { size: twips(width), type: WidthType.DXA } as const;
}

/** `width` is that of the cell, which may be narrower than in the browser. */
function contentOf(
  cell: LaidOut,
  flow: Flow,
  { width, top }: { width: number; top?: number },
): ReturnType<Flow['ended']> {
  const content = contentBox(cell);
  const edges = cell.box.width - content.width;
  const inner = flow.inner({ ...content, available: Math.max(1, width - edges) }, top);
  inner.addChildren(withoutLooks(cell));
  return inner.ended();
}

/** Removes background, borders and padding, which belong to the cell and not to the paragraphs in it. */
function withoutLooks(node: LaidOut): LaidOut {
  const style: Style = {
    ...node.style,
    'background-color': 'rgba(0, 0, 0, 0)',
    'background-image': 'none',
    ...WITHOUT_EDGES,
  };
  return { ...node, style, box: contentBox(node) };
}

const WITHOUT_EDGES = Object.fromEntries(
  SIDES.flatMap((side) => [`border-${side}-width`, `padding-${side}`]).map((name) => [name, '0px']),
);

/** The first of cell, row, group and table with a background, or a border on a side, determines it. */
function looksOf(nodes: readonly LaidOut[]): Pick<ITableCellOptions, 'borders' | 'shading'> {
  const fill = nodes.map(({ style }) => fillOf(style)).find((colour) => colour);
  const [cell, row] = nodes;
  const outer = row && row.style.display === 'table-row' ? bordersOf(row.style) : undefined;
  const borders: IBordersOptions = {
    ...(outer?.top && { top: outer.top }),
    ...(outer?.bottom && { bottom: outer.bottom }),
    ...(cell && bordersOf(cell.style)),
  };
  return { borders, ...(fill !== undefined && { shading: { fill } }) };
}

function paddingOf(style: Style): Pick<ITableCellOptions, 'margins'> {
  const sides = SIDES.map((side) => [side, twips(pixels(style[`padding-${side}`]))] as const);
  return { margins: { marginUnitType: WidthType.DXA, ...Object.fromEntries(sides) } };
}

/**
 * Programs place a table from right to left at different margins, so an empty column fills the rest of its line, and
 * another one the indent.
 */
function tableOf(
  rows: readonly Cells[],
  widths: readonly number[],
  { flow, node: { box, style } }: { flow: Flow; node: LaidOut },
): Table {
  const isRtl = style.direction === 'rtl' && widths.length > 1;
  const indent = flow.indentOf(box, { direction: isRtl ? 'rtl' : 'ltr' });
  const rest = flow.available - indent - sum(widths);
  const columns = isRtl ? [indent, ...widths, rest].filter((width) => width > SLACK) : widths;
  const before = isRtl && indent > SLACK ? [emptyCell(1)] : [];
  const after = isRtl && rest > SLACK ? [emptyCell(1)] : [];
  return new Table({
    rows: rows.map((row) => new TableRow({ ...row, children: [...before, ...row.children, ...after] })),
    columnWidths: columns.map(twips),
    width: dxa(sum(columns)),
    ...(isRtl ? { visuallyRightToLeft: true } : { indent: dxa(indent) }),
    layout: TableLayoutType.FIXED,
    borders: NO_BORDERS,
    margins: NO_MARGINS,
  });
}

/** Whether a flex container or a grid has boxes side by side. */
function isRowOfBoxes({ style, children }: LaidOut): boolean {
  if (!/^(?:inline-)?(?:flex|grid)$/.test(style.display)) return false;
  const boxes = children.filter(isShown);
  const rows = inRows(boxes);
  return rows.some((row) => row.length > 1) && rows.every((row) => row.length <= MAX_COLUMNS);
}

/** A text between boxes is a box too, unless it is only white space. */
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

function addRowsOfBoxes(node: LaidOut, flow: Flow): void {
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
 * cell starts at the container's edge. In text from right to left, the first one is on the right.
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
  const columns = boxes.map((child, index): Column => {
    const width = Math.max(1, (starts[index + 1] ?? node.box.width) - (starts[index] ?? 0));
    return { width: isTight(child) ? width * WIDER : width, need: needOf(child) };
  });
  const widths = fitted(columns, node, flow);
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

/**
 * A border or a background around several blocks, or a background with padding around text, becomes a table with one
 * cell. Headings stay headings.
 */
function isBoxAroundBlocks({ style, children, name }: LaidOut): boolean {
  if (/^(?:body|html|h[1-6])$/.test(name) || style.display.startsWith('table')) return false;
  const hasBackground = fillOf(style) !== undefined;
  if (children.every(isInline)) return hasBackground && pixels(style['padding-left']) > 0;
  return hasBackground || bordersOf(style) !== undefined;
}

function addBox(node: LaidOut, flow: Flow): void {
  const widths = fitted([{ width: node.box.width, need: needOf(node) }], node, flow);
  const [width = 1] = widths;
  const cell = new TableCell({
    children: contentOf(node, flow, { width, top: contentBox(node).y }),
    width: dxa(width),
    ...paddingOf(node.style),
    ...looksOf([node]),
  });
  flow.addTable(tableOf([{ children: [cell] }], widths, { flow, node }), node.box.y);
}

import {
  BorderStyle,
  Paragraph,
  Table,
  TableCell,
  TableLayoutType,
  TableRow,
  VerticalAlignTable,
  WidthType,
  type IBordersOptions,
  type ITableCellOptions,
} from 'docx';
import { bordersOf, contentBox, Flow, SLACK } from './flow.ts';
import { isInline } from './inline.ts';
import type { LaidOut, Style } from './snapshot-tree.ts';
import { hexColour, pixels, SIDES, twips } from './units.ts';

const NO_BORDER = { style: BorderStyle.NONE, size: 0, color: 'auto' } as const;
const NO_BORDERS = Object.fromEntries(
  [...SIDES, 'insideHorizontal', 'insideVertical'].map((side) => [side, NO_BORDER]),
);
const NO_MARGINS = { marginUnitType: WidthType.DXA, top: 0, bottom: 0, left: 0, right: 0 } as const;
/** Boxes whose tops differ by less than this are in the same row, in CSS pixels. */
const SAME_ROW = 2;
/** Maximum number of columns in Word. */
const MOST_COLUMNS = 63;
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
  if (flow.depth >= DEEPEST) return false;
  if (node.style.display === 'table') addTable(node, flow);
  else if (isRowOfBoxes(node)) addRowsOfBoxes(node, flow);
  else if (isBoxAroundBlocks(node)) addBox(node, flow);
  else return false;
  return true;
}

interface Row {
  readonly node: LaidOut;
  readonly group: LaidOut | undefined;
  readonly cells: LaidOut[];
}

function addTable(table: LaidOut, flow: Flow): void {
  for (const caption of table.children) if (caption.style.display === 'table-caption') flow.addBlock(caption);
  const rows = rowsOf(table);
  const grid = new Grid(rows);
  if (rows.length === 0 || grid.columns === 0 || grid.columns > MOST_COLUMNS) {
    for (const { cells } of rows) for (const cell of cells) flow.addChildren(cell);
    return;
  }
  const widths = grid.widths(table.box.width);
  const made = rows.map((row) => rowOf(row, table, { flow, grid, widths }));
  flow.addTable(tableOf(made, widths, flow.indentOf(table.box.x)), table.box.y);
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

/** Columns of each cell (HTML, "Forming a table"). */
class Grid {
  readonly columns: number;
  readonly #places = new Map<LaidOut, { column: number; columns: number; rows: number }>();

  constructor(rows: readonly Row[]) {
    const taken: number[] = [];
    for (const [index, { cells }] of rows.entries()) {
      for (const cell of cells) this.#place(cell, taken, { index, left: rows.length - index });
    }
    this.columns = Math.min(taken.length, MOST_COLUMNS + 1);
  }

  of(cell: LaidOut) {
    return this.#places.get(cell) ?? { column: 0, columns: 1, rows: 1 };
  }

  /** Column widths in CSS pixels; columns without a cell of their own share the remaining width. */
  widths(whole: number): number[] {
    const widths: number[] = [];
    for (const [cell, { column, columns }] of this.#places) {
      if (columns === 1) widths[column] ??= cell.box.width;
    }
    const known = widths.filter((width) => width !== undefined);
    const left = Math.max(1, whole - known.reduce((sum, width) => sum + width, 0));
    const open = Math.max(1, this.columns - known.length);
    return Array.from({ length: this.columns }, (_, column) => Math.max(1, widths[column] ?? left / open));
  }

  /** `taken`: for each column, the first row in which it is free. */
  #place(cell: LaidOut, taken: number[], row: { index: number; left: number }): void {
    let column = 0;
    while (column <= MOST_COLUMNS && (taken[column] ?? 0) > row.index) column += 1;
    const columns = span(cell.attributes['colspan'], MOST_COLUMNS);
    const rows = Math.min(row.left, span(cell.attributes['rowspan'], row.left));
    for (let at = column; at < column + columns; at += 1) taken[at] = row.index + rows;
    this.#places.set(cell, { column, columns, rows });
  }
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
): TableRow {
  const children = row.cells.map((cell) => {
    const { column, columns, rows } = grid.of(cell);
    const width = widths.slice(column, column + columns).reduce((sum, value) => sum + value, 0);
    const behind = [cell, row.node, row.group, table].filter((node) => node !== undefined);
    return new TableCell({
      children: contentOf(cell, flow),
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
  return new TableRow({
    children: children.length > 0 ? children : [new TableCell({ children: [new Paragraph({})] })],
    ...(isHead && { tableHeader: true }),
    ...(inOnePiece && { cantSplit: true }),
  });
}

const VERTICAL: Readonly<Record<string, (typeof VerticalAlignTable)[keyof typeof VerticalAlignTable]>> = {
  middle: VerticalAlignTable.CENTER,
  bottom: VerticalAlignTable.BOTTOM,
};

/** Returns a width of CSS pixels. */
function dxa(width: number) {
  return { size: twips(width), type: WidthType.DXA } as const;
}

function contentOf(cell: LaidOut, { shared, depth }: Flow, top?: number): ReturnType<Flow['ended']> {
  const content = contentBox(cell);
  const inner = new Flow(shared, { ...content, depth: depth + 1 }, top);
  inner.addChildren(withoutLooks(cell));
  return inner.ended();
}

/** Removes background, borders and padding, which belong to the cell and not to the paragraphs in it. */
function withoutLooks(node: LaidOut): LaidOut {
  const style: Style = { ...node.style, 'background-color': 'rgba(0, 0, 0, 0)', ...WITHOUT_EDGES };
  return { ...node, style, box: contentBox(node) };
}

const WITHOUT_EDGES = Object.fromEntries(
  SIDES.flatMap((side) => [`border-${side}-width`, `padding-${side}`]).map((name) => [name, '0px']),
);

/** The first of cell, row, group and table with a background, or a border on a side, determines it. */
function looksOf(nodes: readonly LaidOut[]): Pick<ITableCellOptions, 'borders' | 'shading'> {
  const fill = nodes.map(({ style }) => hexColour(style['background-color'])).find((colour) => colour);
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

function tableOf(rows: TableRow[], widths: readonly number[], indent: number): Table {
  return new Table({
    rows,
    columnWidths: widths.map(twips),
    width: dxa(widths.reduce((sum, width) => sum + width, 0)),
    indent: dxa(indent),
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
  return rows.some((row) => row.length > 1) && rows.every((row) => row.length <= MOST_COLUMNS);
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
  const fill = hexColour(style['background-color']);
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
 * cell starts at the container's edge.
 */
function rowOfBoxes(
  { box }: LaidOut,
  row: readonly LaidOut[],
  { flow, edge }: { flow: Flow; edge: Edge },
): Table {
  const starts = row.map((child, index) => (index === 0 ? box.x : startOf(child, row[index - 1])));
  const cells = row.map((child, index) => {
    const x = starts[index] ?? box.x;
    return { child, x, width: Math.max(1, (starts[index + 1] ?? box.x + box.width) - x) };
  });
  const made = cells.map((cell) => cellOfBox(cell, flow, edge));
  const widths = cells.map(({ width }) => width);
  return tableOf([new TableRow({ children: made })], widths, flow.indentOf(box.x));
}

/** Returns a position slightly before the box if there is space. */
function startOf({ box }: LaidOut, before: LaidOut | undefined): number {
  const gap = before ? Math.max(0, box.x - before.box.x - before.box.width) : 0;
  return box.x - Math.min(gap / 2, SLACK + box.width * 0.03);
}

function cellOfBox(
  { child, x, width }: { child: LaidOut; x: number; width: number },
  { shared, depth }: Flow,
  edge: Edge,
): TableCell {
  const inner = new Flow(shared, { x, width, depth: depth + 1 }, undefined);
  if (isInline(child)) inner.addChildren({ ...child, children: [child] });
  else inner.addBlock(child);
  return new TableCell({
    children: inner.ended(),
    width: dxa(width),
    ...edge,
  });
}

/**
 * A border or a background around several blocks, or a background with padding around text, becomes a table with one
 * cell. Headings stay headings.
 */
function isBoxAroundBlocks({ style, children, name }: LaidOut): boolean {
  if (/^(?:body|html|h[1-6])$/.test(name) || style.display.startsWith('table')) return false;
  const hasBackground = hexColour(style['background-color']) !== undefined;
  if (children.every(isInline)) return hasBackground && pixels(style['padding-left']) > 0;
  return hasBackground || bordersOf(style) !== undefined;
}

function addBox(node: LaidOut, flow: Flow): void {
  const cell = new TableCell({
    children: contentOf(node, flow, contentBox(node).y),
    width: dxa(node.box.width),
    ...paddingOf(node.style),
    ...looksOf([node]),
  });
  const row = new TableRow({ children: [cell] });
  flow.addTable(tableOf([row], [node.box.width], flow.indentOf(node.box.x)), node.box.y);
}

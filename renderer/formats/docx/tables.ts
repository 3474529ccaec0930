import {
  HeightRule,
  TableCell,
  VerticalAlignTable,
  WidthType,
  type IBorderOptions,
  type IBordersOptions,
  type ITableCellOptions,
} from 'docx';
import { needOf, sum } from './column-widths.ts';
import { contentBox } from './content-box.ts';
import { bordersOf, type Flow } from './flow.ts';
import { isInline } from './inline.ts';
import { addRowsOfBoxes, isRowOfBoxes } from './rows-of-boxes.ts';
import type { LaidOut, Style } from './snapshot-tree.ts';
import { Grid, MAX_COLUMNS, rowsOf, type Row } from './table-grid.ts';
import { fillOf, pixels, SIDES, twips } from './units.ts';
import { dxa, emptyCell, fitted, isRightToLeft, tableOf, type Cells } from './word-table.ts';

/**
 * Maximum depth of nested tables, because programs become far slower with each level. Deeper content gets no table
 * styling.
 */
const DEEPEST = 16;

/**
 * Adds a node that can only be shown as a table, and returns whether it is one: a table, adjacent boxes, or a box
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

function addTable(table: LaidOut, flow: Flow): void {
  const captions = table.children.filter(({ style }) => style.display === 'table-caption');
  for (const caption of captions) if (isAbove(caption, table)) flow.addBlock(caption);
  addRows(table, flow);
  for (const caption of captions.filter((each) => !isAbove(each, table))) {
    flow.bottom = caption.box.y;
    flow.addBlock(caption);
  }
}

/** `caption-side` may put a caption below the rows. */
function isAbove(caption: LaidOut, { children }: LaidOut): boolean {
  return children.every(({ style, box }) => style.display === 'table-caption' || box.y >= caption.box.y);
}

function addRows(table: LaidOut, flow: Flow): void {
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

function rowOf(
  row: Row,
  table: LaidOut,
  { flow, grid, widths }: { flow: Flow; grid: Grid; widths: readonly number[] },
): Cells {
  for (const node of [row.group, row.node]) if (node) flow.shared.anchors.note(node);
  const isMirrored = isRightToLeft(table.style, grid.columns);
  let start: IBorderOptions | undefined;
  const children = row.cells.map((cell) => {
    flow.shared.anchors.note(cell);
    const { column, columns, rows } = grid.of(cell);
    const width = sum(widths.slice(column, column + columns));
    const behind = [cell, row.node, row.group, table].filter((node) => node !== undefined);
    const looks = looksOf(behind, grid.edgesOf(cell, table.style));
    const borders = isMirrored ? mirrored(looks.borders) : looks.borders;
    if (column === 0) start = borders.left;
    return new TableCell({
      children: contentOf(cell, flow, { width }),
      width: dxa(width),
      ...(columns > 1 && { columnSpan: columns }),
      ...(rows > 1 && { rowSpan: rows }),
      ...paddingOf(cell.style),
      ...looks,
      borders,
      verticalAlign: VERTICAL[cell.style['vertical-align']] ?? VerticalAlignTable.TOP,
    });
  });
  const isHead = row.group?.style.display === 'table-header-group';
  const inOnePiece = [row.node, row.group].some((node) => node?.style['break-inside'] === 'avoid');
  return {
    children: children.length > 0 ? children : [emptyCell(grid.columns)],
    start,
    ...heightOf(row, children.length === 0),
    ...(isHead && { tableHeader: true }),
    ...(inOnePiece && { cantSplit: true }),
  };
}

/** Taller rows are as tall as their content, so that they break between pages. In CSS pixels. */
const MAX_ROW_HEIGHT = 300;

function heightOf({ node }: Row, isEmpty: boolean): Pick<Cells, 'height'> {
  const { height } = node.box;
  if (!isEmpty && height > MAX_ROW_HEIGHT) return {};
  return { height: { value: twips(height), rule: HeightRule.ATLEAST } };
}

const VERTICAL: Readonly<Record<string, (typeof VerticalAlignTable)[keyof typeof VerticalAlignTable]>> = {
  middle: VerticalAlignTable.CENTER,
  bottom: VerticalAlignTable.BOTTOM,
};

/** `width` is the cell's, which may be narrower than in the browser. */
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

/**
 * The first of the cell, row, group and table that has a background, or a border on a side, determines it. `edges`:
 * borders of the table at the cell.
 */
function looksOf(
  nodes: readonly LaidOut[],
  edges: IBordersOptions = {},
): { readonly borders: IBordersOptions } & Pick<ITableCellOptions, 'shading'> {
  const fill = nodes.map(({ style }) => fillOf(style)).find((colour) => colour);
  const [cell, row] = nodes;
  const outer = row && row.style.display === 'table-row' ? bordersOf(row.style) : undefined;
  const borders: IBordersOptions = {
    ...edges,
    ...(outer?.top && { top: outer.top }),
    ...(outer?.bottom && { bottom: outer.bottom }),
    ...(cell && bordersOf(cell.style)),
  };
  return { borders, ...(fill !== undefined && { shading: { fill } }) };
}

function mirrored({ left, right, ...others }: IBordersOptions): IBordersOptions {
  return { ...others, ...(right && { left: right }), ...(left && { right: left }) };
}

function paddingOf(style: Style): Pick<ITableCellOptions, 'margins'> {
  const sides = SIDES.map((side) => [side, twips(pixels(style[`padding-${side}`]))] as const);
  return { margins: { marginUnitType: WidthType.DXA, ...Object.fromEntries(sides) } };
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

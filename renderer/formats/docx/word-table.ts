import {
  BorderStyle,
  LineRuleType,
  Paragraph,
  Table,
  TableCell,
  TableLayoutType,
  TableRow,
  WidthType,
  type IBorderOptions,
  type ITableRowOptions,
} from 'docx';
import { columnsFor, sum, type Column } from './column-widths.ts';
import { SLACK, type Flow } from './flow.ts';
import type { LaidOut, Style } from './snapshot-tree.ts';
import { SIDES, twips } from './units.ts';

const NO_BORDER = { style: BorderStyle.NONE, size: 0, color: 'auto' } as const;
const NO_BORDERS = Object.fromEntries(
  [...SIDES, 'insideHorizontal', 'insideVertical'].map((side) => [side, NO_BORDER]),
);
/** Cell margins. */
export const NO_MARGINS = { marginUnitType: WidthType.DXA, top: 0, bottom: 0, left: 0, right: 0 } as const;

/** A row in the file. */
export type Cells = Omit<ITableRowOptions, 'children'> & {
  readonly children: readonly TableCell[];
  /** Border at the start of the row; LibreOffice draws it for the preceding column. */
  readonly start?: IBorderOptions | undefined;
};

/** Whether programs show the first column on the right. They swap the left and right borders of such cells. */
export function isRightToLeft({ direction }: Pick<Style, 'direction'>, columns: number): boolean {
  return direction === 'rtl' && columns > 1;
}

/** Returns a width given in CSS pixels. */
export function dxa(width: number) {
  return { size: twips(width), type: WidthType.DXA } as const;
}

/** Returns a cell of minimum height. */
export function emptyCell(columns: number, right?: IBorderOptions): TableCell {
  const line = new Paragraph({ spacing: { before: 0, after: 0, line: 20, lineRule: LineRuleType.EXACT } });
  return new TableCell({
    children: [line],
    ...(columns > 1 && { columnSpan: columns }),
    ...(right && { borders: { right } }),
  });
}

/** Returns column widths that fit into the flow, in CSS pixels. */
export function fitted(columns: readonly Column[], node: LaidOut, flow: Flow): number[] {
  const { findings, pageWidth } = flow.shared;
  const room = flow.available - flow.indentOf(node.box, node.style);
  if (node.box.x + node.box.width > pageWidth + SLACK && node.box.width > room + SLACK) {
    findings.tooWide(node, pageWidth);
  }
  const [first] = columns;
  const { markerWidth } = flow;
  if (!first || markerWidth === 0) return columnsFor(columns, room);
  const marked = { width: first.width + markerWidth, need: first.need + markerWidth };
  return columnsFor([marked, ...columns.slice(1)], room);
}

/**
 * Returns a table of rows. Programs align a right-to-left table to different margins, so one empty column fills the
 * rest of its line, and another the indent.
 */
export function tableOf(
  rows: readonly Cells[],
  widths: readonly number[],
  { flow, node: { box, style } }: { flow: Flow; node: LaidOut },
): Table {
  const isRtl = isRightToLeft(style, widths.length);
  const indent = flow.indentOf(box, { direction: isRtl ? 'rtl' : 'ltr' });
  const rest = flow.available - indent - sum(widths);
  const columns = isRtl ? [indent, ...widths, rest].filter((width) => width > SLACK) : widths;
  const hasBefore = isRtl && indent > SLACK;
  const after = isRtl && rest > SLACK ? [emptyCell(1)] : [];
  return new Table({
    rows: rows.map(({ start, ...row }) => {
      const before = hasBefore ? [emptyCell(1, start)] : [];
      return new TableRow({ ...row, children: [...before, ...row.children, ...after] });
    }),
    columnWidths: columns.map(twips),
    width: dxa(sum(columns)),
    ...(isRtl ? { visuallyRightToLeft: true } : { indent: dxa(indent) }),
    layout: TableLayoutType.FIXED,
    borders: NO_BORDERS,
    margins: NO_MARGINS,
  });
}

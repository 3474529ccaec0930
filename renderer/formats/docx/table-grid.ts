import { isTight, needOf, sum, WIDER, type Column } from './column-widths.ts';
import type { IBordersOptions } from 'docx';
import { bordersOf } from './flow.ts';
import type { LaidOut, Style } from './snapshot-tree.ts';

/** Maximum number of columns in Word. */
export const MAX_COLUMNS = 63;

/** A row in the document. */
export interface Row {
  readonly node: LaidOut;
  readonly group: LaidOut | undefined;
  readonly cells: LaidOut[];
}

/** Returns rows in display order: head first, foot last. */
export function rowsOf(table: LaidOut): Row[] {
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
  /** Index of the cell's row, and the number of visible rows that it spans. */
  readonly row: number;
  rows: number;
}

/** Columns of each cell (HTML, "Forming a table"). */
export class Grid {
  readonly columns: number;
  readonly #places = new Map<LaidOut, Place>();
  readonly #empty = new Set<Row>();
  readonly #rows: number;

  constructor(rows: readonly Row[]) {
    this.#rows = rows.length;
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

  /** Returns the borders of the table on the sides of a cell that are at its edge. */
  edgesOf(cell: LaidOut, table: Style): IBordersOptions {
    const { column, columns, row, rows } = this.of(cell);
    const [starts, ends] = [column === 0, column + columns >= this.columns];
    const isRtl = table.direction === 'rtl';
    const isAt: Readonly<Record<string, boolean>> = {
      top: row === 0,
      right: isRtl ? starts : ends,
      bottom: row + rows >= this.#rows,
      left: isRtl ? ends : starts,
    };
    return Object.fromEntries(Object.entries(bordersOf(table) ?? {}).filter(([side]) => isAt[side]));
  }

  /** Whether a row is shown: browsers do not show a row that contains only cells from earlier rows. */
  has(row: Row): boolean {
    return !this.#empty.has(row);
  }

  /** Columns without a single-column cell share the remaining width. */
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

/** Whether a row without cells has no height, or only the height of cells from earlier rows. */
function isCovered({ node }: Row, taken: readonly number[], index: number): boolean {
  return node.box.height < 1 || taken.some((free) => free > index);
}

/** Zero means `all`. */
function span(text: string | undefined, all: number): number {
  const value = Number.parseInt(text ?? '1', 10);
  if (value === 0) return all;
  return Math.min(all, Math.max(1, Number.isNaN(value) ? 1 : value));
}

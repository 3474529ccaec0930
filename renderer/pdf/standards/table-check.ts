import type { SlicedWork } from '../../time-slices.ts';
import type { Report } from './report.ts';
import type { CheckedRule } from './rule-at-level.ts';
import type { StructureElement, StructureTree } from './structure-tree.ts';

/** Types of elements that contain table rows. */
const ROW_GROUPS = ['THead', 'TBody', 'TFoot'];

/** Returns the rows of a table, in order. */
export function rowsOf(tree: StructureTree, table: StructureElement): StructureElement[] {
  return tree
    .kids(table)
    .flatMap((kid) => (ROW_GROUPS.includes(kid.type) ? tree.kids(kid) : [kid]))
    .filter(({ type }) => type === 'TR');
}

/** A cell's size, in columns and rows. */
interface CellSize {
  readonly columns: number;
  readonly rows: number;
}

/** Structure information about a table cell. */
export interface TableCell extends CellSize {
  readonly isHeader: boolean;
  /** For a header: whether it says which cells it describes. */
  readonly hasScope: boolean;
}

/** Returns an element's information about a cell; undefined if the element is not a cell. */
export function cellOf(tree: StructureTree, element: StructureElement): TableCell | undefined {
  if (element.type !== 'TH' && element.type !== 'TD') return undefined;
  const attributes = tree.entries(element).get('A');
  const text = attributes ? tree.file.text(attributes) : '';
  const span = (name: string) => Number(new RegExp(`/${name} (\\d+)`).exec(text)?.[1] ?? 1);
  return {
    isHeader: element.type === 'TH',
    columns: span('ColSpan'),
    rows: span('RowSpan'),
    hasScope: /\/Scope\b/.test(text),
  };
}

/**
 * Checks that every row of a table has the same number of columns (ISO 14289-1, 7.2; 14.8.4.3.4 of ISO 32000-1), and
 * that headers say which cells they describe (7.5).
 */
export function* checkTable(tree: StructureTree, table: StructureElement, report: Report): SlicedWork<void> {
  const rows: TableCell[][] = [];
  for (const row of rowsOf(tree, table)) {
    rows.push(tree.kids(row).flatMap((element) => cellOf(tree, element) ?? []));
    yield;
  }
  const fault = yield* gridFault(rows);
  if (fault) report(fault.rule, fault.what);
  if (rows.flat().some(({ isHeader, hasScope }) => isHeader && !hasScope)) {
    report('7.5-1', 'a header cell of a table does not say which cells it describes');
  }
}

/** A problem with the cells of a table. */
export interface GridFault {
  readonly rule: CheckedRule;
  readonly what: string;
}

/** Returns the first row that does not have as many columns as the first one, including cells that span several. */
export function* gridFault(rows: readonly (readonly CellSize[])[]): SlicedWork<GridFault | undefined> {
  const width = (rows[0] ?? []).reduce((sum, { columns }) => sum + columns, 0);
  if (width > MAX_COLUMNS) return { rule: '7.2-43', what: `a table has more than ${MAX_COLUMNS} columns` };
  /** For each column, the number of rows, from the current one on, that cells in earlier rows cover. */
  const covered = Array.from({ length: width }, () => 0);
  for (const [index, row] of rows.entries()) {
    const fault = placeRow(row, covered, index);
    if (fault) return fault;
    if (row.some((cell) => index + cell.rows > rows.length)) {
      return { rule: '7.2-41', what: `row ${index + 1} of a table spans rows that do not exist` };
    }
    yield;
  }
  return undefined;
}

/** No printed table has more columns. */
const MAX_COLUMNS = 10_000;

/** Places a row's cells in the free columns, and checks that they fill them. */
function placeRow(row: readonly CellSize[], covered: number[], index: number): GridFault | undefined {
  const ragged = `row ${index + 1} of a table does not have ${covered.length} columns, unlike its first row`;
  const free = covered.map((rows) => rows === 0);
  let column = 0;
  for (const { columns, rows } of row) {
    while (column < covered.length && !free[column]) column += 1;
    if (column + columns > covered.length) return { rule: '7.2-43', what: ragged };
    for (const end = column + columns; column < end; column += 1) {
      if (!free[column]) return { rule: '7.2-15', what: `cells in row ${index + 1} of a table overlap` };
      covered[column] = rows;
    }
  }
  if (free.includes(true, column)) return { rule: '7.2-42', what: ragged };
  for (const [at, rows] of covered.entries()) covered[at] = Math.max(0, rows - 1);
  return undefined;
}

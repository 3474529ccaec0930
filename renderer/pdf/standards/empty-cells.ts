import type { CellShape, TableShape } from '../../browser/page/accessible-content.ts';
import type { SlicedWork } from '../../time-slices.ts';
import type { StructureEdit } from './structure-edit.ts';
import type { StructureElement, StructureTree } from './structure-tree.ts';
import { cellOf, rowsOf } from './table-check.ts';

/** A row of a table in the document, with its element, if the file has one, and its cells' elements. */
interface FilledRow {
  readonly shape: readonly CellShape[];
  readonly row: StructureElement | undefined;
  readonly cells: readonly (StructureElement | undefined)[];
}

/**
 * Adds empty cells to tables, and corrects cells that span more rows than there are. The browser writes only elements
 * with content, so cells after an empty one would be in the wrong column, and it writes `rowspan` unchanged.
 */
export class TableFill {
  readonly #tree: StructureTree;
  readonly #edit: StructureEdit;
  readonly #tables: readonly TableShape[];
  /** Number of the document's tables that precede the file's next table. */
  #passed = 0;

  constructor(tree: StructureTree, edit: StructureEdit, tables: readonly TableShape[]) {
    this.#tree = tree;
    this.#edit = edit;
    this.#tables = tables;
  }

  /** Fills a table to match the document's next table that fits. Leaves it unchanged if none fits. */
  *fill(table: StructureElement): SlicedWork<void> {
    const rows = rowsOf(this.#tree, table);
    const end = Math.min(this.#tables.length, this.#passed + MAX_SKIPPED);
    for (let index = this.#passed; index < end; index += 1) {
      yield;
      const filled = yield* this.#fit(rows, this.#tables[index]?.rows ?? []);
      if (!filled) continue;
      this.#passed = index + 1;
      yield* this.#write(table, filled);
      return;
    }
  }

  *#fit(rows: readonly StructureElement[], shapes: TableShape['rows']): SlicedWork<FilledRow[] | undefined> {
    const owners = assign(rows, shapes, (shape) => Math.max(0, ...shape.map(contentOf)));
    const filled: FilledRow[] = [];
    for (const [index, row] of owners?.entries() ?? []) {
      const shape = shapes[index] ?? [];
      const cells = row ? assign(this.#tree.kids(row), shape, contentOf) : shape.map(() => undefined);
      if (!cells?.every((cell, at) => !cell || this.#isAlike(cell, shape[at]))) return undefined;
      filled.push({ shape, row, cells });
      yield;
    }
    return owners && filled;
  }

  #isAlike(element: StructureElement, shape: CellShape | undefined): boolean {
    const cell = cellOf(this.#tree, element);
    return cell?.columns === shape?.columns && cell?.rows === shape?.rowSpan;
  }

  *#write(table: StructureElement, rows: readonly FilledRow[]): SlicedWork<void> {
    for (const { row, cells, shape } of rows) {
      yield;
      for (const [index, cell] of cells.entries()) this.#correct(cell, shape[index]);
      if (!row || !cells.includes(undefined) || !hasOnly(row, cells)) continue;
      this.#edit.setKids(row, this.#references(reference(row), cells, shape));
    }
    const captions = this.#tree.kids(table).filter(({ type }) => type === 'Caption');
    const owned = [...captions, ...rows.map(({ row }) => row)];
    if (!owned.includes(undefined) || !hasOnly(table, owned)) return;
    const references = rows.map(({ row, cells, shape }) =>
      row
        ? reference(row)
        : this.#edit.add('TR', reference(table), (added) => ({
            K: `[${this.#references(added, cells, shape).join(' ')}]`,
          })),
    );
    this.#edit.setKids(table, [...captions.map(reference), ...references]);
  }

  #correct(cell: StructureElement | undefined, shape: CellShape | undefined): void {
    if (cell && shape && shape.rows !== shape.rowSpan) this.#edit.setRows(cell, shape.rows);
  }

  #references(row: string, cells: FilledRow['cells'], shape: readonly CellShape[]): string[] {
    return cells.map((cell, index) => {
      if (cell) return reference(cell);
      const { columns = 1, rows = 1 } = shape[index] ?? {};
      const attributes = `[<</O /Table /RowSpan ${rows}>> <</O /Table /ColSpan ${columns}>>]`;
      return this.#edit.add('TD', row, () => ({ A: attributes }));
    });
  }
}

/** Number of tables to try. Tables that only arrange content are not in the file. */
const MAX_SKIPPED = 50;

/** Whether an element directly contains exactly these elements; groups of them are left unchanged. */
function hasOnly(element: StructureElement, kids: readonly (StructureElement | undefined)[]): boolean {
  const objects = new Set(kids.flatMap((kid) => kid?.object ?? []));
  return element.kids.length === objects.size && element.kids.every((kid) => objects.has(kid));
}

function reference({ object }: StructureElement): string {
  return `${object} 0 R`;
}

/** How likely a cell is to have content in the file: not at all, perhaps, or certainly. */
function contentOf({ content, isHeader }: CellShape): number {
  return content === 0 && isHeader ? 0.5 : content;
}

/**
 * Assigns elements to shapes in order. Each shape with certain content (2) gets an element; the remaining elements go
 * to other shapes, likely ones first. Returns undefined if the counts do not match.
 */
function assign<Shape>(
  elements: readonly StructureElement[],
  shapes: readonly Shape[],
  contentOfShape: (shape: Shape) => number,
): (StructureElement | undefined)[] | undefined {
  const likely = Array.from(shapes, (shape, index) => ({ index, content: contentOfShape(shape) }));
  const certain = likely.filter(({ content }) => content === 2).length;
  if (elements.length < certain || elements.length > shapes.length) return undefined;
  const used = likely
    .toSorted((a, b) => b.content - a.content || a.index - b.index)
    .slice(0, elements.length);
  const indexes = new Set(used.map(({ index }) => index));
  const rest = [...elements];
  return shapes.map((_, index) => (indexes.has(index) ? rest.shift() : undefined));
}

import type { HtmlNode } from 'html-to-text';

/** A table cell with its text. */
export interface TextCell {
  readonly element: HtmlNode;
  readonly text: string;
}

/** Maximum number of columns that a cell can span; more than in any email. */
const MAX_SPAN = 50;
/** Elements whose line breaks must be kept. */
const STRUCTURES: ReadonlySet<string> = new Set(['table', 'ul', 'ol', 'dl', 'pre', 'blockquote']);
/** Elements that may be one of several paragraphs. */
const BLOCKS: ReadonlySet<string> = new Set('p div center h1 h2 h3 h4 h5 h6 hr section article'.split(' '));

/**
 * Returns a table as text. Rows of data become lines with `|` between columns. A row that has a cell with several
 * paragraphs, a list or a table is layout: its cells are placed one after another. Columns that are empty in every row
 * are only spacing and are left out.
 */
export function tableText(rows: readonly (readonly TextCell[])[]): string {
  const grid = gridOf(rows);
  // A cell that spans the whole row does not define columns.
  const isSingle = (row: number) => rows[row]?.length === 1 && rows[row][0]?.text === grid[row]?.[0];
  const isUsed = (column: number) => grid.some((texts, row) => !isSingle(row) && texts[column]);
  const columns = Array.from(
    { length: Math.max(0, ...grid.map((texts) => texts.length)) },
    (_, index) => index,
  );
  const used = columns.filter(isUsed);
  return rows
    .map((cells, index) => {
      const texts = cells.map(({ text }) => text).filter((text) => text !== '');
      if (texts.length === 0) return '';
      if (cells.some(isLayout)) return `\n${texts.join('\n\n')}\n`;
      if (isSingle(index)) return texts.join('');
      const line = used
        .map((column) => (grid[index]?.[column] ?? '').replaceAll(/\s*\n\s*/g, ' '))
        .join(' | ');
      return line.replaceAll(/ {2,}\|/g, ' |').trim();
    })
    .filter((text) => text !== '')
    .join('\n');
}

/** The cell text in each row, by column. Layout rows and single cells have no columns. */
function gridOf(rows: readonly (readonly TextCell[])[]): string[][] {
  /** Number of rows that a cell above still spans, by column. */
  const covered: number[] = [];
  return rows.map((cells) => {
    if (cells.some(isLayout)) return [];
    const texts: string[] = [];
    for (const { element, text } of cells) {
      while (coverNext(covered, texts.length)) texts.push('');
      const [columns, below] = [spanOf(element, 'colspan'), spanOf(element, 'rowspan') - 1];
      for (let column = 0; column < columns; column += 1) {
        covered[texts.length] = below;
        texts.push(column === 0 ? text : '');
      }
    }
    while (coverNext(covered, texts.length)) texts.push('');
    return texts;
  });
}

function coverNext(covered: number[], column: number): boolean {
  const rows = covered[column] ?? 0;
  if (rows <= 0) return false;
  covered[column] = rows - 1;
  return true;
}

function spanOf({ attribs = {} }: HtmlNode, name: 'colspan' | 'rowspan'): number {
  const span = Number.parseInt(attribs[name] ?? '', 10);
  return span > 1 ? Math.min(span, MAX_SPAN) : 1;
}

function isLayout({ element, text }: TextCell): boolean {
  if (!text.includes('\n')) return false;
  return contains(element, STRUCTURES) || (text.includes('\n\n') && contains(element, BLOCKS));
}

function contains({ children = [] }: HtmlNode, names: ReadonlySet<string>): boolean {
  return children.some((child) => names.has(child.name ?? '') || contains(child, names));
}

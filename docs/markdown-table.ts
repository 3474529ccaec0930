/** A row of a Markdown table. */
export type Row = readonly string[];

/** Returns the table as the formatter writes it: each column as wide as its widest cell. */
export function table(rows: readonly Row[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: Row, fill = ' ') =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width, fill)).join(' | ')} |`;
  const [head, ...body] = rows.map((row) => line(row));
  return [head, line([], '-'), ...body].join('\n');
}

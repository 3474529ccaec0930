/** Position of an entry in `JSON.stringify(value, null, 2)`, counted from 1. `path`: names and indexes. */
export function positionIn(value: unknown, path: readonly string[]): { line: number; column: number } {
  let line = 1;
  let found = value;
  for (const name of path) {
    const entries = Object.entries(found ?? {});
    const index = entries.findIndex(([key]) => key === name);
    const before = index === -1 ? [] : entries.slice(0, index);
    line += before.reduce((sum, [, entry]) => sum + lineCount(entry), 1);
    found = entries[index]?.[1];
  }
  return { line, column: 2 * path.length + 1 };
}

/** Each entry of an object or a list starts a line; the braces of an empty one are on the same line. */
function lineCount(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  const entries: unknown[] = Object.values(value);
  return entries.length === 0 ? 1 : entries.reduce<number>((sum, entry) => sum + lineCount(entry), 2);
}

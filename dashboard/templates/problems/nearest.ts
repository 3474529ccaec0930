/** Returns the closest name to a misspelt one; undefined when none is close enough. */
export function nearestName(misspelt: string, names: Iterable<string>): string | undefined {
  let nearest: string | undefined;
  let least = misspelt.length < 5 ? 2 : 3;
  for (const name of names) {
    if (Math.abs(name.length - misspelt.length) >= least) continue;
    const distance = editDistance(misspelt.toLowerCase(), name.toLowerCase());
    if (distance >= least) continue;
    least = distance;
    nearest = name;
  }
  return nearest;
}

/** Number of characters to insert, delete or replace. */
function editDistance(one: string, other: string): number {
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of Array.from(one).entries()) {
    const current = [row + 1];
    for (const [column, above] of last.slice(1).entries()) {
      const [left = 0, diagonal = 0] = [current[column], last[column]];
      current.push(Math.min(above + 1, left + 1, diagonal + (letter === other[column] ? 0 : 1)));
    }
    last = current;
  }
  return last.at(-1) ?? 0;
}

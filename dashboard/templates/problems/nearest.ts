/** Returns the name that differs least from a misspelt one; undefined when all differ too much. */
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

/** Number of characters to insert, delete or replace. Two that are swapped count as one. */
function editDistance(one: string, other: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 2] === other[column - 1] && one[row - 1] === other[column - 2];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped && row > 1 && column > 1 ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[other.length] ?? 0;
}

/** Returns a number with the noun that it counts: `1 item`, `2 items`. */
export function counted(count: unknown, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns a number with its noun: `1 item`, `2 items`. */
export function counted(count: unknown, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}

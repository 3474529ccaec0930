/** Splits codes that are separated by white space. */
export function codes(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

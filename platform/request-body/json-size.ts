/** Whether the value has certainly more bytes than `most` as JSON. It is not written for that. */
export function hasMoreBytes(value: unknown, most: number): boolean {
  return leastBytes(value, most) > most;
}

/** Bytes that the value has as JSON at the least; not exact once they are more than `most`. */
export function leastBytes(value: unknown, most: number): number {
  const open: unknown[] = [value];
  let bytes = 0;
  while (open.length > 0 && bytes <= most) {
    const next = open.pop();
    if (typeof next === 'string') bytes += next.length + 2;
    else {
      bytes += 1;
      if (typeof next === 'object' && next !== null) bytes += openUp(next, open);
    }
  }
  return bytes;
}

/** Whether the value, with all values inside, is more than `most` values. */
export function hasMoreValues(value: unknown, most: number): boolean {
  const values = [value];
  for (let seen = 0; seen < values.length; seen += 1) {
    const container = values[seen];
    if (typeof container !== 'object' || container === null) continue;
    for (const inner of Object.values(container)) if (values.push(inner) > most) return true;
  }
  return values.length > most;
}

/** How deep objects and arrays of a JSON value may nest. A document needs a few levels; recursive code needs a bound. */
export const DEEPEST_JSON = 100;

/** Whether objects and arrays nest deeper than DEEPEST_JSON. */
export function nestsTooDeep(value: unknown, levels = DEEPEST_JSON): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((inner) => nestsTooDeep(inner, levels - 1));
  // A list of the members takes twice the time of this loop.
  for (const name in value) {
    if (nestsTooDeep((value as Record<string, unknown>)[name], levels - 1)) return true;
  }
  return false;
}

/** Puts what is inside where it will be counted; answers the bytes of the names. */
function openUp(container: object, open: unknown[]): number {
  if (Array.isArray(container)) {
    for (const element of container) open.push(element);
    return container.length;
  }
  let bytes = 0;
  for (const name of Object.keys(container)) {
    bytes += name.length + 3;
    open.push((container as Record<string, unknown>)[name]);
  }
  return bytes;
}

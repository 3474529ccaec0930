import { DEEPEST_JSON } from '@trifold/crds/limits.ts';

/** Whether the value is certainly more than `most` bytes as JSON. Does not serialize it. */
export function hasMoreBytes(value: unknown, most: number): boolean {
  return leastBytes(value, most) > most;
}

/** Returns a lower bound for the size of the value as JSON, in bytes. Stops counting above `most`. */
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

/** Whether the value contains more than `most` values, including itself. */
export function hasMoreValues(value: unknown, most: number): boolean {
  const values = [value];
  for (let seen = 0; seen < values.length; seen += 1) {
    const container = values[seen];
    if (typeof container !== 'object' || container === null) continue;
    for (const inner of Object.values(container)) if (values.push(inner) > most) return true;
  }
  return values.length > most;
}

/** Whether objects and arrays nest deeper than DEEPEST_JSON. */
export function nestsTooDeep(value: unknown, levels = DEEPEST_JSON): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((inner) => nestsTooDeep(inner, levels - 1));
  // Twice as fast as a loop over a list of the properties.
  for (const name in value) {
    if (nestsTooDeep((value as Record<string, unknown>)[name], levels - 1)) return true;
  }
  return false;
}

/** Adds the nested values to `open`. Returns the bytes of their names. */
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

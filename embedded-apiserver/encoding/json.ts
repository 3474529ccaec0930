/** A JSON object with unknown fields. */
export type JsonObject = Record<string, unknown>;

/** Whether the value is a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets a property with any name: a plain assignment to `__proto__` would change the prototype instead. */
export function setMember(object: JsonObject, member: string, value: unknown): void {
  if (member === '__proto__') {
    Object.defineProperty(object, member, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[member] = value;
  }
}

/** Returns the value at a path of property names, or undefined if a step is missing. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const member of path) {
    if (!isObject(current) || !Object.hasOwn(current, member)) return undefined;
    current = current[member];
  }
  return current;
}

/** Whether a number is an integer in the range of Go's int64; not exact beyond 2^53. */
function isInt64(value: number): boolean {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63;
}

/** Returns the JSON type of a value in the API server's terms: `integer` and `number` are different types. */
export function jsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return isInt64(value) ? 'integer' : 'number';
  return typeof value;
}

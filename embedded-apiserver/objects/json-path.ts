import { isObject } from '../encoding/json.ts';

/** `.field`, or `[?(@.field=="text")]`, which selects the list items whose field equals the string. */
const STEP = /\.([A-Za-z_][\w-]*)|\[\?\(@\.([A-Za-z_][\w-]*)=="([^"]*)"\)\]/g;

/**
 * Compiles the JSONPath of a printer column, such as `.status.conditions[?(@.type=="Ready")].status`. The result
 * returns every value found. Throws for a path with any step other than a field or such a filter.
 */
export function compileJsonPath(path: string): (value: unknown) => unknown[] {
  const steps = [...path.matchAll(STEP)];
  if (path === '' || steps.map(([text]) => text).join('') !== path)
    throw new Error(`unsupported JSONPath: ${path}`);
  return (value) =>
    steps.reduce<unknown[]>(
      (found, [, member, key = '', text]) =>
        found.flatMap((item) => (member === undefined ? itemsWith(item, key, text) : memberOf(item, member))),
      [value],
    );
}

function memberOf(value: unknown, name: string): unknown[] {
  return isObject(value) && Object.hasOwn(value, name) ? [value[name]] : [];
}

function itemsWith(value: unknown, key: string, text: string | undefined): unknown[] {
  return Array.isArray(value) ? value.filter((item) => memberOf(item, key)[0] === text) : [];
}

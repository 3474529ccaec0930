/** ES2026. Not available in Node 20 and older browsers. */
const { rawJSON } = JSON as { rawJSON?: (json: string) => unknown };

const POSSIBLE = /(?:^|[[:,\s])-?\d{16}/;
const INTEGER = /^-?\d{16,}$/;

/**
 * Parses JSON. An integer that a number cannot represent becomes a `JSON.rawJSON` value, which `JSON.stringify` writes
 * with all digits; without `JSON.rawJSON`, it becomes the nearest number. Skips a byte order mark. Throws SyntaxError.
 */
export function parseJson(text: string): unknown {
  const json = text.startsWith('\uFEFF') ? text.slice(1) : text;
  if (!rawJSON || !POSSIBLE.test(json)) return JSON.parse(json);
  return JSON.parse(json, (_key, value: unknown, { source = '' }: { source?: string } = {}) =>
    typeof value === 'number' && INTEGER.test(source) && String(value) !== source ? rawJSON(source) : value,
  );
}

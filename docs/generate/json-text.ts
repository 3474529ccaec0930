/** Maximum line length, in characters, for an object or list on one line. */
const WIDTH = 90;

/** Returns JSON for readers: a value that fits on one line is kept on one line. */
export function jsonText(value: unknown, indent = ''): string {
  const line = oneLine(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= WIDTH) return line;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => jsonText(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${jsonText(item, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${oneLine(item)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

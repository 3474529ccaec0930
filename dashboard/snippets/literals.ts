/** How a language writes the values of JSON. */
interface LiteralStyle {
  readonly text: (value: string) => string;
  readonly name: (value: string) => string;
  readonly words: Readonly<Record<'true' | 'false' | 'null', string>>;
  readonly indent: string;
  /** Whether a comma follows the last of several lines. */
  readonly lastComma: boolean;
  /** Whether braces stand apart from the members in one line. */
  readonly spaced: boolean;
}

const JSON_WORDS = { true: 'true', false: 'false', null: 'null' } as const;

/** JSON, as curl sends it. */
export const CURL: LiteralStyle = {
  text: (value) => JSON.stringify(value),
  name: (value) => JSON.stringify(value),
  words: JSON_WORDS,
  indent: '  ',
  lastComma: false,
  spaced: true,
};

export const TYPESCRIPT: LiteralStyle = {
  text: singleQuoted,
  name: (value) => (/^[a-z_$][\w$]*$/i.test(value) && value !== '__proto__' ? value : singleQuoted(value)),
  words: JSON_WORDS,
  indent: '  ',
  lastComma: true,
  spaced: true,
};

/** Python reads every string of JSON. */
export const PYTHON: LiteralStyle = {
  ...CURL,
  words: { true: 'True', false: 'False', null: 'None' },
  indent: '    ',
  lastComma: true,
  spaced: false,
};

const LONGEST_LINE = 72;

/** Returns code for a value. Long lists and objects take several lines. */
export function written(value: unknown, style: LiteralStyle): string {
  return multiline(value, style, '');
}

function multiline(value: unknown, style: LiteralStyle, outer: string): string {
  const line = inLine(value, style);
  const isObject = typeof value === 'object' && value !== null;
  const parts = partsOf(value);
  // The outermost value takes several lines, for people to change it.
  if (!isObject || parts.length === 0 || (outer !== '' && outer.length + line.length <= LONGEST_LINE))
    return line;
  const indent = outer + style.indent;
  const lines = parts.map(([name, part]) => indent + nameOf(name, style) + multiline(part, style, indent));
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.join(',\n')}${style.lastComma ? ',' : ''}\n${outer}${close}`;
}

function inLine(value: unknown, style: LiteralStyle): string {
  if (typeof value === 'string') return style.text(value);
  if (typeof value !== 'object' || value === null) {
    const text = JSON.stringify(value);
    return (style.words as Readonly<Record<string, string>>)[text] ?? text;
  }
  const parts = partsOf(value).map(([name, part]) => nameOf(name, style) + inLine(part, style));
  if (Array.isArray(value)) return `[${parts.join(', ')}]`;
  const space = style.spaced && parts.length > 0 ? ' ' : '';
  return `{${space}${parts.join(', ')}${space}}`;
}

/** Members of an object, or items of a list, which have no name. */
function partsOf(value: unknown): (readonly [name: string | undefined, part: unknown])[] {
  if (Array.isArray(value)) return value.map((part: unknown) => [undefined, part]);
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

function nameOf(name: string | undefined, style: LiteralStyle): string {
  return name === undefined ? '' : `${style.name(name)}: `;
}

function singleQuoted(value: string): string {
  const escaped = JSON.stringify(value)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`);
  return `'${escaped}'`;
}

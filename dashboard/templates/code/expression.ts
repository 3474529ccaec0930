/** A call in a template, or a binding, which is a call without arguments. */
export interface Call {
  /** The helper or the path, and its positional arguments. */
  readonly values: readonly Argument[];
  readonly named: readonly (readonly [name: string, value: Argument])[];
}

/** A literal, a path, or a call in parentheses. */
export type Argument = string | Call;

const TOKEN = /"[^"]*"|'[^']*'|[()]|[^\s()"'=]+=?/g;

/** Parses the content of a tag's braces. */
export function readCall(content: string): Call {
  const [expression = ''] = content.split(/\sas\s*\|/, 1);
  return callFrom((expression.match(TOKEN) ?? []).values());
}

function callFrom(tokens: Iterator<string>): Call {
  const values: Argument[] = [];
  const named: (readonly [string, Argument])[] = [];
  for (let token = nextOf(tokens); token !== undefined && token !== ')'; token = nextOf(tokens)) {
    if (token.endsWith('=')) named.push([token.slice(0, -1), argumentFrom(nextOf(tokens) ?? '', tokens)]);
    else values.push(argumentFrom(token, tokens));
  }
  return { values, named };
}

function nextOf(tokens: Iterator<string>): string | undefined {
  const next = tokens.next();
  return next.done ? undefined : next.value;
}

function argumentFrom(token: string, tokens: Iterator<string>): Argument {
  return token === '(' ? callFrom(tokens) : token;
}

/** Returns the type of a literal; undefined for a path. */
export function typeOfLiteral(token: string): 'string' | 'number' | 'boolean' | 'null' | undefined {
  if (/^["']/.test(token)) return 'string';
  if (/^-?\d+(?:\.\d+)?$/.test(token)) return 'number';
  if (token === 'true' || token === 'false') return 'boolean';
  return token === 'null' || token === 'undefined' ? 'null' : undefined;
}

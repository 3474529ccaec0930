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

function callFrom(tokens: Iterator<string, undefined>): Call {
  const values: Argument[] = [];
  const named: (readonly [string, Argument])[] = [];
  for (let token = tokens.next().value; token !== undefined && token !== ')'; token = tokens.next().value) {
    if (token.endsWith('='))
      named.push([token.slice(0, -1), argumentFrom(tokens.next().value ?? '', tokens)]);
    else values.push(argumentFrom(token, tokens));
  }
  return { values, named };
}

function argumentFrom(token: string, tokens: Iterator<string, undefined>): Argument {
  return token === '(' ? callFrom(tokens) : token;
}

/** Returns the type of a literal; undefined for a path. */
export function typeOfLiteral(token: string): 'string' | 'number' | 'boolean' | 'null' | undefined {
  if (/^["']/.test(token)) return 'string';
  if (/^-?\d+(?:\.\d+)?$/.test(token)) return 'number';
  if (token === 'true' || token === 'false') return 'boolean';
  return token === 'null' || token === 'undefined' ? 'null' : undefined;
}

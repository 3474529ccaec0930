import {
  DEEPEST_BLOCKS,
  DEEPEST_PARENTHESES,
  MAX_EXPRESSIONS,
  MAX_EXPRESSION_PARTS,
} from '@trifold/crds/limits.ts';

/** A word, or one of the signs between words, as the parser tokenizes an expression. */
const PART = /[^\s./=|"'[\]()@]+|[./=|"'[\]()@]/g;

/** The start of an expression with its effect on the nesting, its end, and parentheses. */
const TOKEN = /\{\{~?\s*(#|\^(?!\s*~?\}\})|\/|\^|else\b)?|\}\}|[()]/g;

/**
 * Returns where a template exceeds the parser's limits, in one pass and without parsing. Comments and escaped braces
 * count as well: the limits are far above real templates.
 */
export function findExcess(html: string): (Position & { message: string }) | undefined {
  const nesting = new Nesting();
  const parts = new Parts(html);
  for (const match of html.matchAll(TOKEN)) {
    const message = nesting.take(match[0], match[1]) ?? parts.take(match[0], match.index);
    if (message !== undefined) return { ...positionOf(html, match.index), message };
  }
  const message = parts.end();
  return message === undefined ? undefined : { ...positionOf(html, html.length), message };
}

/** Counts the words and signs of expressions. */
class Parts {
  readonly #html: string;
  #count = 0;
  /** Start of the open expression; undefined outside of expressions. */
  #from: number | undefined;

  constructor(html: string) {
    this.#html = html;
  }

  /** Consumes the next token. Returns a message when a limit is exceeded. */
  take(token: string, index: number): string | undefined {
    if (token === '(' || token === ')') return undefined;
    const message = this.#countUpTo(index);
    this.#from = token === '}}' ? undefined : index + 2;
    return message;
  }

  /** Consumes the end of the template, which may be inside an expression. */
  end(): string | undefined {
    return this.#countUpTo(this.#html.length);
  }

  #countUpTo(index: number): string | undefined {
    if (this.#from === undefined) return undefined;
    const expression = this.#html.slice(this.#from, index);
    PART.lastIndex = 0;
    while (this.#count <= MAX_EXPRESSION_PARTS && PART.test(expression)) this.#count += 1;
    return this.#count > MAX_EXPRESSION_PARTS
      ? `the expressions have more than ${MAX_EXPRESSION_PARTS} words and symbols in total`
      : undefined;
  }
}

class Nesting {
  /** Levels of each open block: the block and its elses. */
  readonly #blocks: number[] = [];
  #depth = 0;
  #expressions = 0;
  #inside = false;
  #parentheses = 0;

  /** Consumes the next token. Returns a message when a limit is exceeded. */
  take(token: string, mark: string | undefined): string | undefined {
    if (token === '(' || token === ')') return this.#parenthesis(token);
    this.#inside = token !== '}}';
    this.#parentheses = 0;
    return this.#inside ? this.#expression(mark) : undefined;
  }

  #parenthesis(token: '(' | ')'): string | undefined {
    if (!this.#inside) return undefined;
    this.#parentheses += token === '(' ? 1 : -1;
    return this.#parentheses > DEEPEST_PARENTHESES
      ? `parentheses are nested deeper than ${DEEPEST_PARENTHESES} levels`
      : undefined;
  }

  #expression(mark: string | undefined): string | undefined {
    this.#expressions += 1;
    if (this.#expressions > MAX_EXPRESSIONS)
      return `the template has more than ${MAX_EXPRESSIONS} expressions`;
    if (mark === '/') this.#depth -= this.#blocks.pop() ?? 0;
    else if (mark !== undefined) this.#deepen(mark);
    return this.#depth > DEEPEST_BLOCKS
      ? `blocks are nested deeper than ${DEEPEST_BLOCKS} levels`
      : undefined;
  }

  #deepen(mark: string): void {
    this.#depth += 1;
    const isElse = mark === 'else' || mark === '^';
    this.#blocks.push(isElse ? (this.#blocks.pop() ?? 0) + 1 : 1);
  }
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** Returns line and column of a character, both counted from 1. */
export function positionOf(html: string, index: number): Position {
  const before = html.slice(0, index).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

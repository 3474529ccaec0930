import {
  DEEPEST_BLOCKS,
  DEEPEST_PARENTHESES,
  MAX_EXPRESSIONS,
  MAX_EXPRESSION_PARTS,
} from '@trifold/crds/limits.ts';

/** A word, or one of the symbols between words, as the parser tokenizes an expression. */
const PART = /[^\s./=|"'[\]()@]+|[./=|"'[\]()@]/g;

/** The start of an expression with its effect on the nesting, its end, and parentheses. */
const TOKEN = /\{\{~?\s*(#|\^(?!\s*~?\}\})|\/|\^|else\b)?|\}\}|[()]/g;

/**
 * Returns the position at which a template exceeds the parser's limits, in one pass and without parsing. Comments and
 * escaped braces count as well: the limits are far above real templates.
 */
export function findExcess(html: string): (Position & { message: string }) | undefined {
  const bounds = new Bounds(html);
  for (const match of html.matchAll(TOKEN)) {
    const message = bounds.take(match[0], match[1], match.index);
    if (message !== undefined) return { ...positionOf(html, match.index), message };
  }
  const message = bounds.countParts(html.length);
  return message === undefined ? undefined : { ...positionOf(html, html.length), message };
}

/** Counts everything that has a limit. Its methods return a message when a limit is exceeded. */
class Bounds {
  readonly #html: string;
  /** Nesting levels of each open block: the block and its elses. */
  readonly #blocks: number[] = [];
  #depth = 0;
  #expressions = 0;
  #parts = 0;
  #parentheses = 0;
  /** Start of the open expression; undefined outside expressions. */
  #from: number | undefined;

  constructor(html: string) {
    this.#html = html;
  }

  /** Consumes the next token. */
  take(token: string, mark: string | undefined, index: number): string | undefined {
    if (token === '(' || token === ')') return this.#parenthesis(token);
    this.#parentheses = 0;
    const isEnd = token === '}}';
    const message = (isEnd ? undefined : this.#expression(mark)) ?? this.countParts(index);
    this.#from = isEnd ? undefined : index + 2;
    return message;
  }

  #parenthesis(token: '(' | ')'): string | undefined {
    if (this.#from === undefined) return undefined;
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

  /** Counts the words and signs of the open expression up to an index, which may be the end of the template. */
  countParts(index: number): string | undefined {
    if (this.#from === undefined) return undefined;
    const expression = this.#html.slice(this.#from, index);
    PART.lastIndex = 0;
    while (this.#parts <= MAX_EXPRESSION_PARTS && PART.test(expression)) this.#parts += 1;
    return this.#parts > MAX_EXPRESSION_PARTS
      ? `the expressions have more than ${MAX_EXPRESSION_PARTS} words and symbols in total`
      : undefined;
  }
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** Returns the line and column of a character, both counted from 1. */
export function positionOf(html: string, index: number): Position {
  const before = html.slice(0, index).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

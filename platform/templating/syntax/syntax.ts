import Handlebars from 'handlebars';
import { findCallProblem, isBuiltIn } from '../helpers/helper-signatures.ts';
import { findExcess, positionOf } from './template-bounds.ts';

/** Position and reason of a compile error; line and column are counted from 1. */
export interface SyntaxProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
  /** The helper, block or partial that caused the problem. */
  readonly name?: string;
  /** Whether the check ended at its time limit: a later check may find no problem. @default false */
  readonly timedOut?: boolean;
}

/**
 * Checks a template without running it. Returns undefined when it compiles. A source that would take too long to parse
 * is rejected without parsing. Nothing is compiled: that would take fifteen times as long and find no more than these
 * checks.
 */
export function findSyntaxProblem(html: string): SyntaxProblem | undefined {
  const problem = findNull(html) ?? findExcess(html);
  if (problem) return problem;
  try {
    return new CallChecker().check(Handlebars.parse(html));
  } catch (error) {
    return problemOf(error as HandlebarsError, html);
  }
}

/** The parser treats U+0000 as the end of the text in some places. */
function findNull(html: string): SyntaxProblem | undefined {
  const index = html.indexOf('\0');
  if (index === -1) return undefined;
  return { ...positionOf(html, index), message: 'the template contains the character U+0000: remove it' };
}

interface HandlebarsError extends Error {
  lineNumber?: number;
  column?: number;
}

/** The lexer keeps the position of the last token; the error message has only the line. */
function problemOf(error: HandlebarsError, html: string): SyntaxProblem {
  const { lineNumber: line, column = 0 } = error;
  if (line !== undefined)
    return semanticProblem(error.message.replace(/ - \d+:\d+$/, ''), line, column, html);
  const position = lastPosition();
  const expectation = error.message.split('\n').at(-1) ?? error.message;
  const found = /got '(\w+)'$/.exec(expectation)?.[1];
  // A name at the end of the text is not valid.
  const isAtEnd = found === 'EOF' || (found === 'INVALID' && !handlebarsLexer._input.includes('}}'));
  const unclosed = isAtEnd && findUnclosed(html);
  return unclosed || { ...position, message: readable(expectation, found) };
}

/** A block whose closing name differs is reported at its start, `{{#`. */
function semanticProblem(message: string, line: number, column: number, html: string): SyntaxProblem {
  const [name = '', end] = message.split(" doesn't match ");
  if (end === undefined) return { line, column: column + 1, message };
  const lineBegin = html.split('\n', line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  const opener = positionOf(html, html.lastIndexOf('{{', lineBegin + column));
  return { ...opener, name, message: `{{#${name}}} is not closed: add {{/${name}}} before {{/${end}}}` };
}

type Position = Pick<SyntaxProblem, 'line' | 'column'>;

function lastPosition(): Position {
  const { yylloc } = handlebarsLexer;
  return { line: Math.max(1, yylloc?.first_line ?? 1), column: (yylloc?.first_column ?? 0) + 1 };
}

/** Explanations of tokens that the grammar does not allow. */
const UNEXPECTED: Readonly<Record<string, string>> = {
  EOF: 'an expression {{…}} or a block is not closed',
  INVALID: 'this is not valid inside {{…}}',
  OPEN_ENDBLOCK: 'this closes a block that was never opened',
  INVERSE: '{{else}} is outside of a block',
  OPEN_INVERSE_CHAIN: '{{else}} is outside of a block',
  CLOSE_BLOCK_PARAMS: 'a filter (|) is not supported: call a helper, such as {{uppercase name}}',
};

/**
 * `Expecting 'ID', …, got 'EOF'` names grammar symbols; users need to know what was found. For an unclosed construct,
 * the message is only a line that ends in an arrow.
 */
function readable(expectation: string, found: string | undefined): string {
  if (/^-*\^$/.test(expectation)) return 'a comment or raw block is not closed';
  if (found === undefined) return expectation;
  return UNEXPECTED[found] ?? `unexpected ${found.toLowerCase().replaceAll('_', ' ')} here`;
}

/** Returns the last expression or block that the text opens but does not close. */
function findUnclosed(html: string): SyntaxProblem | undefined {
  const blocks: Position[] = [];
  let expression: Position | undefined;
  handlebarsLexer.setInput(html);
  for (let token = nextToken(); token !== 'EOF'; token = nextToken()) {
    if (token.startsWith('OPEN')) expression = lastPosition();
    else if (token.startsWith('CLOSE')) expression = undefined;
    if (expression && OPEN_BLOCKS.includes(token)) blocks.push(expression);
    if (token === 'OPEN_ENDBLOCK') blocks.pop();
  }
  if (expression) return { ...expression, message: 'the expression is not closed: add }}' };
  const block = blocks.at(-1);
  return block && unclosedBlock(block, html);
}

const OPEN_BLOCKS: readonly string[] = ['OPEN_BLOCK', 'OPEN_INVERSE', 'OPEN_PARTIAL_BLOCK'];
const BLOCK_NAME = /^\{\{~?[#^>*\s]*([^\s}~]+)/;

function unclosedBlock(opener: Position, html: string): SyntaxProblem {
  const text =
    html
      .split('\n', opener.line)
      .at(-1)
      ?.slice(opener.column - 1) ?? '';
  const name = BLOCK_NAME.exec(text)?.[1];
  if (name === undefined) return { ...opener, message: 'the block is not closed' };
  return { ...opener, name, message: `{{#${name}}} is not closed: add {{/${name}}}` };
}

/** Finds calls to nonexistent helpers and partials; at run time they would fail every document. */
class CallChecker extends Handlebars.Visitor {
  #problem: SyntaxProblem | undefined;
  readonly #inlinePartials = new Set<string>();

  check(program: hbs.AST.Program): SyntaxProblem | undefined {
    this.accept(program);
    return this.#problem;
  }

  override DecoratorBlock(decorator: hbs.AST.DecoratorBlock): void {
    const name = nameOf(decorator.path);
    const partial = decorator.params[0];
    if (name !== 'inline') this.#report(decorator, `unknown decorator "${name}"`, name);
    if (partial) this.#inlinePartials.add(nameOf(partial));
    super.DecoratorBlock(decorator);
  }

  override Decorator(decorator: hbs.AST.Decorator): void {
    const name = nameOf(decorator.path);
    this.#report(decorator, `unknown decorator "${name}"`, name);
  }

  override MustacheStatement(mustache: hbs.AST.MustacheStatement): void {
    if (isCall(mustache)) this.#checkCall(mustache);
    super.MustacheStatement(mustache);
  }

  override BlockStatement(block: hbs.AST.BlockStatement): void {
    if (isCall(block)) this.#checkCall(block, { block: true, blockNames: hasBlockNames(block) });
    super.BlockStatement(block);
  }

  override SubExpression(expression: hbs.AST.SubExpression): void {
    this.#checkCall(expression);
    super.SubExpression(expression);
  }

  override PartialStatement(partial: hbs.AST.PartialStatement): void {
    this.#checkPartial(partial, partial.name);
    this.#checkContext(partial);
    super.PartialStatement(partial);
  }

  override PartialBlockStatement(partial: hbs.AST.PartialBlockStatement): void {
    this.#checkContext(partial);
    super.PartialBlockStatement(partial);
  }

  #checkPartial(node: hbs.AST.Node, name: hbs.AST.Expression): void {
    if (name.type === 'SubExpression') return;
    const called = nameOf(name);
    if (this.#inlinePartials.has(called)) return;
    this.#report(node, `unknown partial "${called}": define it above with {{#*inline "…"}}`, called);
  }

  #checkContext(partial: hbs.AST.PartialStatement | hbs.AST.PartialBlockStatement): void {
    if (partial.params.length > 1) this.#report(partial, 'a partial accepts at most one context');
  }

  #checkCall(call: Call, { block, blockNames } = { block: false, blockNames: false }): void {
    const named = call.hash?.pairs.map(({ key }) => key) ?? [];
    const name = nameOf(call.path);
    const problem = findCallProblem({ name, arguments: call.params.length, named, block, blockNames });
    if (problem !== undefined) this.#report(call, problem, name);
  }

  #report(node: hbs.AST.Node, message: string, name?: string): void {
    const { line, column } = node.loc.start;
    this.#problem ??= { line, column: column + 1, message, ...(name !== undefined && { name }) };
  }
}

type Call = hbs.AST.MustacheStatement | hbs.AST.BlockStatement | hbs.AST.SubExpression;

/** A name without arguments is a binding, unless it is a built-in helper. */
function isCall(call: Call): boolean {
  return call.params.length > 0 || (call.hash?.pairs.length ?? 0) > 0 || isBuiltIn(nameOf(call.path));
}

/** `{{^each a}}` has only an inverse block. */
function hasBlockNames({ program, inverse }: Partial<hbs.AST.BlockStatement>): boolean {
  return [program, inverse].some((part) => (part?.blockParams?.length ?? 0) > 0);
}

function nameOf(node: hbs.AST.Node): string {
  const { original } = node as { original?: string | number | boolean };
  return original === undefined ? node.type : String(original);
}

interface Lexer {
  _input: string;
  matched: string;
  /** Returns the number of the next token. */
  lex(): number;
  /** Position of the last token; undefined before the first text. */
  yylloc?: { first_line: number; first_column: number };
  setInput(text: string): Lexer;
  unput(text: string): Lexer;
}

/** The lexer of Handlebars' parser, shared by all parses. */
const { lexer: handlebarsLexer, terminals_: TOKENS } = (
  Handlebars as unknown as { Parser: { lexer: Lexer; terminals_: Readonly<Record<number, string>> } }
).Parser;

/** Returns the kind of the next token. Tokens inside an expression do not open or close anything. */
function nextToken(): string {
  const token = TOKENS[handlebarsLexer.lex()] ?? 'EOF';
  return /_(?:SEXPR|BLOCK_PARAMS)$/.test(token) ? 'ID' : token;
}

/**
 * Makes the lexer linear in the number of comments. The original puts the first characters of a comment back in front
 * of the remaining text by concatenation. That copies the rest for each comment, and all copies stay in memory until
 * the end (19,000 comments in 1 MB take 10 GB). The rest is always the end of the whole text, so a slice gives the same
 * result at no cost. The text matched so far is copied in the same way; only an unused line of the error message needs
 * it.
 */
function makeCommentsLinear(lexer: Lexer): void {
  const setInput = lexer.setInput.bind(lexer);
  const unput = lexer.unput.bind(lexer);
  let whole = '';
  lexer.setInput = (text) => {
    whole = text;
    return setInput(text);
  };
  lexer.unput = (text) => {
    const rest = lexer._input.length + text.length;
    lexer._input = '';
    lexer.matched = '';
    unput(text);
    lexer._input = whole.slice(whole.length - rest);
    return lexer;
  };
}

makeCommentsLinear(handlebarsLexer);

/** A rule, an at-rule or a declaration. */
export interface Statement {
  /** Source text, including its terminator. */
  readonly source: string;
  /** Text before the block; the whole text if there is no block. */
  readonly head: string;
  /** Text between the braces, with missing closing brackets added; undefined for a declaration. */
  readonly block?: string;
}

/** Matches comments, strings, URLs and escapes as a whole, then the significant characters; `u` may begin `url(`. */
const PIECE =
  /\/\*[^]*?(?:\*\/|$)|"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?|url\(\s*[^"'\s)](?:\\[^]|[^)\\])*\)?|\\[^]|[^\\"'/u{}()[\];,]+|[^]/gi;
/** HTML comment delimiters are ignored before a rule. */
const IGNORED = /^(?:\s|<!--|-->)+/;
const CLOSING: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' };

/** Splits a style sheet or the content of a rule into statements as browsers do (CSS Syntax Level 3); never fails. */
export function* statementsOf(css: string, within: 'sheet' | 'rule'): Generator<Statement> {
  /** Closing characters for the open brackets. */
  const open: string[] = [];
  let start = 0;
  let block: number | undefined;
  /** The first significant characters of the statement. */
  let first = '';
  const since = (end: number, missing?: string) =>
    statement(css.slice(start, end), block === undefined ? undefined : block - start, missing);
  for (const { 0: piece, index } of css.matchAll(PIECE)) {
    if (first === '') first = significant(piece);
    if (open.length === 0 && isBlockStart(piece, first)) block = index;
    if (!isOutside(piece, open)) continue;
    if (piece === '}' ? block === undefined : piece !== ';' || !isEndedBySemicolon(first, within)) continue;
    yield since(index + 1);
    start = index + 1;
    block = undefined;
    first = '';
  }
  if (start < css.length) yield since(css.length, open.slice(1).toReversed().join(''));
}

/** Braces in a custom property are part of its value. */
function isBlockStart(piece: string, first: string): boolean {
  return piece === '{' && !first.startsWith('--');
}

function significant(piece: string): string {
  return piece.startsWith('/*') ? '' : piece.replace(IGNORED, '');
}

/** A semicolon is part of a rule's selector, but ends declarations and at-rules. */
function isEndedBySemicolon(first: string, within: 'sheet' | 'rule'): boolean {
  return within === 'rule' || first.startsWith('@');
}

/**
 * Updates `open`. Returns whether the piece may end a statement: it is outside all brackets or closes the last open
 * one.
 */
function isOutside(piece: string, open: string[]): boolean {
  const closing = CLOSING[piece];
  if (closing !== undefined) open.push(closing);
  else if (piece === open.at(-1)) open.pop();
  else if (piece !== ';') return false;
  return open.length === 0;
}

/**
 * Splits the selector list before a rule's block. Undefined if it contains anything invalid in a selector, such as an
 * unclosed bracket.
 */
export function selectorsOf(head: string): string[] | undefined {
  const open: string[] = [];
  const selectors = [''];
  for (const [piece] of head.matchAll(PIECE)) {
    if (isMalformed(piece, open)) return undefined;
    isOutside(piece, open);
    if (piece === ',' && open.length === 0) selectors.push('');
    else selectors.push(selectors.pop() + (piece.startsWith('/*') ? ' ' : piece));
  }
  return open.length > 0 ? undefined : selectors.map((selector) => selector.trim());
}

function isMalformed(piece: string, open: readonly string[]): boolean {
  if (/^[;{}]$/.test(piece)) return true;
  if (/^[)\]]$/.test(piece)) return piece !== open.at(-1);
  return /^["']/.test(piece) && (piece.length === 1 || !piece.endsWith(piece.charAt(0)));
}

/** Replaces comments with spaces, for inspection only. */
export function withoutComments(css: string): string {
  return css.includes('/*') ? css.replaceAll(PIECE, (piece) => (piece.startsWith('/*') ? ' ' : piece)) : css;
}

/**
 * `missing`: closing brackets that are missing inside the block, excluding the block's own; undefined if the block is
 * closed.
 */
function statement(source: string, block: number | undefined, missing: string | undefined): Statement {
  if (block === undefined) return { source, head: source };
  const end = missing === undefined ? -1 : source.length;
  return { source, head: source.slice(0, block), block: source.slice(block + 1, end) + (missing ?? '') };
}

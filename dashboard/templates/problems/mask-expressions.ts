import type { TextRange } from '../code/text-position.ts';

/** Start, `else` or end tag of a block. */
export interface BlockMark extends TextRange {
  readonly kind: 'block' | 'else' | 'endblock';
  /** Name of the block, such as `if`. For an `else`, what follows it. */
  readonly name: string;
}

/** The bounds keep the search linear. */
const EXPRESSION = /\{\{~?!--[\s\S]{0,5000}?--~?\}\}|\{\{\{[\s\S]{0,1000}?\}\}\}|\{\{[\s\S]{0,1000}?\}\}/g;
const BLOCK_SIGN = /^\{\{~?\s*([#^/]|else\b)?[>*]?\s*([^\s~}]*)/;

/** Replaces expressions with spaces, and returns the tags of blocks in order. */
export function maskExpressions(text: string): { readonly masked: string; readonly marks: BlockMark[] } {
  const marks: BlockMark[] = [];
  const masked = text.replaceAll(EXPRESSION, (found, from: number) => {
    const [, sign = '', name = ''] = BLOCK_SIGN.exec(found) ?? [];
    const to = from + found.length;
    const isElse = sign === 'else' || (sign === '^' && name === '');
    if (isElse) marks.push({ kind: 'else', name, from, to });
    else if (sign !== '') marks.push({ kind: sign === '/' ? 'endblock' : 'block', name, from, to });
    return ' '.repeat(found.length);
  });
  return { masked, marks };
}

import { statementsOf, withoutComments, type Statement } from './css-statements.ts';

/** Cheap check for css that may need a rewrite: a missing value, a rule in a rule, a class in `:not`. */
const SUSPECT = /:\s*(?:[;}!]|\/\*|$)|\{[^{}]*\{|:not\([^()]*\[\s*class/i;
const AT_BLOCKS = /@[^{};]*\{/g;
const NO_VALUE = /^\s*(?!--)[^\s:]+\s*:\s*(?:!\s*important\s*)?;?\s*$/i;
/** The inliner treats an attribute selector on `class` as matching nothing. */
const CLASS_IN_NOT = /:not\([^()]*\[\s*class/i;

/** Cheap check for an at-rule without a block, such as `@import`. */
const AT_STATEMENT = /@[^@{};]*;/;
const HTML_COMMENT_MARKS = /<!--|-->/g;

/**
 * Separates at-rules without a block from a style sheet: the inliner takes them for the beginning of the next selector.
 * Returns those that have an effect: `@layer`, and `@import` before the first rule. Also removes the marks of HTML
 * comments, which css ignores.
 */
export function separated(css: string): { readonly rules: string; readonly statements: string } {
  if (!AT_STATEMENT.test(css) && !css.includes('<!--')) return { rules: css, statements: '' };
  let rules = '';
  let statements = '';
  for (const { source, head, block } of statementsOf(css, 'sheet')) {
    const text = withoutComments(source).replaceAll(HTML_COMMENT_MARKS, ' ').trim();
    if (block !== undefined) {
      rules += head.replaceAll(HTML_COMMENT_MARKS, ' ') + source.slice(head.length);
    } else if (/^@layer\b/i.test(text) || (rules === '' && /^@import\b/i.test(text))) {
      statements += text;
    }
  }
  return { rules, statements };
}

export function mayNeedRewrite(css: string): boolean {
  if (!SUSPECT.test(css)) return false;
  // Most style sheets that appear to nest rules only have media queries.
  return !css.includes('@') || SUSPECT.test(css.replaceAll(AT_BLOCKS, ''));
}

/**
 * Rewrites the css of a style element so that the inliner treats it as a browser would. The inliner reads a declaration
 * without a value as one with a value, loses nested rules, and misreads `:not([class])`. Declarations without a value
 * are removed; the others become at-rules that always apply, which the inliner keeps.
 */
export function inlinableCss(css: string): string {
  if (!mayNeedRewrite(css)) return css;
  let made = '';
  for (const statement of statementsOf(css, 'sheet')) made += rewritten(statement);
  return made;
}

/** Removes declarations without a value from a rule or a style attribute. */
export function withoutEmptyDeclarations(css: string): string {
  let made = '';
  for (const { source, block } of statementsOf(css, 'rule')) {
    if (block !== undefined || !NO_VALUE.test(withoutComments(source))) made += source;
  }
  return made;
}

function rewritten({ source, head, block }: Statement): string {
  if (block === undefined || !SUSPECT.test(source) || withoutComments(head).trimStart().startsWith('@'))
    return source;
  const selector = head.replaceAll(HTML_COMMENT_MARKS, '');
  if (CLASS_IN_NOT.test(selector)) return kept(selector, block);
  const cleaned = withoutEmptyDeclarations(block);
  let declarations = '';
  let nested = '';
  for (const statement of statementsOf(cleaned, 'rule')) {
    if (statement.block === undefined) declarations += statement.source;
    else nested += `${statement.head}{${statement.block}}`;
  }
  const flat = declarations.trim() === '' ? '' : `${head}{${declarations}}`;
  return nested === '' ? flat : flat + kept(selector, nested);
}

function kept(selector: string, block: string): string {
  return `@media all{${selector}{${block}}}`;
}

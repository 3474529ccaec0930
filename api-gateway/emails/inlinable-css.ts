import { statementsOf, withoutComments, type Statement } from './css-statements.ts';

/** Finds what may need a rewrite, at little cost: a value that is none, a rule in a rule, a class in `:not`. */
const SUSPECT = /:\s*(?:[;}!]|\/\*|$)|\{[^{}]*\{|:not\([^()]*\[\s*class/i;
const AT_BLOCKS = /@[^{};]*\{/g;
const NO_VALUE = /^\s*(?!--)[^\s:]+\s*:\s*(?:!\s*important\s*)?;?\s*$/i;
/** The inliner takes an attribute selector on `class` for one that matches nothing. */
const CLASS_IN_NOT = /:not\([^()]*\[\s*class/i;

/** Whether `inlinableCss` is worth its time. */
export function mayNeedRewrite(css: string): boolean {
  if (!SUSPECT.test(css)) return false;
  // Most style sheets that look as if rules stood in rules have media queries and nothing else.
  return !css.includes('@') || SUSPECT.test(css.replaceAll(AT_BLOCKS, ''));
}

/**
 * The css of a style element so that the inliner does to it what a browser would. The inliner takes a declaration
 * without a value for one that has one, loses rules within rules, and mistakes `:not([class])`: the first are left out,
 * the others become at-rules that always apply, which the inliner keeps.
 */
export function inlinableCss(css: string): string {
  if (!mayNeedRewrite(css)) return css;
  let made = '';
  for (const statement of statementsOf(css, 'sheet')) made += rewritten(statement);
  return made;
}

/** Declarations, of a rule or a style attribute, without those that have no value. */
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
  const selector = head.replaceAll(/<!--|-->/g, '');
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

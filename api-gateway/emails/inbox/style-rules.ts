import { selectorsOf, statementsOf, withoutComments, type Statement } from './css-statements.ts';
import { declarationsOf, type Declaration } from './declarations.ts';

/** A selector with its declarations. */
export interface StyleRule {
  readonly selector: string;
  readonly specificity: number;
  readonly declarations: readonly Declaration[];
}

/** The rules of a style sheet, grouped by how email clients can use them. */
export interface StyleSheet {
  /** One per selector. Can be inlined. */
  readonly rules: readonly StyleRule[];
  /** At-rules with a block, and rules that cannot be inlined. */
  readonly atRules: string;
  /** `@layer`, and `@import` before the first rule: the at-rules without a block that have an effect. */
  readonly statements: string;
}

/** The inliner treats an attribute selector on `class` as matching nothing, and does not see style attributes. */
const MISREAD = /:not\([^()]*\[\s*(?:class|style)\b/i;
const HTML_COMMENT_MARKS = /<!--|-->/g;

/** Reads a style sheet. Browsers ignore HTML comment delimiters in it. */
export function styleSheetOf(css: string): StyleSheet {
  const rules: StyleRule[] = [];
  const atRules: string[] = [];
  let statements = '';
  let isFirst = true;
  for (const statement of statementsOf(css, 'sheet')) {
    const text = withoutComments(statement.source).replaceAll(HTML_COMMENT_MARKS, ' ').trim();
    if (statement.block === undefined) {
      if (/^@layer\b/i.test(text) || (isFirst && /^@import\b/i.test(text))) statements += text;
      continue;
    }
    isFirst = false;
    const read = text.startsWith('@') ? { atRule: sourceOf(statement) } : readRule(statement);
    rules.push(...(read.rules ?? []));
    if (read.atRule) atRules.push(read.atRule);
  }
  return { rules, atRules: atRules.join(''), statements };
}

function sourceOf({ source, head }: Statement): string {
  return (head.replaceAll(HTML_COMMENT_MARKS, ' ') + source.slice(head.length)).trim();
}

interface ReadRule {
  readonly rules?: readonly StyleRule[];
  readonly atRule?: string;
}

function readRule({ head, block = '' }: Statement): ReadRule {
  const list = head.replaceAll(HTML_COMMENT_MARKS, '').trim();
  const selectors = selectorsOf(list);
  // Browsers ignore the whole rule.
  if (!selectors || selectors.includes('')) return {};
  const declarations = declarationsOf(block);
  const misread = selectors.filter((selector) => MISREAD.test(selector));
  const inlinable = selectors.filter((selector) => !misread.includes(selector));
  const rules = inlinable.map((selector) => ({
    selector,
    specificity: specificityOf(selector),
    declarations,
  }));
  return {
    rules: declarations.length > 0 ? rules : [],
    atRule: kept(inlinable, nestedIn(block)) + kept(misread, block),
  };
}

function nestedIn(block: string): string {
  if (!block.includes('{')) return '';
  const nested = Array.from(statementsOf(block, 'rule'), ({ head, block: inner }) =>
    inner === undefined ? '' : `${head}{${inner}}`,
  );
  return nested.join('');
}

function kept(selectors: readonly string[], block: string): string {
  if (selectors.length === 0 || block === '') return '';
  return `@media all{${selectors.join(',')}{${block}}}`;
}

/** Weights of IDs, classes and elements; a selector has fewer of each than the ratio between two weights. */
const CLASS_WEIGHT = 2 ** 16;
const ID_WEIGHT = 2 ** 32;

/** Specificity of a selector that the inliner supports: it has no `:is`, `:where`, `:has` or pseudo-element. */
function specificityOf(selector: string): number {
  const bare = selector
    .replaceAll(/\\[^]/g, 'x')
    .replaceAll(/\[[^\]]*\]/g, '[')
    .replaceAll(/:(?!not\()[-\w]+(?:\([^()]*\))?/gi, ':');
  const count = (pattern: RegExp) => bare.match(pattern)?.length ?? 0;
  const elements = count(/(?<![-\w#.:\u0080-\uffff])[a-z\u0080-\uffff]/gi);
  return count(/#/g) * ID_WEIGHT + count(/\.|\[|:(?!not\()/gi) * CLASS_WEIGHT + elements;
}

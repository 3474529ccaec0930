import { cssLanguage } from '@codemirror/lang-css';
import type { SyntaxNode } from '@lezer/common';
import { problems as messages } from '../../messages/problems.ts';
import type { TextRange } from '../code/text-position.ts';
import { maskExpressions } from './mask-expressions.ts';
import { nearestName } from './nearest.ts';
import type { TextProblem } from './tag-problems.ts';

/** Longer style sheets are not checked, because that would block typing. */
const MAX_CSS_LENGTH = 300_000;

/** The browser's CSS support. */
export interface CssSupport {
  /** Property names. */
  readonly properties: ReadonlySet<string>;
  /** Whether a property can have a value, like `CSS.supports`. */
  readonly supports: (name: string, value: string) => boolean;
}

/**
 * Finds unknown properties that differ from a known one by one or two letters, and invalid values of known ones. Other
 * unknown properties may be specific to another browser or email client.
 */
export function findPropertyProblems(css: string, support: CssSupport): TextProblem[] {
  if (css.length > MAX_CSS_LENGTH) return [];
  const found: TextProblem[] = [];
  const { masked } = maskExpressions(css);
  cssLanguage.parser.parse(masked).iterate({
    enter: ({ name: type, from, to, node }) => {
      // At-rules such as @font-face have descriptors instead of properties.
      if (type !== 'PropertyName' || node.parent?.parent?.parent?.name !== 'RuleSet') return;
      const name = css.slice(from, to).toLowerCase();
      if (isPartOfBinding(css, { from, to }) || name.startsWith('-')) return;
      const problem = support.properties.has(name)
        ? valueProblem(css, { name, value: valueRange(css, masked, node.parent) }, support)
        : nameProblem({ name, from, to }, support);
      if (problem) found.push(problem);
    },
  });
  return found;
}

/** Whether a binding writes the start or the end of a name. */
function isPartOfBinding(css: string, { from, to }: TextRange): boolean {
  return css.startsWith('{{', to) || css.slice(0, from).endsWith('}}');
}

function nameProblem(
  { name, from, to }: TextRange & { readonly name: string },
  { properties }: CssSupport,
): TextProblem | undefined {
  const suggestion = nearestName(name, properties);
  if (suggestion === undefined) return undefined;
  return { name, from, to, suggestion, message: messages.unknownProperty(name, suggestion) };
}

/** Bindings, and values that are specific to one browser. */
const UNKNOWN_VALUE = /\{\{|(?:^|[\s,(])-(?:webkit|moz|ms|o)-|^progid:|\\\d$/i;
/** Longer values are shown in part. */
const MAX_SHOWN = 40;

function valueProblem(
  css: string,
  { name, value: { from, to } }: { readonly name: string; readonly value: TextRange },
  { supports }: CssSupport,
): TextProblem | undefined {
  const value = css.slice(from, to);
  if (value === '' || UNKNOWN_VALUE.test(value) || supports(name, value)) return undefined;
  const text = value.replaceAll(/\s+/g, ' ');
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  return { name, from, to, message: messages.invalidValue(name, shown) };
}

/** Returns the value of a declaration, without `!important`. A binding at its end belongs to it. */
function valueRange(css: string, masked: string, { firstChild, lastChild, to }: SyntaxNode): TextRange {
  const colon = firstChild?.nextSibling?.to ?? to;
  const rest = css.slice(to, to + masked.slice(to).search(/[;}]|$/));
  const end = lastChild?.name === 'Important' ? lastChild.from : to + (rest.includes('{{') ? rest.length : 0);
  const value = css.slice(colon, end);
  return { from: end - value.trimStart().length, to: colon + value.trimEnd().length };
}

/** The bounds keep the search linear. An entity would have to be decoded. */
const STYLE =
  /(?<tag><style\b[^>]{0,1000}>)(?<sheet>[^]*?)<\/style|(?<name>\sstyle=["'])(?<list>[^"'<>&{}]{1,2000})["']/gi;

/** Returns the style sheets and attributes of an HTML text at their offsets, with spaces for everything else. */
export function stylesIn(html: string): string {
  let css = '';
  const { masked } = maskExpressions(html);
  for (const { groups = {}, index } of masked.matchAll(STYLE)) {
    const { tag = '', sheet = '', name = '', list = '' } = groups;
    const from = index + tag.length + name.length;
    const style = html.slice(from, from + sheet.length + list.length);
    css = list === '' ? css.padEnd(from) + style : `${css.padEnd(from - 2)}p{${style}}`;
  }
  return css;
}

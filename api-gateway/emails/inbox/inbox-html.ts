import { cascade, cssOf, declarationsOf, type Declaration } from './declarations.ts';
import { frameEdits, type FrameParts } from './document-frame.ts';
import { editHtml, escapedText, insertion, styleAttribute, type HtmlEdit } from './html-edits.ts';
import {
  atRuleProblems,
  declarationProblems,
  sizeProblem,
  tagProblems,
  type HtmlProblem,
} from './html-problems.ts';
import { outlineOf, tooMuchCss, type HtmlOutline, type StartTag, type StyleElement } from './html-outline.ts';
import { attributesEnd, matchRules, type Matches } from './rule-matcher.ts';
import { styleSheetOf, type StyleRule, type StyleSheet } from './style-rules.ts';

/** Hidden with every technique that any inbox supports; the email's CSS cannot override these. */
const HIDDEN =
  'display:none!important;visibility:hidden;opacity:0;max-height:0;max-width:0;overflow:hidden;' +
  'font-size:1px;line-height:1px;mso-hide:all';

/**
 * Copies CSS from style elements into style attributes, which inboxes support, and puts the preview text, which inboxes
 * show next to the subject, at the beginning of the body. CSS that cannot be inlined (media queries, fonts, `:hover`,
 * nested rules) is kept in style elements; those with at-rules come last, because they must win. Everything else is
 * left unchanged; missing `html`, `head` and `body` tags are added. Throws MergeFailure, including when the style
 * attributes are larger than `maxBytes`.
 */
export function inboxHtml(html: string, preheader: string, maxBytes = Infinity): InboxHtml {
  const outline = outlineOf(html);
  const sheets = outline.styles.map(({ isForScreens, css }) =>
    isForScreens ? styleSheetOf(html.slice(css.start, css.end)) : undefined,
  );
  const rules = sheets
    .flatMap((sheet) => sheet?.rules ?? [])
    .toSorted((one, other) => one.specificity - other.specificity);
  const matches = matchRules(html, outline, rules);
  const used = new Set([...new Set(matches.values())].flat());
  const unused = new Set(rules.filter((_, index) => !used.has(index)));
  const styles = new InlinedStyles(rules, maxBytes);
  const { frame, sheetLinks } = outline;
  const atRules = sheets.map((sheet) => sheet?.atRules ?? '').join('');
  const parts = {
    ...impliedStyles(outline, matches, styles),
    atRules: styleElement(atRules),
    preview: preheader === '' ? '' : `<div style="${HIDDEN}">${escapedText(preheader)}</div>`,
  };
  const made = editHtml(html, [
    ...frameEdits(html, frame, parts),
    ...sheetLinks.map((range) => ({ ...range, text: '' })),
    ...outline.styles.flatMap((element, index) => sheetEdits(html, element, kept(sheets[index], unused))),
    ...tagEdits(html, outline, matches, styles),
  ]);
  const unchanged = outline.tags.filter(({ style, element }) => style && !matches.has(element));
  const problems = [
    ...sizeProblem(made),
    ...tagProblems(html, outline.tags),
    ...styles.problems(unchanged),
    ...atRuleProblems(atRules),
  ];
  return { html: made, problems };
}

/** HTML for inboxes. */
export interface InboxHtml {
  readonly html: string;
  readonly problems: readonly HtmlProblem[];
}

/** Style attributes beyond this multiple of the maximum size are not built: they may not fit in memory. */
const MAX_GROWTH = 4;

/** Builds style attributes. Most elements of an email share their rules with others. */
class InlinedStyles {
  readonly #rules: readonly StyleRule[];
  readonly #maxBytes: number;
  readonly #made = new Map<readonly number[], Map<string, string>>();
  readonly #cascades: Declaration[][] = [];
  #size = 0;

  constructor(rules: readonly StyleRule[], maxBytes: number) {
    this.#rules = rules;
    this.#maxBytes = maxBytes;
  }

  /** Returns a style attribute for an element that matches rules and already has a style attribute. */
  attribute(rules: readonly number[], own = ''): string {
    const byOwn = this.#made.get(rules) ?? new Map<string, string>();
    this.#made.set(rules, byOwn);
    const made = byOwn.get(own) ?? this.#make(rules, own);
    byOwn.set(own, made);
    this.#size += made.length;
    if (this.#size > this.#maxBytes * MAX_GROWTH) throw tooMuchCss();
    return made;
  }

  /** Returns the problems with the attributes, including those that no rule changes. */
  problems(unchanged: readonly StartTag[]): HtmlProblem[] {
    const own = new Set(unchanged.flatMap(({ style }) => (style ? [style.value] : [])));
    return [...this.#cascades, ...Array.from(own, declarationsOf)].flatMap(declarationProblems);
  }

  #make(indexes: readonly number[], own: string): string {
    const rules = indexes.map((index) => this.#rules[index]?.declarations ?? []);
    const declarations = cascade([...rules, declarationsOf(own)]);
    this.#cascades.push(declarations);
    return styleAttribute(cssOf(declarations));
  }
}

function impliedStyles(
  { implied }: HtmlOutline,
  matches: Matches,
  styles: InlinedStyles,
): Pick<FrameParts, 'html' | 'body'> {
  const of = (name: string) => {
    const element = implied.find((each) => each.name === name);
    const rules = element && matches.get(element);
    return rules ? ` ${styles.attribute(rules)}` : '';
  };
  return { html: of('html'), body: of('body') };
}

function tagEdits(html: string, { tags }: HtmlOutline, matches: Matches, styles: InlinedStyles): HtmlEdit[] {
  const edits: HtmlEdit[] = [];
  for (const [{ name, startIndex, endIndex }, rules] of matches) {
    // The author left out the tag.
    if (startIndex !== null && endIndex === null)
      edits.push(insertion(startIndex, `<${name} ${styles.attribute(rules)}>`));
  }
  for (const tag of tags) {
    const rules = matches.get(tag.element);
    if (!rules) continue;
    const attribute = styles.attribute(rules, tag.style?.value);
    if (tag.style) edits.push({ ...tag.style, text: attribute });
    else edits.push(insertion(attributesEnd(html, tag), ` ${attribute}`));
  }
  return edits;
}

/** CSS that remains in a style element; undefined if the element is left unchanged. */
function kept(sheet: StyleSheet | undefined, unused: ReadonlySet<StyleRule>): Kept | undefined {
  if (!sheet) return undefined;
  const rules: string[] = [];
  let list: StyleRule[] = [];
  const flush = () => {
    const [first] = list;
    const selectors = list.map(({ selector }) => selector).join(', ');
    if (first) rules.push(`${selectors} { ${cssOf(first.declarations, ' ')} }`);
    list = [];
  };
  for (const rule of sheet.rules) {
    if (!unused.has(rule)) continue;
    if (list[0]?.declarations !== rule.declarations) flush();
    list.push(rule);
  }
  flush();
  return { css: rules.join('\n'), statements: sheet.statements };
}

interface Kept {
  readonly css: string;
  readonly statements: string;
}

function sheetEdits(html: string, { start, end, css }: StyleElement, left: Kept | undefined): HtmlEdit[] {
  const parts = left ? [left.css, left.statements].filter(Boolean) : [html.slice(css.start, css.end)];
  if (parts.every((part) => part.trim() === '')) return [{ start, end, text: '' }];
  return left ? [{ ...css, text: parts.join('</style><style>') }] : [];
}

function styleElement(css: string): string {
  return css === '' ? '' : `<style>${css}</style>`;
}

import { MergeFailure } from '@trifold/platform/templating/merge/merge-failure.ts';
import { Parser } from 'htmlparser2';
import { inlinableCss, separated, withoutEmptyDeclarations } from './inlinable-css.ts';

/** Nesting depth that the inliner always handles; slightly more overflows its stack. */
const DEEPEST_NESTING = 1400;
/**
 * Maximum number of open elements, as time grows with their square. The limit is higher than that of the inliner
 * because the count includes elements without an end tag, which do not always nest.
 */
const MOST_OPEN_ELEMENTS = 5000;
const WITHOUT_VALUE = /:\s*(?:[;!]|\/\*|$)/;
/** Makes the inliner skip a style element. */
export const LEFT_ALONE_NAME = 'data-css-inline';
const LEFT_ALONE = ` ${LEFT_ALONE_NAME}="ignore"`;

export interface InlinableHtml {
  readonly html: string;
  /** Its document type, which the inliner shortens. It decides the layout of pictures in tables. */
  readonly doctype: string | undefined;
  /** Maximum number of elements that are open at the same time. */
  readonly depth: number;
}

/**
 * Prepares html so that the inliner treats its css as a browser would: it marks style elements for specific media or in
 * a language other than css so that the inliner skips them, moves `@import` and `@layer` into style elements of this
 * kind, and rewrites css with `inlinableCss`. Call `withoutMarks`
 * after the inliner. Throws MergeFailure when too many elements are open.
 */
export function inlinableHtml(html: string): InlinableHtml {
  const edits: HtmlEdit[] = [];
  let open = 0;
  let depth = 0;
  let css: number | undefined;
  let doctype: string | undefined;
  const parser = new Parser({
    onprocessinginstruction(name, data) {
      if (name === '!doctype') doctype ??= `<${data}>`;
    },
    onattribute(name, value) {
      if (name !== 'style' || !WITHOUT_VALUE.test(value)) return;
      const text = `style=${quotedAttribute(withoutEmptyDeclarations(value))}`;
      edits.push({ start: parser.startIndex, end: parser.endIndex, text });
    },
    onopentag(name, attributes) {
      open += 1;
      depth = Math.max(depth, open);
      if (open > MOST_OPEN_ELEMENTS) throw nestsTooDeep(open);
      if (name !== 'style') return;
      const end = parser.endIndex;
      if (isForScreens(attributes)) css = end + 1;
      else edits.push({ start: end, end, text: LEFT_ALONE });
    },
    onclosetag(name) {
      open -= 1;
      if (name !== 'style' || css === undefined) return;
      const [start, end] = [css, parser.startIndex];
      const { statements, rules } = separated(html.slice(start, end));
      const another = statements === '' ? '' : `</style><style${LEFT_ALONE}>${statements}`;
      edits.push({ start, end, text: inlinableCss(rules) + another });
      css = undefined;
    },
  });
  parser.end(html);
  return { html: editHtml(html, edits), doctype, depth };
}

/** Removes the marks that `inlinableHtml` adds for the inliner. */
export function withoutMarks(html: string): string {
  return html.replaceAll(`${LEFT_ALONE}>`, '>');
}

/** Returns why the inliner failed on html of this depth. */
export function inlinerFailure(depth: number, cause: unknown): MergeFailure {
  if (depth > DEEPEST_NESTING) return nestsTooDeep(depth, cause);
  return new MergeFailure('merge_failed', 'the CSS could not be inlined: use less CSS, or fewer elements', {
    cause,
  });
}

function nestsTooDeep(depth: number, cause?: unknown): MergeFailure {
  const reason = `the HTML is nested too deeply, with ${depth} levels of elements; at most ${DEEPEST_NESTING} are allowed`;
  return new MergeFailure('merge_failed', `the CSS could not be inlined: ${reason}`, { cause });
}

/** Whether a browser uses the element as css on a screen, where people read emails. */
function isForScreens({ type = '', media = '' }: Readonly<Record<string, string>>): boolean {
  if (!['', 'text/css'].includes(type.trim().toLowerCase())) return false;
  return media
    .toLowerCase()
    .split(',')
    .some((medium) => ['', 'all', 'screen'].includes(medium.trim()));
}

/** Replaces the characters from `start` to `end` by `text`. */
export interface HtmlEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that are in order and do not overlap. */
export function editHtml(html: string, edits: readonly HtmlEdit[]): string {
  let edited = '';
  let from = 0;
  for (const { start, end, text } of edits) {
    edited += html.slice(from, start) + text;
    from = end;
  }
  return edited + html.slice(from);
}

/** Returns the value as a quoted attribute value. */
export function quotedAttribute(value: string): string {
  return `"${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`;
}

/** Returns the text escaped as the content of an element. */
export function escapedText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

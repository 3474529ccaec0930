import type { WarningCode } from '@trifold/crds';
import { srcsetUrls } from '@trifold/platform/templating/srcset-urls.ts';
import { statementsOf } from './css-statements.ts';
import { declarationsOf, type Declaration } from './declarations.ts';
import type { StartTag } from './html-outline.ts';
import { isMergeTag } from './merge-tags.ts';

/** A reason why inboxes may not show an email as intended. */
export interface HtmlProblem {
  readonly code: WarningCode;
  readonly message: string;
  /** Subject of the problem. It may contain data, unless it occurs in the template. */
  readonly name: string;
  /** Name to use if the subject does not occur in the template. */
  readonly kind: string;
  /** Text to search for in the template to locate the subject. */
  readonly literals: readonly string[];
}

/** Gmail clips the HTML of an email after this many bytes. */
const GMAIL_BYTES = 102 * 1024;
/** Maximum number of recorded problems: more than the number of warnings an email can have. */
const MAX_PROBLEMS = 100;
/** Attributes that contain one or more addresses that an inbox loads or opens. */
const ADDRESSES = ['href', 'src', 'srcset', 'background', 'poster', 'action', 'formaction'] as const;
/** Matches an address that has a scheme, refers to an anchor in the email, or is empty because its binding is empty. */
const NOT_RELATIVE = /^\s*(?:[a-z][a-z\d+.-]*:|#|$)/i;
const CSS_STRING = /"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'/g;
const VARIABLE = /(?<![-\w])var\(\s*(--[^\s,)]+)/i;
/** At-rules that contain rules, and the nesting depth to which they are read. */
const HAS_RULES = /^\s*@(?:media|supports|layer|container)\b/i;
const MAX_DEPTH = 5;
const MAY_HAVE_PROBLEM = /(?:var|url)\(/i;
const URL_IN_CSS = /url\(\s*(?:"([^"]*)"|'([^']*)'|([^"'\s)]*))/gi;

/** Returns the problems with the tags in the body of `html`. */
export function tagProblems(html: string, tags: readonly StartTag[]): HtmlProblem[] {
  const problems: HtmlProblem[] = [];
  for (const tag of tags) {
    if (problems.length >= MAX_PROBLEMS) break;
    const { name, attribs: attributes } = tag.element;
    if (name === 'img' && attributes['alt'] === undefined) problems.push(altMissing(html, tag));
    for (const attribute of ADDRESSES) {
      const value = attributes[attribute] ?? '';
      const address = addressesIn(attribute, value).find(isRelative);
      if (address === undefined) continue;
      const literals = [value, value.replaceAll('&', '&amp;')].flatMap((text) =>
        ['"', "'", ''].map((quote) => `${attribute}=${quote}${text}${quote}`),
      );
      problems.push(relative(address, `${name}[${attribute}]`, literals));
    }
  }
  return problems;
}

/** Returns the problems with the declarations of an element or a rule. */
export function declarationProblems(declarations: readonly Declaration[]): HtmlProblem[] {
  const found = declarations.filter(({ value }) => MAY_HAVE_PROBLEM.test(value)).slice(0, MAX_PROBLEMS);
  if (found.length === 0) return [];
  const supported = new Set(declarations.flatMap(({ name, value }) => (VARIABLE.test(value) ? [] : [name])));
  return found.flatMap(({ name, value }) => {
    const problems = Array.from(value.matchAll(URL_IN_CSS), ([, double, single, bare]) => {
      const url = double ?? single ?? bare ?? '';
      return isRelative(url) ? [relative(url, 'url()', [url])] : [];
    }).flat();
    const variable = VARIABLE.exec(value.replaceAll(CSS_STRING, ''))?.[1];
    if (variable === undefined || name.startsWith('--') || supported.has(name)) return problems;
    const message = 'Many email clients do not support var(), so they ignore the declaration.';
    const literals = [`var(${variable}`, variable];
    return [...problems, { code: 'css_variable', message, name: variable, kind: 'var()', literals }];
  });
}

/** Returns the problems with at-rules, which stay in a style element. */
export function atRuleProblems(css: string): HtmlProblem[] {
  return MAY_HAVE_PROBLEM.test(css) ? [...blocksIn(css, MAX_DEPTH)].flatMap(declarationProblems) : [];
}

/** Returns the declarations of each rule in the at-rules, up to a nesting depth. */
function* blocksIn(css: string, depth: number): Generator<Declaration[]> {
  for (const { head, block = '' } of statementsOf(css, 'sheet')) {
    if (!HAS_RULES.test(head)) yield declarationsOf(block);
    else if (depth > 0) yield* blocksIn(block, depth - 1);
  }
}

/** Returns the problem with overlong HTML. */
export function sizeProblem(html: string): HtmlProblem[] {
  // A UTF-16 code unit takes at most three bytes.
  if (html.length * 3 <= GMAIL_BYTES || Buffer.byteLength(html) <= GMAIL_BYTES) return [];
  const size = Math.ceil(Buffer.byteLength(html) / 1024);
  const message = `The HTML is ${size} KB. Gmail clips emails larger than 102 KB.`;
  return [{ code: 'email_clipped', message, name: 'html', kind: 'html', literals: [] }];
}

function altMissing(html: string, { start, end, element }: StartTag): HtmlProblem {
  const message = 'An image has no alternative text, which many email clients show instead of the image.';
  const { src = '' } = element.attribs;
  return { code: 'alt_missing', message, name: src, kind: 'img', literals: [html.slice(start, end), src] };
}

function relative(name: string, kind: string, literals: readonly string[]): HtmlProblem {
  const message = 'A URL is relative, so it does not work in an email.';
  return { code: 'address_relative', message, name, kind, literals };
}

/** A merge tag may contain spaces. */
function addressesIn(attribute: (typeof ADDRESSES)[number], value: string): string[] {
  return attribute === 'srcset' && !isMergeTag(value) ? srcsetUrls(value) : [value];
}

function isRelative(address: string): boolean {
  return !NOT_RELATIVE.test(address) && !isMergeTag(address);
}

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { initWasm, inline } from '@css-inline/css-inline-wasm';
import { MergeFailure } from '@trifold/platform/templating/merge/merge-failure.ts';
import { inlinerFailure, type HtmlOutline, type StartTag } from './html-outline.ts';
import type { StyleRule } from './style-rules.ts';

/** Errors that WebAssembly throws when its memory or stack is full, or on an internal error. */
const TRAPS: ReadonlySet<string> = new Set(['RuntimeError', 'RangeError']);

/**
 * Whether the inliner exceeded its limits and cannot be used again in this process. Also true for a result that is too
 * long for a string.
 */
export function isInlinerTrap(error: unknown): boolean {
  const { name, code } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  return TRAPS.has(name ?? '') || code === 'ERR_STRING_TOO_LONG';
}

let prepared: Promise<void> | undefined;

/**
 * Initializes the inliner in this process; further calls do nothing. The inliner is WebAssembly and has no access to
 * files or the network.
 */
export async function prepareInliner(): Promise<void> {
  const file = new URL(import.meta.resolve('@css-inline/css-inline-wasm/index_bg.wasm'));
  await (prepared ??= initWasm({ module_or_path: readFileSync(file) }));
}

/** Elements that a parser adds when the author left out their start tags. */
export type ImpliedElement = 'html' | 'body' | 'tbody' | 'tr' | 'colgroup';

/** What an element gets: indexes of rules, the weakest rule first. */
export interface Match {
  readonly rules: readonly number[];
}

/** An element without a start tag. The tag of the next element has the index `before`. */
export interface ImpliedMatch extends Match {
  readonly name: ImpliedElement;
  readonly before: number | undefined;
}

export interface Matches {
  /** By the index of the tag. */
  readonly tags: ReadonlyMap<number, Match>;
  readonly implied: readonly ImpliedMatch[];
  /** The different ones. */
  readonly all: readonly Match[];
}

/**
 * Begins the names of the attribute with the number of a tag and of the property with the number of a rule. No author
 * knows it. The inliner is fastest with names of at most seven bytes.
 */
const NAME = `x${randomBytes(3).toString('hex')}`;
/** The inliner sorts the attributes, and adds the style at the end. */
const FOUND = new RegExp(
  ` ${NAME}="(\\d+)"(?: [^\\s"=]+="[^"]*")*?(?: style="([^"]*)")?>|<(html|body|tbody|tr|colgroup) style="(${NAME}[^"]*)"`,
  'g',
);
const RULE = new RegExp(`${NAME}-(\\d+)`, 'g');
/** In a selector that needs more than names, classes and ids. */
const OTHER_CONDITIONS = /[[:]/;

/**
 * Finds the elements that each rule applies to. The inliner gets the tags of the HTML with their numbers, and for each
 * rule a declaration with its number, so that its result tells which rules apply. It needs no texts, and less time
 * without them. Throws MergeFailure.
 */
export function matchRules(html: string, outline: HtmlOutline, rules: readonly StyleRule[]): Matches {
  const extraCss = rules
    .map(({ selector }, index) => `${inLowercase(selector)}{${NAME}-${index}:0}`)
    .join('');
  const options = { inlineStyleTags: false, keepStyleTags: true, loadRemoteStylesheets: false, extraCss };
  const needsAttributes = rules.some(({ selector }) => OTHER_CONDITIONS.test(selector));
  try {
    return matchesIn(inline(numbered(html, outline, needsAttributes), options), rules);
  } catch (error) {
    if (isInlinerTrap(error)) throw inlinerFailure(outline.depth, error);
    throw new MergeFailure('merge_failed', 'the CSS could not be inlined: it is not valid');
  }
}

/** The inliner does not find elements by names in capitals. */
function inLowercase(selector: string): string {
  if (selector.includes('[')) return selector;
  return selector.replaceAll(/(?:^|[\s>+~(])[a-z][-\w]*/gi, (name) => name.toLowerCase());
}

/** The style attributes are left out, because the inliner fails for some of them. */
function numbered(html: string, { tags, texts }: HtmlOutline, needsAttributes: boolean): string {
  let made = '';
  let from = 0;
  let nextText = 0;
  const copyUntil = (end: number) => {
    for (let text = texts[nextText]; text && text.start < end; text = texts[(nextText += 1)]) {
      made += html.slice(from, text.start);
      from = text.end;
    }
    made += html.slice(from, end);
  };
  for (const [index, tag] of tags.entries()) {
    copyUntil(tag.start);
    const end = attributesEnd(html, tag);
    made += needsAttributes ? withoutStyle(html, tag, end) : `<${tag.name}${tag.identity}`;
    // Only the inliner writes quotes, so a text that looks like a tag is not one in its result.
    made += ` ${NAME}=${index} `;
    from = end;
  }
  copyUntil(html.length);
  return made;
}

function withoutStyle(html: string, { start, style }: StartTag, end: number): string {
  return style ? html.slice(start, style.start) + html.slice(style.end, end) : html.slice(start, end);
}

/** Where a start tag takes another attribute. A slash after an unquoted value belongs to the value. */
export function attributesEnd(html: string, { start, end, name }: StartTag): number {
  if (html[end - 2] !== '/') return end - 1;
  const isSelfClosing = end - start === name.length + 3 || /[\s"']/.test(html.charAt(end - 3));
  return isSelfClosing ? end - 2 : end - 1;
}

function matchesIn(inlined: string, rules: readonly StyleRule[]): Matches {
  const tags = new Map<number, Match>();
  const implied: ImpliedMatch[] = [];
  let waiting: (Match & { readonly name: ImpliedElement })[] = [];
  const byStyle = new Map<string, Match>();
  const matchOf = (style: string): Match => {
    const match = byStyle.get(style) ?? { rules: inOrder(style, rules) };
    byStyle.set(style, match);
    return match;
  };
  for (const [, index, style, name, impliedStyle] of inlined.matchAll(FOUND)) {
    if (name !== undefined) {
      waiting.push({ name: name as ImpliedElement, ...matchOf(impliedStyle ?? '') });
      continue;
    }
    implied.push(...waiting.map((each) => ({ ...each, before: Number(index) })));
    waiting = [];
    // A parser may repeat an element that is closed in the wrong order.
    if (style !== undefined && !tags.has(Number(index))) tags.set(Number(index), matchOf(style));
  }
  implied.push(...waiting.map((each) => ({ ...each, before: undefined })));
  return { tags, implied, all: [...byStyle.values()] };
}

/** The inliner has an order of its own for rules of equal specificity. */
function inOrder(style: string, rules: readonly StyleRule[]): number[] {
  const found = Array.from(style.matchAll(RULE), ([, index]) => Number(index));
  const specificity = (index: number) => rules[index]?.specificity ?? 0;
  return found.toSorted((one, other) => specificity(one) - specificity(other) || one - other);
}

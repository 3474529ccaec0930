import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { initWasm, inline } from '@css-inline/css-inline-wasm';
import { MergeFailure } from '@trifold/platform/templating/merge/merge-failure.ts';
import { Element } from 'domhandler';
import { editHtml, insertion } from './html-edits.ts';
import {
  DEEPEST_NESTING,
  inlinerFailure,
  type HtmlOutline,
  type ImpliedElement,
  type StartTag,
} from './html-outline.ts';
import { SelectorMatchers } from './selector-matcher.ts';
import type { StyleRule } from './style-rules.ts';

const FRAME: ReadonlySet<string> = new Set(['html', 'body']);
/** Errors that WebAssembly throws when its memory or stack is full, or on an internal error. */
const TRAPS: ReadonlySet<string> = new Set(['RuntimeError', 'RangeError']);

/**
 * Whether the inliner exceeded its limits and cannot be used again in this process. Also true if the result is too long
 * for a string.
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

/** The indexes of the rules that apply to an element, weakest first. */
export interface Match {
  readonly rules: readonly number[];
}

export interface Matches {
  /** By the index of the tag. */
  readonly tags: ReadonlyMap<number, Match>;
  readonly implied: readonly (ImpliedElement & Match)[];
  /** The distinct ones. */
  readonly all: readonly Match[];
}

/**
 * Finds the elements that each rule applies to, by the inliner where we cannot. `rules` are in ascending order of their
 * strength. Throws MergeFailure.
 */
export function matchRules(html: string, outline: HtmlOutline, rules: readonly StyleRule[]): Matches {
  const matchers = new SelectorMatchers(html, rules, outline.isPlain);
  const found = inlinerMatches(html, outline, matchers.others);
  const all = new Map<string, Match>();
  const matchOf = (element: Element, style?: string): Match | undefined => {
    const indexes = matchers.matching(element);
    if (style !== undefined) indexes.push(...indexesIn(style));
    indexes.sort((one, other) => one - other);
    const key = indexes.join();
    const match = all.get(key) ?? { rules: indexes };
    all.set(key, match);
    return key === '' ? undefined : match;
  };
  const tags = new Map<number, Match>();
  for (const [index, { element }] of outline.tags.entries()) {
    const match = matchOf(element, found.tags.get(index));
    if (match) tags.set(index, match);
  }
  const elements = new Map([...found.implied, ...outline.implied].map((each) => [impliedKey(each), each]));
  const styles = new Map(found.implied.map((each) => [impliedKey(each), each.style]));
  const implied = Array.from(elements, ([key, { element, at }]) => {
    const match = matchOf(element, styles.get(key));
    return match ? [{ element, at, ...match }] : [];
  });
  return { tags, implied: implied.flat(), all: [...all.values()] };
}

function impliedKey({ element, at = -1 }: ImpliedElement): string {
  return `${element.name} ${at}`;
}

/**
 * Random prefix of two names that authors cannot guess: the attribute that holds a tag's number and the property that
 * holds a rule's number. The inliner is fastest with names of at most seven bytes.
 */
const NAME = `x${randomBytes(3).toString('hex')}`;
/** The inliner sorts the attributes, and adds the style at the end. */
const STYLED = / (?:[^\s"=]+="[^"]*" )*?style="([^"]*)">/y;
const RULE = new RegExp(`${NAME}-(\\d+)`, 'g');
const IMPLIED = new RegExp(`<(html|body|tbody|tr|colgroup) style="(${NAME}[^"]*)"`, 'g');

/** Style attributes that the inliner generated. */
interface InlinerMatches {
  /** By the index of the tag. */
  readonly tags: ReadonlyMap<number, string>;
  readonly implied: readonly (ImpliedElement & { readonly style: string })[];
}

/**
 * The inliner receives the HTML's tags with their numbers and one declaration per rule with the rule's number, so that
 * its result shows which rules apply.
 */
function inlinerMatches(
  html: string,
  outline: HtmlOutline,
  selectors: ReadonlyMap<number, string>,
): InlinerMatches {
  // HTML nested too deeply for the inliner is also too deep for the text alternative.
  if (selectors.size === 0 && outline.depth <= DEEPEST_NESTING) return { tags: new Map(), implied: [] };
  const extraCss = Array.from(selectors, ([index, selector]) => `${selector}{${NAME}-${index}:0}`).join('');
  const options = { inlineStyleTags: false, keepStyleTags: true, loadRemoteStylesheets: false, extraCss };
  try {
    return matchesIn(inline(numbered(html, outline), options), outline);
  } catch (error) {
    if (isInlinerTrap(error)) throw inlinerFailure(outline.depth, error);
    throw new MergeFailure('merge_failed', 'the CSS could not be inlined: it is not valid');
  }
}

/** Style attributes are left out because the inliner fails on some of them. */
function numbered(html: string, { tags, texts }: HtmlOutline): string {
  const numbers = tags.flatMap((tag, index) => {
    // Only the inliner writes quotes, so text that looks like a tag is never one in its result.
    const number = insertion(attributesEnd(html, tag), ` ${NAME}=${index} `);
    return tag.style ? [{ ...tag.style, text: '' }, number] : [number];
  });
  // It shows that the element is not empty, and where unclosed elements continue.
  return editHtml(html, [...texts.map((text) => ({ ...text, text: 'x' })), ...numbers]);
}

/** Where another attribute can be inserted into a start tag. A slash after an unquoted value is part of the value. */
export function attributesEnd(html: string, { start, end, name }: StartTag): number {
  if (html[end - 2] !== '/') return end - 1;
  const isSelfClosing = end - start === name.length + 3 || /[\s"']/.test(html.charAt(end - 3));
  return isSelfClosing ? end - 2 : end - 1;
}

const NUMBER = ` ${NAME}="`;

function matchesIn(inlined: string, outline: HtmlOutline): InlinerMatches {
  const tags = new Map<number, string>();
  for (const piece of inlined.split(NUMBER).slice(1)) {
    const end = piece.indexOf('"');
    STYLED.lastIndex = end + 1;
    const style = STYLED.exec(piece)?.[1];
    const index = Number(piece.slice(0, end));
    // A parser may duplicate an element that is closed in the wrong order.
    if (style !== undefined && !tags.has(index)) tags.set(index, style);
  }
  const implied = Array.from(inlined.matchAll(IMPLIED), ({ index, 1: name = '', 2: style = '' }) => {
    const next = inlined.indexOf(NUMBER, index);
    const before =
      next < 0 || FRAME.has(name) ? -1 : Number.parseInt(inlined.slice(next + NUMBER.length), 10);
    return { element: new Element(name, {}), at: outline.tags[before]?.start, style };
  });
  return { tags, implied };
}

function indexesIn(style: string): number[] {
  return Array.from(style.matchAll(RULE), ([, index]) => Number(index));
}

import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { initWasm, inline } from '@css-inline/css-inline-wasm';
import { MergeFailure } from '@trifold/platform/templating/merge/merge-failure.ts';
import { Element } from 'domhandler';
import { editHtml, insertion } from './html-edits.ts';
import { DEEPEST_NESTING, inlinerFailure, type HtmlOutline, type StartTag } from './html-outline.ts';
import { SelectorMatchers } from './selector-matcher.ts';
import type { StyleRule } from './style-rules.ts';

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

/** The indexes of the rules that apply to an element, weakest first. Equal lists are the same array. */
export type Matches = ReadonlyMap<Element, readonly number[]>;

/**
 * Finds the elements that each rule applies to, using the inliner where we cannot match them. `rules` are in ascending
 * order of strength. Throws MergeFailure.
 */
export function matchRules(html: string, outline: HtmlOutline, rules: readonly StyleRule[]): Matches {
  const matchers = new SelectorMatchers(html, rules, outline.isPlain);
  const found = inlinerMatches(html, outline, matchers.others);
  const elements = [...outline.tags.map(({ element }) => element), ...outline.implied, ...found.keys()];
  const distinct = new Map<string, readonly number[]>();
  const matches = new Map<Element, readonly number[]>();
  for (const element of new Set(elements)) {
    const indexes = [...matchers.matching(element), ...(found.get(element) ?? [])];
    if (indexes.length === 0) continue;
    const key = indexes.sort((one, other) => one - other).join();
    const known = distinct.get(key) ?? indexes;
    distinct.set(key, known);
    matches.set(element, known);
  }
  return matches;
}

/**
 * Random prefix of two names that authors cannot guess: the attribute for a tag's number and the property for a rule's
 * number. The inliner is fastest with names of at most seven bytes.
 */
const NAME = `x${randomBytes(3).toString('hex')}`;
/** The inliner sorts the attributes, and adds the style at the end. */
const STYLED = / (?:[^\s"=]+="[^"]*" )*?style="([^"]*)">/y;
const RULE = new RegExp(`${NAME}-(\\d+)`, 'g');
const FRAME: ReadonlySet<string> = new Set(['html', 'body']);
const IMPLIED = new RegExp(`<(html|body|tbody|tr|colgroup) style="(${NAME}[^"]*)"`, 'g');

/**
 * The inliner receives the HTML's tags with their numbers and one declaration per rule with the rule's number, so that
 * its result shows which rules apply.
 */
function inlinerMatches(html: string, outline: HtmlOutline, selectors: ReadonlyMap<number, string>): Matches {
  // HTML nested too deeply for the inliner is also too deep for the text alternative.
  if (selectors.size === 0 && outline.depth <= DEEPEST_NESTING) return new Map();
  const extraCss = Array.from(selectors, ([index, selector]) => `${selector}{${NAME}-${index}:0}`).join('');
  const options = { inlineStyleTags: false, keepStyleTags: true, loadRemoteStylesheets: false, extraCss };
  try {
    const inlined = inline(numbered(html, outline), options);
    return new Map([...taggedMatches(inlined, outline), ...impliedMatches(inlined, outline)]);
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
  // The `x` shows that the element is not empty, and where unclosed elements continue.
  return editHtml(html, [...texts.map((text) => ({ ...text, text: 'x' })), ...numbers]);
}

/**
 * Position in a start tag at which another attribute can be inserted. A slash after an unquoted value is part of the
 * value.
 */
export function attributesEnd(html: string, { start, end, element }: StartTag): number {
  if (html[end - 2] !== '/') return end - 1;
  const isSelfClosing = end - start === element.name.length + 3 || /[\s"']/.test(html.charAt(end - 3));
  return isSelfClosing ? end - 2 : end - 1;
}

const NUMBER = ` ${NAME}="`;

function taggedMatches(inlined: string, { tags }: HtmlOutline): Matches {
  const matches = new Map<Element, readonly number[]>();
  for (const piece of inlined.split(NUMBER).slice(1)) {
    const end = piece.indexOf('"');
    STYLED.lastIndex = end + 1;
    const style = STYLED.exec(piece)?.[1];
    const element = tags[Number(piece.slice(0, end))]?.element;
    // A parser may duplicate an element that is closed in the wrong order.
    if (style !== undefined && element && !matches.has(element)) matches.set(element, indexesIn(style));
  }
  return matches;
}

function impliedMatches(inlined: string, { tags, implied }: HtmlOutline): Matches {
  const known = new Map(implied.map((element) => [impliedKey(element), element]));
  const found = Array.from(inlined.matchAll(IMPLIED), ({ index, 1: name = '', 2: style = '' }) => {
    const element = new Element(name, {});
    const next = FRAME.has(name) ? -1 : inlined.indexOf(NUMBER, index);
    if (next >= 0)
      element.startIndex = tags[Number.parseInt(inlined.slice(next + NUMBER.length), 10)]?.start ?? null;
    return [known.get(impliedKey(element)) ?? element, indexesIn(style)] as const;
  });
  return new Map(found);
}

function impliedKey({ name, startIndex }: Element): string {
  return `${name} ${startIndex}`;
}

function indexesIn(style: string): number[] {
  return Array.from(style.matchAll(RULE), ([, index]) => Number(index));
}

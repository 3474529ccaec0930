import { compile } from 'css-select';
import type { Element } from 'domhandler';
import type { StyleRule } from './style-rules.ts';

/** Whether an element matches a selector. */
type Matcher = (element: Element) => boolean;

const NAME = String.raw`[a-z_][\w-]*`;
const CLASSES_AND_IDS = `(?:[.#]${NAME})`;
/** The inliner treats attribute selectors on `class` as matching nothing, and does not see style attributes. */
const ATTRIBUTE = String.raw`\[(?!class\b|style\b)${NAME}(?:[~|^$*]?=(?:${NAME}|"[^"\\]*"|'[^'\\]*'))?\]`;
const NTH = String.raw`\((?:even|odd|[+-]?\d+|[+-]?\d*n(?:\s*[+-]\s*\d+)?)\)`;
const PSEUDO_CLASS = `:(?:link|root|(?:first|last|only)-(?:child|of-type)|nth-(?:last-)?(?:child|of-type)${NTH})`;
const TEST = `${CLASSES_AND_IDS}|${ATTRIBUTE}|${PSEUDO_CLASS}`;
const COMPOUND = String.raw`(?:\*|[a-z][\w-]*)?(?:${TEST}|:not\((?:[a-z][\w-]*|${TEST})\))*`;
/** A compound selector with the combinator before it. */
const STEP = new RegExp(String.raw`(^|(?<=.)(?:\s*[>+~]\s*|\s+))(?=[^\s>+~])(${COMPOUND})`, 'giy');
/** A parser adds elements with these names where their start tags are missing. */
const ONE_TAG = new RegExp(`^(?!(?:tbody|tr|colgroup)(?![\\w-]))(?:[a-z][\\w-]*)?${CLASSES_AND_IDS}*$`, 'i');

/** An element's state or part, which a style attribute cannot express, or an attribute the inliner does not see. */
const NOT_INLINABLE = /:(?::|before|after|hover|active|focus|visited|target)|\[\s*(?:class|style)\b/i;
/** Selector characters that can distinguish elements whose tags, and the tags around them, are the same. */
const POSITION = /[+~:]/;

/** Elements whose tags, and the tags around them, are the same. */
interface Kind {
  readonly children: Map<string, Kind>;
  /** The indexes of the rules that apply to all of them. */
  readonly rules: readonly number[];
}

/**
 * The selectors of rules that are matched without the inliner, because it is slow. In HTML that does not nest plainly,
 * these inspect a single tag, because only the inliner can determine the tags around it.
 */
export class SelectorMatchers {
  /** The selectors that need the inliner, by the index of their rule. */
  readonly others = new Map<number, string>();
  readonly #html: string;
  /** Matchers with the indexes of their rules. */
  readonly #byKind: [number, Matcher][] = [];
  readonly #byElement: [number, Matcher][] = [];
  readonly #kinds = new Map<Element | null, Kind>([[null, { children: new Map(), rules: [] }]]);

  constructor(html: string, rules: readonly StyleRule[], isPlain: boolean) {
    this.#html = html;
    for (const [index, { selector }] of rules.entries()) {
      const matcher = isPlain || ONE_TAG.test(selector) ? matcherOf(selector) : undefined;
      if (matcher) (POSITION.test(selector) ? this.#byElement : this.#byKind).push([index, matcher]);
      else if (!NOT_INLINABLE.test(selector)) this.others.set(index, inLowercase(selector));
    }
  }

  /** Returns the indexes of the rules that apply to an element. Call it for the surrounding elements first. */
  matching(element: Element): number[] {
    return [...this.#kindOf(element).rules, ...matchingOf(this.#byElement, element)];
  }

  #kindOf(element: Element): Kind {
    const known = this.#kinds.get(element);
    if (known) return known;
    const { name, parent, startIndex, endIndex } = element;
    const { children } = this.#kindOf(parent as Element);
    const tag = name + this.#html.slice(startIndex ?? 0, endIndex ?? 0);
    const kind = children.get(tag) ?? { children: new Map(), rules: matchingOf(this.#byKind, element) };
    children.set(tag, kind);
    this.#kinds.set(element, kind);
    return kind;
  }
}

function matchingOf(matchers: readonly [number, Matcher][], element: Element): number[] {
  return matchers.flatMap(([index, matches]) => (matches(element) ? index : []));
}

/** Returns undefined if only the inliner can match the selector. */
function matcherOf(selector: string): Matcher | undefined {
  let matcher: Matcher | undefined;
  let end = 0;
  for (const [step, combinator = '', compound = ''] of selector.matchAll(STEP)) {
    const isElement = compile<Element, Element>(compound);
    const isRelated = matcher && related(combinator.trim(), matcher);
    matcher = isRelated ? (element) => isElement(element) && isRelated(element) : isElement;
    end += step.length;
  }
  return end === selector.length ? matcher : undefined;
}

/** Whether any element that the combinator leads to matches. Takes linear time for all elements together. */
function related(combinator: string, matches: Matcher): Matcher {
  const isSibling = combinator === '+' || combinator === '~';
  const isNear = combinator === '+' || combinator === '>';
  const before = (element: Element) => (isSibling ? element.prev : element.parent) as Element | null;
  /** Whether an element matches or, unless it must be adjacent, any element before it. */
  const known = new Map<Element | null, boolean>([[null, false]]);
  return (element) => {
    const passed: Element[] = [];
    let at = before(element);
    while (at && !known.has(at) && !matches(at)) {
      passed.push(at);
      at = isNear ? null : before(at);
    }
    const isFound = known.get(at) ?? true;
    for (const each of at ? [...passed, at] : passed) known.set(each, isFound);
    return isFound;
  };
}

/** The inliner does not match uppercase element names. */
function inLowercase(selector: string): string {
  if (selector.includes('[')) return selector;
  return selector.replaceAll(/(?:^|[\s>+~(])[a-z][-\w]*/gi, (name) => name.toLowerCase());
}

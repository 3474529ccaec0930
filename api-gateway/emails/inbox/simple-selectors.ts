import type { StartTag } from './html-outline.ts';
import type { StyleRule } from './style-rules.ts';

/** What a simple selector looks at. */
export type NamedTag = Pick<StartTag, 'name' | 'identity' | 'attributes'>;

/** A name, classes and ids, such as `td.price`. */
const SIMPLE = /^([a-z][\w-]*)?((?:[.#][a-z_][\w-]*)*)$/i;
/** A parser adds these elements where the author left out their start tags, so only the inliner finds them. */
const OFTEN_IMPLIED: ReadonlySet<string> = new Set(['tbody', 'tr', 'colgroup']);
/** The state of an element, or a part of it. A style attribute cannot have these conditions. */
const NOT_INLINABLE = /:(?::|before|after|hover|active|focus|visited|target)/i;

interface SimpleSelector {
  readonly index: number;
  /** Names, classes with `.` and ids with `#`. */
  readonly parts: readonly string[];
}

/** The rules of a style sheet whose selectors need no tree of elements. They are most, and the inliner is slow. */
export class SimpleSelectors {
  /** The selectors that need the inliner, by the index of their rule. */
  readonly others = new Map<number, string>();
  readonly #byLastPart = new Map<string, SimpleSelector[]>();

  constructor(rules: readonly StyleRule[]) {
    for (const [index, { selector }] of rules.entries()) {
      const [, name = '', rest = ''] = SIMPLE.exec(selector) ?? [];
      const parts = [name.toLowerCase(), ...rest.split(/(?=[.#])/)].filter(Boolean);
      const last = parts.at(-1);
      if (last && !OFTEN_IMPLIED.has(name.toLowerCase())) {
        const selectors = this.#byLastPart.get(last) ?? [];
        selectors.push({ index, parts });
        this.#byLastPart.set(last, selectors);
      } else if (!NOT_INLINABLE.test(selector)) {
        this.others.set(index, inLowercase(selector));
      }
    }
  }

  /** Returns the indexes of the rules that apply to an element. */
  matching({ name, attributes: { class: classes = '', id } }: NamedTag): number[] {
    const known = new Set([name, ...classes.split(/\s+/).map((each) => `.${each}`), `#${id}`]);
    return [...known].flatMap((last) =>
      (this.#byLastPart.get(last) ?? [])
        .filter(({ parts }) => parts.every((part) => known.has(part)))
        .map(({ index }) => index),
    );
  }
}

/** The inliner does not find elements by names in capitals. */
function inLowercase(selector: string): string {
  if (selector.includes('[')) return selector;
  return selector.replaceAll(/(?:^|[\s>+~(])[a-z][-\w]*/gi, (name) => name.toLowerCase());
}

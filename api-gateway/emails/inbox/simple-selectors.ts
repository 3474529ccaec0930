import type { HtmlOutline, StartTag } from './html-outline.ts';
import type { StyleRule } from './style-rules.ts';

/** What a simple selector matches against. */
export type NamedTag = Pick<StartTag, 'name' | 'identity' | 'attributes'> & Partial<Pick<StartTag, 'parent'>>;

/** A name, classes and ids, such as `td.price`. */
const SIMPLE = /^([a-z][\w-]*)?((?:[.#][a-z_][\w-]*)*)$/i;
/** A parser adds these elements where their start tags are missing, so only the inliner finds them. */
const OFTEN_IMPLIED: ReadonlySet<string> = new Set(['tbody', 'tr', 'colgroup']);
const FRAME: ReadonlySet<string> = new Set(['html', 'body']);
/** An element's state, or a part of the element. A style attribute cannot express these conditions. */
const NOT_INLINABLE = /:(?::|before|after|hover|active|focus|visited|target)/i;

/** A parser adds it around the rows of a table. */
const IMPLIED_TBODY: NamedTag = { name: 'tbody', identity: '', attributes: {} };

/** What a selector looks at in one element. */
interface Compound {
  /** Names, classes with `.` and ids with `#`. */
  readonly parts: readonly string[];
  /** What an element around it matches, if the selector has more. */
  readonly around: Compound | undefined;
  /** Whether that element is the parent. */
  readonly isChild: boolean;
  /** The index of the rule, in the last part of its selector. */
  index?: number;
}

/** The indexes of the rules that apply to an element, weakest first. */
export interface Match {
  readonly rules: readonly number[];
}

/** Elements that match the same in the same elements. */
export interface ElementKind {
  readonly matched: ReadonlySet<Compound>;
  /** Also what the elements around it match. */
  readonly around: ReadonlySet<Compound>;
  readonly children: Map<string, ElementKind>;
  /** Indexes of the rules that apply. */
  readonly rules: readonly number[];
  /** By the style that the inliner made. */
  readonly matches: Map<string, Match>;
}

/** The rules of a style sheet that need no inliner. They are most, and the inliner is slow. */
export class SimpleSelectors {
  /** The selectors that need the inliner, by the index of their rule. */
  readonly others = new Map<number, string>();
  readonly #isPlain: boolean;
  readonly #root = elementKind([], []);
  readonly #kinds = new Map<NamedTag, ElementKind>();
  readonly #byLastPart = new Map<string, Compound[]>();

  constructor(rules: readonly StyleRule[], { isPlain }: Pick<HtmlOutline, 'isPlain'>) {
    this.#isPlain = isPlain;
    for (const [index, { selector }] of rules.entries()) {
      const compounds = this.#compoundsOf(selector);
      for (const compound of compounds) {
        if (compound === compounds.at(-1)) compound.index = index;
        const last = compound.parts.at(-1) ?? '';
        this.#byLastPart.set(last, [...(this.#byLastPart.get(last) ?? []), compound]);
      }
      if (compounds.length === 0 && !NOT_INLINABLE.test(selector))
        this.others.set(index, inLowercase(selector));
    }
  }

  /** Call it for the tags in their order. */
  kindOf(tag: NamedTag): ElementKind {
    const { name, parent } = tag;
    let around = (this.#isPlain && parent && this.#kinds.get(parent)) || this.#root;
    if (name === 'tr' && parent?.name === 'table') around = this.#kindIn(around, IMPLIED_TBODY);
    const kind = this.#kindIn(around, tag);
    this.#kinds.set(tag, kind);
    return kind;
  }

  #kindIn(parent: ElementKind, { name, identity, attributes }: NamedTag): ElementKind {
    const known = parent.children.get(name + identity);
    if (known) return known;
    const { class: classes = '', id } = attributes;
    const own = new Set([name, ...classes.split(/\s+/).map((each) => `.${each}`), `#${id}`]);
    const matched = [...own]
      .flatMap((last) => this.#byLastPart.get(last) ?? [])
      .filter(({ parts }) => parts.every((part) => own.has(part)))
      .filter(({ around, isChild }) => !around || (isChild ? parent.matched : parent.around).has(around));
    const kind = elementKind(matched, parent.around);
    parent.children.set(name + identity, kind);
    return kind;
  }

  /** Returns the parts of a selector, that of the outermost element first; none if it needs the inliner. */
  #compoundsOf(selector: string): readonly Compound[] {
    const steps = selector.split(/(\s*>\s*|\s+)/);
    const compounds: Compound[] = [];
    for (const [at, step] of steps.entries()) {
      if (at % 2 === 1) continue;
      const isChild = at > 0 && steps[at - 1]?.includes('>') === true;
      compounds.push({ parts: partsOf(step), around: compounds.at(-1), isChild });
    }
    return this.#mayMatch(compounds) ? compounds : [];
  }

  #mayMatch(compounds: readonly Compound[]): boolean {
    const names = compounds.map(({ parts: [first = ''] }) => first);
    const last = names.at(-1) ?? '';
    if (names.includes('') || (OFTEN_IMPLIED.has(last) && !(this.#isPlain && last === 'tr'))) return false;
    return names.length === 1 || (this.#isPlain && !names.some((name) => FRAME.has(name)));
  }
}

/** Returns names, classes with `.` and ids with `#`; none for a part that looks at something else. */
function partsOf(compound: string): string[] {
  const [, name = '', rest = ''] = SIMPLE.exec(compound) ?? [];
  return [name.toLowerCase(), ...rest.split(/(?=[.#])/)].filter(Boolean);
}

function elementKind(matched: readonly Compound[], around: Iterable<Compound>): ElementKind {
  return {
    matched: new Set(matched),
    around: new Set([...around, ...matched]),
    children: new Map(),
    rules: matched.flatMap(({ index }) => index ?? []),
    matches: new Map(),
  };
}

/** The inliner does not match uppercase element names. */
function inLowercase(selector: string): string {
  if (selector.includes('[')) return selector;
  return selector.replaceAll(/(?:^|[\s>+~(])[a-z][-\w]*/gi, (name) => name.toLowerCase());
}

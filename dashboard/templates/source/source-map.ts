import type { TextRange } from '../code/text-position.ts';

/** Maximum number of occurrences of a word that are examined. */
const MAX_CANDIDATES = 2000;
const SPACE = /[\s\u00AD\u200B]/;

/** Normalized text for comparison: lower case, in compatibility form, without white space. */
export interface FoldedText<Part> {
  readonly chars: string;
  /** Part and offset of each character. */
  readonly places: readonly { readonly part: Part; readonly offset: number }[];
  /** Whether a word begins at a character. */
  readonly starts: readonly boolean[];
}

interface Run {
  readonly from: number;
  readonly length: number;
}

/** Normalizes strings for comparison, because a page differs from its source in spaces, ligatures and capitals. */
export function foldTexts<Part>(parts: readonly Part[], textOf: (part: Part) => string): FoldedText<Part> {
  const chars: string[] = [];
  const places: { part: Part; offset: number }[] = [];
  const starts: boolean[] = [];
  for (const part of parts) {
    let isStart = true;
    let offset = 0;
    for (const character of textOf(part)) {
      const folded = SPACE.test(character) ? '' : character.normalize('NFKD').toLowerCase();
      for (const char of folded.split('')) {
        chars.push(char);
        places.push({ part, offset });
        starts.push(isStart);
        isStart = false;
      }
      isStart ||= folded === '';
      offset += character.length;
    }
  }
  return { chars: chars.join(''), places, starts };
}

/** Text printed by a template, and the word or binding that printed it. */
export interface RenderedText extends TextRange {
  readonly text: string;
}

/** The rendered text of a template. It finds the same words in the text of a page. */
export class SourceMap {
  readonly #source: FoldedText<RenderedText>;
  readonly #known = new WeakMap<FoldedText<unknown>, readonly (TextRange | undefined)[]>();

  constructor(texts: readonly RenderedText[]) {
    this.#source = foldTexts(texts, ({ text }) => text);
  }

  /** Returns the word or binding that printed each character of a page; undefined if unknown. */
  sourcesOf(page: FoldedText<unknown>): readonly (TextRange | undefined)[] {
    const sources =
      this.#known.get(page) ?? align(page, this.#source).map((at) => this.#source.places[at]?.part);
    this.#known.set(page, sources);
    return sources;
  }

  /** Returns the characters of a page that a template position printed. */
  madeBy(page: FoldedText<unknown>, offset: number): TextRange[] {
    const found: { from: number; to: number }[] = [];
    for (const [index, source] of this.sourcesOf(page).entries()) {
      if (!source || source.from > offset || source.to < offset) continue;
      const last = found.at(-1);
      if (last?.to === index) last.to = index + 1;
      else found.push({ from: index, to: index + 1 });
    }
    return found;
  }
}

/** Returns the source position of each character of a page; -1 where no source word matches. */
function align(page: FoldedText<unknown>, source: FoldedText<unknown>): number[] {
  const positions: number[] = [];
  let behind = 0;
  while (positions.length < page.chars.length) {
    const { from, length } = longestRun(page, positions.length, source, behind);
    for (let index = 0; index < length; index += 1) positions.push(from < 0 ? -1 : from + index);
    if (from >= 0) behind = from + length;
  }
  return positions;
}

/** Finds the longest run of words that both strings share, or else the next one after a position in the source. */
function longestRun(page: FoldedText<unknown>, at: number, source: FoldedText<unknown>, behind: number): Run {
  const next = page.starts.indexOf(true, at + 1);
  const word = page.chars.slice(at, next < 0 ? undefined : next);
  let best: Run = { from: -1, length: word.length };
  let left = MAX_CANDIDATES;
  for (const begin of [behind, 0]) {
    let from = source.chars.indexOf(word, begin);
    for (; from >= 0 && left > 0; left -= 1) {
      const length = source.starts[from] ? matchingWords(page, at, source.chars, from) : 0;
      if (length > best.length || (length > 0 && best.from < 0)) best = { from, length };
      from = source.chars.indexOf(word, from + 1);
    }
  }
  return best;
}

/** Length of the matching whole words. */
function matchingWords(
  { chars, starts }: FoldedText<unknown>,
  at: number,
  source: string,
  from: number,
): number {
  let matched = 0;
  let length = 0;
  while (at + length < chars.length && chars[at + length] === source[from + length]) {
    length += 1;
    if (at + length === chars.length || starts[at + length]) matched = length;
  }
  return matched;
}

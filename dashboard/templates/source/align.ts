import type { FoldedText } from './folded-text.ts';

/** Occurrences of a word that are looked at. */
const MOST_CANDIDATES = 2000;

interface Run {
  readonly from: number;
  readonly length: number;
}

/**
 * Returns for each character of a page its position in the rendered source; -1 where no word of the source matches. At
 * each word the longest run that both texts have wins, then the next one behind the run before.
 */
export function align(page: FoldedText, source: FoldedText): Int32Array {
  const positions = new Int32Array(page.chars.length).fill(-1);
  let behind = 0;
  let at = 0;
  while (at < page.chars.length) {
    const run = longestRun(page, at, source, behind);
    for (let index = 0; index < run.length; index += 1) positions[at + index] = run.from + index;
    if (run.length > 0) behind = run.from + run.length;
    at = run.length > 0 ? at + run.length : wordEnd(page, at);
  }
  return positions;
}

function longestRun(page: FoldedText, at: number, source: FoldedText, behind: number): Run {
  const word = page.chars.slice(at, wordEnd(page, at));
  let best: Run = { from: -1, length: 0 };
  for (const from of candidates(word, source, behind)) {
    const length = matchingWords(page, at, source.chars, from);
    if (length > best.length) best = { from, length };
  }
  return best;
}

/** Yields where the source has a word, first behind a position, then before it. */
function* candidates(word: string, { chars, starts }: FoldedText, behind: number): Generator<number> {
  let left = MOST_CANDIDATES;
  for (const [begin, end] of [
    [behind, chars.length],
    [0, behind],
  ] as const) {
    for (
      let from = chars.indexOf(word, begin);
      from >= 0 && from < end;
      from = chars.indexOf(word, from + 1)
    ) {
      if (starts[from]) yield from;
      left -= 1;
      if (left === 0) return;
    }
  }
}

/** Length of the whole words that match. */
function matchingWords({ chars, starts }: FoldedText, at: number, source: string, from: number): number {
  let matched = 0;
  let length = 0;
  while (at + length < chars.length && chars[at + length] === source[from + length]) {
    length += 1;
    if (at + length === chars.length || starts[at + length]) matched = length;
  }
  return matched;
}

function wordEnd({ chars, starts }: FoldedText, at: number): number {
  const next = starts.indexOf(true, at + 1);
  return next < 0 ? chars.length : next;
}

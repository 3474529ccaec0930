import type { PrintedText } from './printed-text.ts';

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** Characters that join the parts of an invoice number. */
const JOINS = /[-_/]/;
/** Characters that join only digits. */
const JOINS_DIGITS = /[.,]/;
const WORDS = /[^\s:;,()]{1,100}/g;

/** Whether a text contains an invoice number that is not part of a longer one. */
export function hasNumber({ spaced }: PrintedText, { spaced: number }: PrintedText): boolean {
  for (let at = spaced.indexOf(number); at !== -1; at = spaced.indexOf(number, at + 1)) {
    const end = at + number.length;
    const before = [spaced[at - 1], spaced[at - 2]] as const;
    if (!continues(before) && !continues([spaced[end], spaced[end + 1]])) return true;
  }
  return false;
}

/** Returns the word that has most characters in common with an invoice number: at least half. */
export function closestNumber({ spaced }: PrintedText, { spaced: number }: PrintedText): string | undefined {
  let closest: string | undefined;
  let most = number.length / 2;
  const backwards = reversed(number);
  for (const [word] of spaced.matchAll(WORDS)) {
    const score = commonStart(word, number) + commonStart(reversed(word), backwards);
    if (score >= most && score > 0) [closest, most] = [word, score + 1];
  }
  return closest;
}

function continues([next = ' ', following = ' ']: readonly [
  string | undefined,
  string | undefined,
]): boolean {
  if (LETTER_OR_DIGIT.test(next)) return true;
  if (JOINS.test(next)) return LETTER_OR_DIGIT.test(following);
  return JOINS_DIGITS.test(next) && /\p{N}/u.test(following);
}

function commonStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length += 1;
  return length;
}

function reversed(text: string): string {
  return Array.from(text).toReversed().join('');
}

import { MAX_DECLARED_LENGTH } from '@trifold/platform/e-invoices/e-invoice-limits.ts';
import type { PrintedText } from './printed-text.ts';

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** Characters that join the parts of an invoice number. */
const JOINS = /[-_/]/;
/** Characters that join only digits. */
const JOINS_DIGITS = /[.,]/;
const WORDS = /[^\s:;,()]{1,100}/g;

/** Whether an invoice number can be searched for. One that consists of invisible characters is in every text. */
export function isSearchable(declared: PrintedText): boolean {
  const number = comparable(declared);
  return number !== '' && number.length <= MAX_DECLARED_LENGTH;
}

/** Whether a text contains a searchable invoice number that is not part of a longer one. */
export function hasNumber(printed: PrintedText, declared: PrintedText): boolean {
  const [text, number] = [comparable(printed), comparable(declared)];
  for (let at = text.indexOf(number); at !== -1; at = text.indexOf(number, at + 1)) {
    const end = at + number.length;
    const before = [text[at - 1], text[at - 2]] as const;
    if (!continues(before) && !continues([text[end], text[end + 1]])) return true;
  }
  return false;
}

/** Returns the word that has most characters in common with an invoice number: at least half. */
export function closestNumber({ spaced }: PrintedText, declared: PrintedText): string | undefined {
  const number = comparable(declared);
  let closest: string | undefined;
  let most = number.length / 2;
  for (const [word] of spaced.matchAll(WORDS)) {
    const lower = word.toLowerCase();
    const score = commonStart(lower, number) + commonEnd(lower, number);
    if (score >= most && score > 0) [closest, most] = [word, score + 1];
  }
  return closest;
}

/** Case is ignored, and all white space is the same. */
function comparable({ spaced }: PrintedText): string {
  return spaced.toLowerCase().replaceAll(/\s+/g, ' ').trim();
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

function commonEnd(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one.at(-1 - length) === other.at(-1 - length)) length += 1;
  return length;
}

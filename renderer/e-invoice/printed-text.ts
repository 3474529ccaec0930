import { LRUCache } from 'lru-cache';

/** Spaces between the digits of a number, except for the plain one. */
export const NO_BREAK_SPACES = '\\u00a0\\u2007\\u2009\\u202f';

/** Soft hyphens, zero-width characters and direction marks. */
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const HYPHENS = /[\u2010\u2011]/g;
const NO_BREAK_SPACE = new RegExp(`[${NO_BREAK_SPACES}]`, 'g');
const ASCII_DIGITS = '0123456789';

/** Creating a formatter takes longer than using it a thousand times. */
const digitsOfLocales = new LRUCache<string, string>({ max: 200 });

/** Printed text, or a declared value, in a form that can be compared. */
export class PrintedText {
  /** Digits are ASCII. Other characters are as printed. */
  readonly text: string;
  /** The text with only plain spaces. */
  readonly spaced: string;

  /** Converts the digits of `locale` to ASCII. */
  constructor(text: string, locale: string) {
    const visible = text.replaceAll(INVISIBLE, '').replaceAll(HYPHENS, '-');
    const digits = localeDigits(locale);
    this.text = digits === ASCII_DIGITS ? visible : withAsciiDigits(visible, Array.from(digits));
    this.spaced = this.text.replaceAll(NO_BREAK_SPACE, ' ');
  }
}

/** `digits` may be pairs of code units, as in Adlam. */
function withAsciiDigits(text: string, digits: readonly string[]): string {
  return text.replaceAll(new RegExp(`[${digits.join('')}]`, 'gu'), (digit) => String(digits.indexOf(digit)));
}

function localeDigits(locale: string): string {
  const known = digitsOfLocales.get(locale);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat(locale, { useGrouping: false });
  const digits = Array.from(ASCII_DIGITS, (digit) => format.format(Number(digit))).join('');
  digitsOfLocales.set(locale, digits);
  return digits;
}

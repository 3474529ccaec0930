/** Spaces that do not end a line, except for the plain one. */
export const NO_BREAK_SPACES = '\\u00a0\\u2007\\u2009\\u202f';

/** Soft hyphens, zero-width characters and direction marks. */
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
const HYPHENS = /[\u2010\u2011]/g;
const ASCII_DIGITS = '0123456789';

/** Printed text and declared values in a form in which they can be compared. */
export class PrintedText {
  /** Digits are ASCII. Other characters are as printed. */
  readonly text: string;

  /** `locale`: its digits are converted. */
  constructor(text: string, locale: string) {
    const visible = text.replaceAll(INVISIBLE, '').replaceAll(HYPHENS, '-');
    const digits = localeDigits(locale);
    this.text =
      digits === ASCII_DIGITS
        ? visible
        : visible.replaceAll(new RegExp(`[${digits}]`, 'g'), (digit) => String(digits.indexOf(digit)));
  }

  /** The text with plain spaces only. */
  get spaced(): string {
    return this.text.replaceAll(new RegExp(`[${NO_BREAK_SPACES}]`, 'g'), ' ');
  }
}

function localeDigits(locale: string): string {
  const format = new Intl.NumberFormat(locale, { useGrouping: false });
  return Array.from(ASCII_DIGITS, (digit) => format.format(Number(digit))).join('');
}

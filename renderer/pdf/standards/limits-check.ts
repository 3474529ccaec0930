import { isUtf8 } from 'node:buffer';
import { bytesOf, textOf } from '../file/pdf-text.ts';
import type { TokenVisitor } from '../file/pdf-tokens.ts';
import type { Report } from './report.ts';

/** ISO 19005-2, 6.1.13. */
const MAX_INTEGER = 2 ** 31 - 1;
const MAX_REAL = 3.403e38;
const MIN_REAL = 1.175e-38;
const MAX_STRING_BYTES = 32_767;
const MAX_NAME_BYTES = 127;
/** Shorter numbers are within the limits. */
const SHORT_NUMBER = 9;

/** A language tag, or none (ISO 32000-1, 14.9.2). */
const LANGUAGE = /^(?:[a-zA-Z]{1,8}(?:-[a-zA-Z0-9]{1,8})*)?$/;

/** Checks the tokens in objects and content against PDF/A's limits. */
export class LimitsCheck implements TokenVisitor {
  readonly #bytes: Buffer;
  readonly #report: Report;
  /** Name before the current token. */
  protected lastName = '';

  constructor(bytes: Buffer, report: Report) {
    this.#bytes = bytes;
    this.#report = report;
  }

  word(start: number, end: number): void {
    if (end - start > SHORT_NUMBER) this.#checkNumber(this.text(start, end));
  }

  name(start: number, end: number): void {
    this.lastName = this.text(start + 1, end);
    if (end - start <= MAX_NAME_BYTES && !this.lastName.includes('#')) return;
    const name = nameBytes(this.lastName);
    if (name.length > MAX_NAME_BYTES) this.#report('6.1.13-4', 'the name of a font is longer than 127 bytes');
    if (!isUtf8(name)) this.#report('6.1.8-1', 'the name of a font is not UTF-8');
  }

  string(start: number, end: number): void {
    if (end - start > MAX_STRING_BYTES && bytesOf(this.text(start, end)).length > MAX_STRING_BYTES) {
      this.#report('6.1.13-3', 'a title, a link or another string is longer than 32,767 bytes');
    }
    if (this.lastName === 'Lang') this.#checkLanguage(textOf(this.text(start, end)));
    this.lastName = '';
  }

  dictionary(_step: 1 | -1): void {}

  protected text(start: number, end: number): string {
    return this.#bytes.toString('latin1', start, end);
  }

  #checkNumber(text: string): void {
    const value = Number(text);
    if (Number.isNaN(value)) return;
    const size = Math.abs(value);
    const what = 'a coordinate or a size is too large or too small';
    if (text.includes('.')) {
      if (size > MAX_REAL) this.#report('6.1.13-2', what);
      if (size > 0 && size < MIN_REAL) this.#report('6.1.13-5', what);
    } else if (size > MAX_INTEGER) this.#report('6.1.13-1', what);
  }

  #checkLanguage(language: string): void {
    if (LANGUAGE.test(language)) return;
    const what = 'a lang attribute is not a language tag such as de-DE';
    this.#report('6.7.4-1', what, languageAttributes(language));
  }
}

/** Returns the attributes with which a template may set a language. */
export function languageAttributes(language: string): readonly string[] {
  return [`lang="${language}"`, `lang='${language}'`, `lang=${language}`];
}

/** Decodes `#` and two digits (ISO 32000-1, 7.3.5). */
function nameBytes(name: string): Buffer {
  const decoded = name.replaceAll(/#([\da-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}

import { helperFailure, isMissing, namedText, toNumber, toText } from './arguments.ts';

/** Minimum and maximum payment amount in either standard. */
const MIN_AMOUNT = 0.01;
const MAX_AMOUNT = 999_999_999.99;

/**
 * Reads the named arguments of one payment helper call. An invalid argument fails the document with an error that names
 * the rule.
 */
export class PaymentArguments {
  readonly #helper: string;
  readonly #named: Readonly<Record<string, unknown>>;

  /** `helper`: its name in error messages. */
  constructor(helper: string, named: Readonly<Record<string, unknown>>) {
    this.#helper = helper;
    this.#named = named;
  }

  fail(problem: string): never {
    throw helperFailure(this.#helper, problem);
  }

  /** Returns a single-line string; empty if it is missing. A line break could end the field in the code. */
  line(name: string, maxLength: number): string {
    const text = toText(this.#helper, this.#named[name]).replace(/\s+/g, ' ').trim();
    if (text.length > maxLength) this.fail(`${name}= has more than ${maxLength} characters`);
    return text;
  }

  requiredLine(name: string, maxLength: number): string {
    return this.line(name, maxLength) || this.fail(`${name}= is missing`);
  }

  /** Returns a string without spaces, because users group the digits of accounts and references. */
  compact(name: string): string {
    return toText(this.#helper, this.#named[name]).replace(/\s+/g, '').toUpperCase();
  }

  /** Returns an IBAN with valid check digits (ISO 13616). */
  iban(): string {
    const iban = this.compact('iban') || this.fail('iban= is missing');
    const isIban = /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban) && hasIsoCheckDigits(iban);
    return isIban ? iban : this.fail('iban= is not an IBAN with valid check digits');
  }

  /** Returns an amount with two decimals; empty if it is missing. */
  amount(): string {
    const value = this.#named['amount'];
    if (isMissing(value)) return '';
    const amount = toNumber(this.#helper, value);
    if (amount < MIN_AMOUNT || amount > MAX_AMOUNT) {
      this.fail(`amount= must be between ${MIN_AMOUNT} and ${MAX_AMOUNT}`);
    }
    const text = amount.toFixed(2);
    return Math.abs(Number(text) - amount) < 1e-6 ? text : this.fail('amount= has more than two decimals');
  }

  /** Returns one of the values; the first if it is missing. */
  choice<Value extends string>(name: string, values: readonly [Value, ...Value[]]): Value {
    const text = namedText(this.#helper, name, this.#named[name]) ?? values[0];
    return values.find((value) => value === text) ?? this.fail(`${name}= must be ${values.join(' or ')}`);
  }
}

/** Whether an alphanumeric string has valid ISO 7064 check digits (mod 97-10), as IBANs and RF references do. */
export function hasIsoCheckDigits(text: string): boolean {
  const rotated = text.slice(4) + text.slice(0, 4);
  const digits = rotated.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(digits) % 97n === 1n;
}

/** Whether a string is a creditor reference (ISO 11649): RF, two check digits, and up to 21 letters and digits. */
export function isCreditorReference(text: string): boolean {
  return /^RF\d{2}[A-Z0-9]{1,21}$/.test(text) && hasIsoCheckDigits(text);
}

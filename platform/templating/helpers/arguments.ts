import { MergeFailure } from '../merge/merge-failure.ts';

export interface HelperCallArguments {
  readonly values: readonly unknown[];
  readonly named: Readonly<Record<string, unknown>>;
}

/** A pure function that templates can call. Throws MergeFailure; its message contains no data. */
export type TemplateHelper = (call: HelperCallArguments) => unknown;

/** Returns the error that fails the document. The message says what the helper expects, never what it received. */
export function helperFailure(helper: string, problem: string): MergeFailure {
  return new MergeFailure('merge_failed', `the template helper ${helper} failed: ${problem}`);
}

/** Whether there is nothing to show: a field that is missing from the data, or an empty string. */
export function isMissing(value: unknown): value is null | undefined | '' {
  return value === undefined || value === null || value === '';
}

/** Excludes notations that programs, but not readers, treat as numbers: `0x10`, `1e3`, `Infinity`. */
const PLAIN_DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/**
 * Returns the value as a finite number, parsing it if it is a string. JSON from other systems often contains amounts as
 * strings.
 */
export function numberIn(value: unknown): number | undefined {
  const isWritten = typeof value === 'string' && PLAIN_DECIMAL.test(value.trim());
  const number = isWritten ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/**
 * Digits that a double may be unable to represent. Data contains integers beyond 2^53 in this form. A double has at most
 * 309 digits.
 */
const LONG_DIGITS = /^[+-]?\d{16,308}$/;

/** Returns the integer in a string of digits that a double cannot represent; undefined for any other value. */
export function longIntegerIn(value: unknown): bigint | undefined {
  if (typeof value !== 'string' || !LONG_DIGITS.test(value.trim())) return undefined;
  const integer = BigInt(value);
  return integer === BigInt(Number(value)) ? undefined : integer;
}

/** Returns the number, or the number in a string. */
export function toNumber(helper: string, value: unknown): number {
  if (longIntegerIn(value) !== undefined) {
    throw helperFailure(helper, 'a value is an integer beyond 2^53, which a double cannot represent');
  }
  const number = numberIn(value);
  if (number !== undefined) return number;
  throw helperFailure(helper, isMissing(value) ? 'a number is missing' : 'a value is not a number');
}

/** Maximum number of decimals that helpers print. */
const MAX_DECIMALS = 12;

/** Returns the number of decimals. `argument`: its name in the message. */
export function toDecimals(helper: string, argument: string, value: unknown): number {
  const places = toNumber(helper, value);
  if (Number.isInteger(places) && places >= 0 && places <= MAX_DECIMALS) return places;
  throw helperFailure(helper, `${argument} must be 0 to ${MAX_DECIMALS}`);
}

/** Returns a named string argument. Undefined if it is omitted or its value is not in the data. */
export function namedText(helper: string, name: string, value: unknown): string | undefined {
  if (isMissing(value)) return undefined;
  if (typeof value === 'string') return value;
  throw helperFailure(helper, `${name}= is not a string`);
}

/** Returns a string, number or boolean as a string; empty if the data does not have the value. */
export function toText(helper: string, value: unknown): string {
  if (isMissing(value)) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw helperFailure(helper, 'a value is neither a string nor a number');
}

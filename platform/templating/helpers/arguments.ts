import { MergeFailure } from '../merge/merge-failure.ts';

/** Arguments of one call of a helper. */
export interface HelperCallArguments {
  readonly values: readonly unknown[];
  readonly named: Readonly<Record<string, unknown>>;
}

/** A pure function that templates can call. Throws MergeFailure, whose message holds none of the data. */
export type TemplateHelper = (call: HelperCallArguments) => unknown;

/** Fails the document; the message says what the helper wants, never what it got. */
export function helperFailure(helper: string, problem: string): MergeFailure {
  return new MergeFailure('merge_failed', `the template helper ${helper} failed: ${problem}`);
}

/** Nothing to show: what the data does not have, and the empty text. */
export function isMissing(value: unknown): value is null | undefined | '' {
  return value === undefined || value === null || value === '';
}

/** Nothing that programs read as numbers and people do not: `0x10`, `1e3`, `Infinity`. */
const PLAIN_DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

/** The finite number that a value is, or that is written in it. JSON from elsewhere has amounts as texts often. */
export function numberIn(value: unknown): number | undefined {
  const isWritten = typeof value === 'string' && PLAIN_DECIMAL.test(value.trim());
  const number = isWritten ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** A number, or a text that is one. */
export function toNumber(helper: string, value: unknown): number {
  const number = numberIn(value);
  if (number !== undefined) return number;
  throw helperFailure(helper, isMissing(value) ? 'a number is missing' : 'a value is not a number');
}

/** A named argument that is a text. Undefined when it is left out, or its value is not in the data. */
export function namedText(helper: string, name: string, value: unknown): string | undefined {
  if (isMissing(value)) return undefined;
  if (typeof value === 'string') return value;
  throw helperFailure(helper, `${name}= is not a text`);
}

/** A text to show: of a text, number or boolean; empty for what the data does not have. */
export function toText(helper: string, value: unknown): string {
  if (isMissing(value)) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw helperFailure(helper, 'a value is neither a text nor a number');
}

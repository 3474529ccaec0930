import { helperFailure, isMissing, toDecimals, toNumber, type TemplateHelper } from './arguments.ts';

/** Returns a helper that combines its arguments, from left to right. */
const combining =
  (helper: string, combine: (one: number, other: number) => number): TemplateHelper =>
  ({ values }) =>
    result(helper, numbers(helper, values).reduce(combine));

export const ARITHMETIC = {
  add: combining('add', (sum, number) => sum + number),
  subtract: combining('subtract', (rest, number) => rest - number),
  multiply: combining('multiply', (product, number) => product * number),
  divide: ({ values }) => {
    const [dividend = 0, divisor = 0] = numbers('divide', values);
    if (divisor === 0) throw helperFailure('divide', 'the divisor is 0');
    return result('divide', dividend / divisor);
  },
  round: ({ values: [value, decimals] }) => {
    const places = decimals === undefined ? 0 : toDecimals('round', 'the number of decimals', decimals);
    return result('round', rounded(toNumber('round', value), places));
  },
  sum: ({ values: [list, member] }) => {
    if (isMissing(list)) throw helperFailure('sum', 'the list is missing');
    if (!Array.isArray(list)) throw helperFailure('sum', 'its argument must be a list');
    return result(
      'sum',
      list.reduce<number>((sum, item) => sum + toNumber('sum', memberOf(item, member)), 0),
    );
  },
} satisfies Record<string, TemplateHelper>;

function numbers(helper: string, values: readonly unknown[]): number[] {
  return values.map((value) => toNumber(helper, value));
}

function memberOf(item: unknown, member: unknown): unknown {
  if (member === undefined) return item;
  if (typeof member !== 'string') throw helperFailure('sum', 'the field name must be a string');
  const isObject = typeof item === 'object' && item !== null && Object.hasOwn(item, member);
  return isObject ? (item as Record<string, unknown>)[member] : undefined;
}

/** Fails if the result is not a finite number: otherwise, a document would show `Infinity`. */
function result(helper: string, number: number): number {
  const shown = settled(number);
  if (Number.isFinite(shown)) return shown;
  throw helperFailure(helper, 'the result is too large');
}

/**
 * Removes binary rounding errors: 0.1 + 0.2 is 0.3. Doubles reliably represent fifteen decimal digits, and integers to
 * 2^53.
 */
function settled(number: number): number {
  // A sum with 0 is never -0.
  return Number.isSafeInteger(number) ? number + 0 : Number(number.toPrecision(15));
}

/** Rounds halves in decimal notation away from zero, as you would on paper: 1.005 becomes 1.01. */
function rounded(number: number, places: number): number {
  const [digits = '0', exponent = '0'] = Math.abs(settled(number)).toString().split('e');
  const scaled = Math.round(Number(`${digits}e${Number(exponent) + places}`));
  // A number this large is an integer.
  if (!Number.isFinite(scaled)) return number;
  const [scaledDigits = '0', scaledExponent = '0'] = scaled.toString().split('e');
  return Math.sign(number) * Number(`${scaledDigits}e${Number(scaledExponent) - places}`);
}

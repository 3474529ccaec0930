import Handlebars from 'handlebars';
import { helperFailure, isMissing, longIntegerIn, numberIn, type TemplateHelper } from './arguments.ts';

export const COMPARISON = {
  eq: ({ values }) => isEqual('eq', values),
  ne: ({ values }) => !isEqual('ne', values),
  gt: ({ values }) => compared('gt', values, (order) => order > 0),
  gte: ({ values }) => compared('gte', values, (order) => order >= 0),
  lt: ({ values }) => compared('lt', values, (order) => order < 0),
  lte: ({ values }) => compared('lte', values, (order) => order <= 0),
  and: ({ values }) => values.every(isTruthy),
  or: ({ values }) => values.some(isTruthy),
  not: ({ values: [value] }) => !isTruthy(value),
  default: ({ values: [value, instead] }) => (isMissing(value) ? instead : value),
} satisfies Record<string, TemplateHelper>;

/** Truthiness as in `{{#if}}`: an empty list is false, 0 is false. */
export function isTruthy(value: unknown): boolean {
  return Boolean(value) && !Handlebars.Utils.isEmpty(value);
}

/**
 * A number literal beyond 2^53 in a template has lost digits, so comparing it with an integer from the data fails if the
 * two might be equal. If they clearly differ, the result is false, because the data can contain both short and long IDs.
 */
function isEqual(helper: string, [left, right]: readonly unknown[]): boolean {
  const [long, other] = typeof left === 'string' ? [left, right] : [right, left];
  if (isLongNumber(other) && longIntegerIn(long) !== undefined && Number(long) === other) {
    throw helperFailure(helper, 'write an integer beyond 2^53 in quotes');
  }
  return left === right;
}

function isLongNumber(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** A missing value is neither greater nor less than any other. */
function compared(
  helper: string,
  [left, right]: readonly unknown[],
  holds: (order: number) => boolean,
): boolean {
  if (isMissing(left) || isMissing(right)) return false;
  const [first, second] = [left, right].map((value) => longIntegerIn(value) ?? numberIn(value));
  if (first !== undefined && second !== undefined) return holds(orderOf(first, second));
  // ISO 8601 dates sort as strings.
  if (typeof left === 'string' && typeof right === 'string') return holds(orderOf(left, right));
  throw helperFailure(helper, 'its arguments must be two numbers or two strings');
}

function orderOf<T extends string | number | bigint>(left: T, right: T): number {
  return left < right ? -1 : Number(left > right);
}

import Handlebars from 'handlebars';
import { helperFailure, isMissing, numberIn, type TemplateHelper } from './arguments.ts';

export const COMPARISON = {
  eq: ({ values: [left, right] }) => left === right,
  ne: ({ values: [left, right] }) => left !== right,
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

/** A missing value is neither greater nor less than any other. */
function compared(
  helper: string,
  [left, right]: readonly unknown[],
  holds: (order: number) => boolean,
): boolean {
  if (isMissing(left) || isMissing(right)) return false;
  const [first, second] = [numberIn(left), numberIn(right)];
  if (first !== undefined && second !== undefined) return holds(first - second);
  // ISO 8601 dates sort as text.
  if (typeof left === 'string' && typeof right === 'string')
    return holds(left < right ? -1 : Number(left > right));
  throw helperFailure(helper, 'its arguments must be two numbers or two strings');
}

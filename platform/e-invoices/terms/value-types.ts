import { CODE_LIST_TITLES, isCode } from '../code-lists/code-lists.ts';
import type { Term, TermType } from './term.ts';

/** Plain decimals with a bounded number of digits, so that arithmetic with them is fast. */
const DECIMAL = /^-?\d{1,18}(?:\.\d{1,18})?$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Characters that XML 1.0 does not allow, and other control characters. */
const NOT_IN_XML = /[\p{Cc}\uFFFE\uFFFF]/u;
const WHITE_SPACE = /[\t\n\r]/g;

const DECIMALS: readonly TermType[] = ['amount', 'unit-price', 'quantity', 'percentage'];

/** Returns what is wrong with a value, as the end of a sentence; undefined if it has the term's type. */
export function valueProblem({ type }: Pick<Term, 'type'>, value: string): string | undefined {
  if (NOT_IN_XML.test(value.replaceAll(WHITE_SPACE, '')) || !value.isWellFormed())
    return 'contains a control character';
  if (DECIMALS.includes(type) && !DECIMAL.test(value)) return 'must be a decimal number, such as 1234.50';
  if (type === 'date' && !isDate(value)) return 'must be a date, such as 2026-11-28';
  return undefined;
}

/** Like `valueProblem`; also checks the code list, which the rules check in documents. */
export function constantProblem(term: Term, value: string): string | undefined {
  const isUnknown = term.codes !== undefined && !isCode(term.codes, value);
  return (
    valueProblem(term, value) ?? (isUnknown ? `must be a code in ${CODE_LIST_TITLES[term.codes]}` : undefined)
  );
}

function isDate(value: string): boolean {
  if (!DATE.test(value)) return false;
  const time = Date.parse(`${value}T00:00:00Z`);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(value);
}

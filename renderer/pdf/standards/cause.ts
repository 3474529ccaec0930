import type { AccessibleContent, InaccessibleElement } from '../../browser/page/accessible-content.ts';
import type { CheckedRule } from './rule-at-level.ts';
import { checkGrid } from './table-check.ts';

/** An element of the document. */
type Element = Pick<InaccessibleElement, 'name' | 'literals'>;

/** Rules that an element with a problem breaks. */
const PROBLEMS: Readonly<Partial<Record<CheckedRule, InaccessibleElement['code']>>> = {
  '7.3-1': 'alt_missing',
  '7.4.2-1': 'heading_skipped',
};

/** Returns the first element of the document that breaks a rule, if its start tag says so. */
export function causeOf(rule: CheckedRule, { problems, tables }: AccessibleContent): Element | undefined {
  const code = PROBLEMS[rule];
  if (code !== undefined) return problems.find((problem) => problem.code === code);
  return tables.find(({ rows }) => {
    const found = new Set<CheckedRule>();
    checkGrid(rows, (broken) => void found.add(broken));
    return found.has(rule);
  });
}

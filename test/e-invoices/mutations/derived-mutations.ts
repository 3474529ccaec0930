import type { GroupId, TermId } from '@trifold/platform/e-invoices/invoice.ts';
import {
  CODE_RULES,
  DECIMAL_RULES,
  REQUIRED_RULES,
  SCHEME_CODE_RULES,
  SCHEME_RULES,
} from '@trifold/platform/e-invoices/rules/rule-names.ts';
import { change, remove, set, withoutScheme, withScheme, type Change, type Mutation } from './mutation.ts';

/** One mutation for each name of a rule that follows from the table of business terms. */
export const DERIVED_MUTATIONS: readonly Mutation[] = [
  ...derived(REQUIRED_RULES, remove),
  ...derived(SCHEME_RULES, withoutScheme),
  ...derived(CODE_RULES, set('XX9')),
  ...derived(SCHEME_CODE_RULES, withScheme('XX9')),
  ...derived(DECIMAL_RULES, withThirdDecimal),
];

function derived(rules: Readonly<Partial<Record<TermId | GroupId, string>>>, edit: Change): Mutation[] {
  return Object.entries(rules).map(([id, rule = '']) => change(rule, id as TermId, edit));
}

/**
 * A third decimal place of 0 does not change any sum. In these two amounts, however, the official rules for CII accept
 * it.
 */
function withThirdDecimal(group: Parameters<Change>[0], id: Parameters<Change>[1]): void {
  const digit = id === 'BT-110' || id === 'BT-111' ? '5' : '0';
  group[id as 'BT-1'] = `${group[id as 'BT-1'] as string}${digit}`;
}

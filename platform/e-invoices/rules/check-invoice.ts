import type { EInvoiceSpec, InvoiceProblem } from '../e-invoice-spec.ts';
import {
  valuesOf,
  type GroupId,
  type Invoice,
  type InvoiceGroup,
  type InvoiceValue,
  type TermId,
} from '../invoice.ts';
import { termTitle } from '../terms/terms.ts';
import { ruleContext } from './rule-context.ts';
import { RULE_SETS } from './rule-sets.ts';
import type { GroupRule, Rule, RuleContext, ValueRule } from './rule.ts';

/** Maximum number of problems that one check reports; the invoice may have more. */
export const MAX_INVOICE_PROBLEMS = 100;

/**
 * Returns the rules of EN 16931 and of the profile that an invoice breaks, at most `MAX_INVOICE_PROBLEMS`. Rules that
 * are only warnings in the official rule files are not checked. Time is linear in the size of the invoice.
 */
export function checkInvoice(
  invoice: Invoice,
  spec: Pick<EInvoiceSpec, 'profile' | 'syntax'>,
): readonly InvoiceProblem[] {
  const context = ruleContext(invoice, spec);
  const problems: InvoiceProblem[] = [];
  for (const rule of RULE_SETS[spec.profile]) {
    if ('holds' in rule) addGroupProblems(problems, rule, context);
    else addValueProblems(problems, rule, context);
    if (problems.length >= MAX_INVOICE_PROBLEMS) break;
  }
  return problems.slice(0, MAX_INVOICE_PROBLEMS);
}

function addGroupProblems(problems: InvoiceProblem[], rule: GroupRule, context: RuleContext): void {
  if (rule.applies?.(context) === false) return;
  for (const group of context.groups(rule.group)) {
    if (rule.holds(group, context)) continue;
    const message = typeof rule.message === 'string' ? rule.message : rule.message(group, context);
    problems.push(problem(rule, message, pathOf(group, rule.term)));
    if (problems.length >= MAX_INVOICE_PROBLEMS) return;
  }
}

/** The term's field, or the list item. */
function pathOf(group: InvoiceGroup, term: TermId | GroupId): string | undefined {
  return group.terms[term as TermId]?.[0]?.path ?? group.missing?.[term] ?? group.path;
}

function addValueProblems(problems: InvoiceProblem[], rule: ValueRule, context: RuleContext): void {
  for (const group of context.groups(rule.group)) {
    for (const value of valuesOf(group, rule.term)) {
      if (rule.allows(value, context)) continue;
      problems.push(problem(rule, messageFor(rule, value), value.path ?? group.path));
    }
    if (problems.length >= MAX_INVOICE_PROBLEMS) return;
  }
}

function messageFor(rule: ValueRule, value: InvoiceValue): string {
  return typeof rule.message === 'string' ? rule.message : rule.message(value);
}

function problem(rule: Rule, message: string, path: string | undefined): InvoiceProblem {
  return { rule: rule.id, ...(path === undefined ? {} : { path }), term: termTitle(rule.term), message };
}

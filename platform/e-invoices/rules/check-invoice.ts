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

/** Problems that one check reports; the invoice may have more. */
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
    for (const group of context.groups(rule.group)) {
      problems.push(...problemsOf(rule, group, context));
      if (problems.length >= MAX_INVOICE_PROBLEMS) return problems.slice(0, MAX_INVOICE_PROBLEMS);
    }
  }
  return problems;
}

function problemsOf(rule: Rule, group: InvoiceGroup, context: RuleContext): InvoiceProblem[] {
  return 'holds' in rule ? groupProblems(rule, group, context) : valueProblems(rule, group, context);
}

function groupProblems(rule: GroupRule, group: InvoiceGroup, context: RuleContext): InvoiceProblem[] {
  if (rule.holds(group, context)) return [];
  const message = typeof rule.message === 'string' ? rule.message : rule.message(group, context);
  return [problem(rule, message, pathOf(group, rule.term))];
}

/** The field of the term, or the item of a list. */
function pathOf(group: InvoiceGroup, term: TermId | GroupId): string | undefined {
  return group.terms[term as TermId]?.[0]?.path ?? group.missing?.[term] ?? group.path;
}

function valueProblems(rule: ValueRule, group: InvoiceGroup, context: RuleContext): InvoiceProblem[] {
  return valuesOf(group, rule.term)
    .filter((value) => !rule.allows(value, context))
    .map((value) => problem(rule, messageFor(rule, value), value.path ?? group.path));
}

function messageFor(rule: ValueRule, value: InvoiceValue): string {
  return typeof rule.message === 'string' ? rule.message : rule.message(value);
}

function problem(rule: Rule, message: string, path: string | undefined): InvoiceProblem {
  return { rule: rule.id, ...(path === undefined ? {} : { path }), term: termTitle(rule.term), message };
}

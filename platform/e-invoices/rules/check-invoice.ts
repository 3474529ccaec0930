import type { EInvoiceSpec, InvoiceProblem } from '../e-invoice-spec.ts';
import { E_INVOICE_PROBLEMS } from '../e-invoice-limits.ts';
import { valuesOf, type GroupId, type Invoice, type InvoiceGroup, type TermId } from '../invoice.ts';
import { termTitle } from '../terms/terms.ts';
import { ruleContext } from './rule-context.ts';
import { RULE_SETS } from './rule-sets.ts';
import type { GroupRule, Rule, RuleContext, ValueRule } from './rule.ts';

/** Maximum length of a message: it can contain a value, and values can be long. */
const MAX_MESSAGE = 500;

/**
 * Returns the EN 16931 and profile rules that an invoice breaks, at most `E_INVOICE_PROBLEMS`. Rules that are only
 * warnings in the official rule files are not checked. Time is linear in the size of the invoice.
 */
export function checkInvoice(
  invoice: Invoice,
  spec: Pick<EInvoiceSpec, 'profile' | 'syntax'>,
): readonly InvoiceProblem[] {
  const context = ruleContext(invoice, spec);
  const problems: InvoiceProblem[] = [];
  for (const rule of RULE_SETS[spec.profile]) {
    for (const found of 'holds' in rule ? groupProblems(rule, context) : valueProblems(rule, context)) {
      problems.push(found);
      if (problems.length === E_INVOICE_PROBLEMS) return problems;
    }
  }
  return problems;
}

function* groupProblems(rule: GroupRule, context: RuleContext): Generator<InvoiceProblem> {
  if (rule.applies?.(context) === false) return;
  for (const group of context.groups(rule.group)) {
    if (rule.holds(group, context)) continue;
    const message = typeof rule.message === 'string' ? rule.message : rule.message(group, context);
    yield problem(rule, message, pathOf(group, rule.term));
  }
}

/** The term's field, or the list item. */
function pathOf(group: InvoiceGroup, term: TermId | GroupId): string | undefined {
  return group.terms[term as TermId]?.[0]?.path ?? group.missing?.[term] ?? group.path;
}

function* valueProblems(rule: ValueRule, context: RuleContext): Generator<InvoiceProblem> {
  for (const group of context.groups(rule.group)) {
    for (const value of valuesOf(group, rule.term)) {
      if (rule.allows(value, context)) continue;
      const message = typeof rule.message === 'string' ? rule.message : rule.message(value);
      yield problem(rule, message, value.path ?? group.path);
    }
  }
}

function problem(rule: Rule, message: string, path: string | undefined): InvoiceProblem {
  const shown = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message;
  return { rule: rule.id, ...(path !== undefined && { path }), term: termTitle(rule.term), message: shown };
}

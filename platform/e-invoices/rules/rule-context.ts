import type { EInvoiceProfile, EInvoiceSyntax } from '../e-invoice-spec.ts';
import { groupOf, valueOf, type GroupId, type Invoice, type InvoiceGroup, type TermId } from '../invoice.ts';
import { add, decimal, decimalText, subtract, ZERO, type Decimal } from './decimal.ts';
import type { CategoryTotals, RuleContext } from './rule.ts';

type Totals = { -readonly [Key in keyof CategoryTotals]: CategoryTotals[Key] };

/** Terms with the VAT category, rate and amount. On a line, they are in two groups. */
const ALLOWANCE = { category: 'BT-95', rate: 'BT-96', amount: 'BT-92' } as const;
const CHARGE = { category: 'BT-102', rate: 'BT-103', amount: 'BT-99' } as const;

/** Reads the invoice once; the rules then read each group once. */
export function ruleContext(
  invoice: Invoice,
  { profile, syntax }: { profile: EInvoiceProfile; syntax: EInvoiceSyntax },
): RuleContext {
  const groups = groupsByNumber(invoice);
  const sums = new Map<TermId, Decimal>();
  const groupsOf = (id: GroupId) => groups.get(id) ?? [];
  const categories = totalsByCategory(groupsOf);
  const breakdowns = countBy(groupsOf('BG-23'), 'BT-118');
  return {
    profile,
    syntax,
    groups: groupsOf,
    value: (id, term) => groupsOf(id).flatMap((group) => valueOf(group, term)?.value ?? [])[0],
    sum(id, term) {
      const sum =
        sums.get(term) ?? groupsOf(id).reduce((total, group) => add(total, decimalOf(group, term)), ZERO);
      sums.set(term, sum);
      return sum;
    },
    category: (key) => categories.get(key),
    breakdowns: (category) => breakdowns.get(category) ?? 0,
  };
}

/** The key of a category and rate, equal for `19` and `19.00`. */
export function categoryKey(category: string, rate: string | undefined): string {
  return rate === undefined ? `${category} ` : `${category} ${decimalText(decimal(rate))}`;
}

function groupsByNumber(invoice: Invoice): Map<GroupId, InvoiceGroup[]> {
  const groups = new Map<GroupId, InvoiceGroup[]>();
  const pending = [invoice];
  for (let group = pending.pop(); group !== undefined; group = pending.pop()) {
    const same = groups.get(group.id);
    if (same === undefined) groups.set(group.id, [group]);
    else same.push(group);
    for (const children of Object.values(group.groups)) pending.push(...(children ?? []).toReversed());
  }
  return groups;
}

function totalsByCategory(groups: (id: GroupId) => readonly InvoiceGroup[]): Map<string, Totals> {
  const categories = new Map<string, Totals>();
  for (const line of groups('BG-25')) {
    const vat = groupOf(line, 'BG-30');
    const keys = vat === undefined ? [] : keysOf(vat, { category: 'BT-151', rate: 'BT-152' });
    for (const key of keys) addTo(categories, key, decimalOf(line, 'BT-131')).isInLines = true;
  }
  for (const allowance of groups('BG-20')) {
    const taxable = subtract(ZERO, decimalOf(allowance, ALLOWANCE.amount));
    for (const key of keysOf(allowance, ALLOWANCE)) addTo(categories, key, taxable).isInAllowances = true;
  }
  for (const charge of groups('BG-21')) {
    const taxable = decimalOf(charge, CHARGE.amount);
    for (const key of keysOf(charge, CHARGE)) addTo(categories, key, taxable).isInCharges = true;
  }
  return categories;
}

function countBy(groups: readonly InvoiceGroup[], term: TermId): Map<string, number> {
  const counts = new Map<string, number>();
  for (const group of groups) {
    const value = valueOf(group, term)?.value ?? '';
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

/** The category alone, and with its rate. */
function keysOf(group: InvoiceGroup, terms: { category: TermId; rate: TermId }): string[] {
  const category = valueOf(group, terms.category)?.value;
  if (category === undefined) return [];
  return [category, categoryKey(category, valueOf(group, terms.rate)?.value)];
}

function addTo(categories: Map<string, Totals>, key: string, taxable: Decimal): Totals {
  const totals = categories.get(key) ?? {
    taxable: ZERO,
    isInLines: false,
    isInAllowances: false,
    isInCharges: false,
  };
  totals.taxable = add(totals.taxable, taxable);
  categories.set(key, totals);
  return totals;
}

/** Returns the value of a term with a decimal number. */
export function decimalOf(group: InvoiceGroup, term: TermId, otherwise = ZERO): Decimal {
  const value = valueOf(group, term)?.value;
  return value === undefined ? otherwise : decimal(value);
}

import { hasTerm, valueOf, type InvoiceGroup, type TermId } from '../invoice.ts';
import { add, amountText, decimal, equals, subtract, ZERO, type Decimal } from './decimal.ts';
import { decimalOf } from './rule-context.ts';
import type { GroupRule, RuleContext } from './rule.ts';

/** A total, and how it is calculated. Undefined: nothing to compare with. */
interface Total {
  readonly id: string;
  readonly term: TermId;
  readonly name: string;
  readonly from: string;
  readonly expected: (totals: InvoiceGroup, context: RuleContext) => Decimal | undefined;
}

const TOTALS: readonly Total[] = [
  {
    id: 'BR-CO-10',
    term: 'BT-106',
    name: 'sum of the line net amounts',
    from: 'the lines add up to',
    expected: (_totals, context) => context.sum('BG-25', 'BT-131'),
  },
  {
    id: 'BR-CO-11',
    term: 'BT-107',
    name: 'sum of the allowances',
    from: "the invoice's allowances add up to",
    expected: (_totals, context) => context.sum('BG-20', 'BT-92'),
  },
  {
    id: 'BR-CO-12',
    term: 'BT-108',
    name: 'sum of the charges',
    from: "the invoice's charges add up to",
    expected: (_totals, context) => context.sum('BG-21', 'BT-99'),
  },
  {
    id: 'BR-CO-13',
    term: 'BT-109',
    name: 'total without VAT',
    from: 'the lines less the allowances plus the charges come to',
    expected: (totals) => combine(totals, 'BT-106', { plus: 'BT-108', minus: 'BT-107' }),
  },
  {
    id: 'BR-CO-14',
    term: 'BT-110',
    name: 'total VAT amount',
    from: 'the VAT breakdown adds up to',
    expected: (_totals, context) =>
      context.groups('BG-23').length === 0 ? undefined : context.sum('BG-23', 'BT-117'),
  },
  {
    id: 'BR-CO-15',
    term: 'BT-112',
    name: 'total with VAT',
    from: 'the total without VAT plus the total VAT amount is',
    expected: (totals) => combine(totals, 'BT-109', { plus: 'BT-110' }),
  },
  {
    id: 'BR-CO-16',
    term: 'BT-115',
    name: 'amount due for payment',
    from: 'the total with VAT less the paid amount plus the rounding amount is',
    expected: (totals) => combine(totals, 'BT-112', { plus: 'BT-114', minus: 'BT-113' }),
  },
];

/** Totals that may be absent only if there is nothing to add up. */
const SUMS_OF = { 'BT-107': 'BG-20', 'BT-108': 'BG-21' } as const;

/** BR-CO-10 to BR-CO-16. */
export const TOTALS_RULES: readonly GroupRule[] = TOTALS.map((total) => totalRule(total));

function totalRule({ id, term, name, from, expected }: Total): GroupRule {
  return {
    id,
    group: 'BG-22',
    term,
    holds(totals, context) {
      const value = valueOf(totals, term)?.value;
      if (value === undefined) return !isMissing(term, context);
      const sum = expected(totals, context);
      return sum === undefined || equals(decimal(value), sum);
    },
    message(totals, context) {
      const sum = amountText(expected(totals, context) ?? ZERO);
      const value = valueOf(totals, term)?.value;
      return value === undefined
        ? `The ${name} is missing: ${from} ${sum}.`
        : `The ${name} is ${value}, but ${from} ${sum}.`;
    },
  };
}

function isMissing(term: TermId, context: RuleContext): boolean {
  if (term === 'BT-107' || term === 'BT-108') return context.groups(SUMS_OF[term]).length > 0;
  // The UBL schema requires it. The official rules for CII accept an invoice without it.
  if (term === 'BT-110') return context.syntax === 'ubl' || !equals(context.sum('BG-23', 'BT-117'), ZERO);
  return false;
}

function combine(
  totals: InvoiceGroup,
  first: TermId,
  { plus, minus }: { plus?: TermId; minus?: TermId },
): Decimal | undefined {
  if (!hasTerm(totals, first)) return undefined;
  const optional = (term: TermId | undefined) => (term ? decimalOf(totals, term) : ZERO);
  return subtract(add(decimalOf(totals, first), optional(plus)), optional(minus));
}

import { isCode } from '../code-lists/code-lists.ts';
import { groupsOf, hasTerm, valueOf, valuesOf, type InvoiceGroup, type TermId } from '../invoice.ts';
import { compare, decimal, ZERO } from './decimal.ts';
import { decimalOf } from './rule-context.ts';
import type { GroupRule, Rule, RuleContext, ValueRule } from './rule.ts';

/** Payment means codes for credit transfers: general, and within SEPA. */
export const CREDIT_TRANSFERS: ReadonlySet<string> = new Set(['30', '58']);

const MAX_CARD_DIGITS = 10;

/** An allowance or charge needs a reason. BR-CO-21 to BR-CO-24 require the same. */
const REASONS: readonly GroupRule[] = (
  [
    ['BR-33', 'BG-20', 'BT-97', 'BT-98', 'allowance'],
    ['BR-38', 'BG-21', 'BT-104', 'BT-105', 'charge'],
    ['BR-42', 'BG-27', 'BT-139', 'BT-140', 'line allowance'],
    ['BR-44', 'BG-28', 'BT-144', 'BT-145', 'line charge'],
  ] as const
).map(([id, group, reason, code, what]) => ({
  id,
  group,
  term: reason,
  holds: (entry) => hasTerm(entry, reason) || hasTerm(entry, code),
  message: `Each ${what} needs a reason or a reason code.`,
}));

const PERIODS: readonly GroupRule[] = (
  [
    ['BR-29', 'BG-14', 'BT-73', 'BT-74', 'invoicing period'],
    ['BR-30', 'BG-26', 'BT-134', 'BT-135', 'line period'],
  ] as const
).map(([id, group, start, end, what]) => ({
  id,
  group,
  term: end,
  holds: (period) => isAscending(valueOf(period, start)?.value, valueOf(period, end)?.value),
  message: `The ${what} ends before it starts.`,
}));

/** Dates such as `2026-11-28` sort as text. */
export function isAscending(first: string | undefined, second: string | undefined): boolean {
  return first === undefined || second === undefined || first <= second;
}

const VAT_NUMBERS: readonly ValueRule[] = (
  [
    ['BG-4', 'BT-31', 'seller'],
    ['BG-7', 'BT-48', 'buyer'],
    ['BG-11', 'BT-63', 'tax representative'],
  ] as const
).map(([group, term, whose]) => ({
  id: 'BR-CO-09',
  group,
  term,
  allows: ({ value }) => isVatPrefix(value.slice(0, 2)),
  message: `The ${whose}'s VAT number must begin with a country code, such as DE.`,
}));

/** Greece uses EL instead of its country code. */
function isVatPrefix(prefix: string): boolean {
  return prefix === 'EL' || isCode('countries', prefix);
}

/** The other EN 16931 rules: what one term requires of another. */
export const CONTENT_RULES: readonly Rule[] = [
  {
    id: 'BR-17',
    group: 'BG-10',
    term: 'BT-59',
    holds: (payee, context) => !isSeller(payee, context),
    message: 'Name a payee only if the payee is not the seller.',
  },
  {
    id: 'BR-27',
    group: 'BG-29',
    term: 'BT-146',
    holds: (price) => isNotNegative(price, 'BT-146'),
    message: "An item's net price must not be negative. Use a negative quantity instead.",
  },
  {
    id: 'BR-28',
    group: 'BG-29',
    term: 'BT-148',
    holds: (price) => isNotNegative(price, 'BT-148'),
    message: "An item's gross price must not be negative.",
  },
  ...PERIODS,
  ...REASONS,
  {
    id: 'BR-48',
    group: 'BG-23',
    term: 'BT-119',
    holds: (breakdown) => hasTerm(breakdown, 'BT-119') || valueOf(breakdown, 'BT-118')?.value === 'O',
    message: 'The VAT breakdown needs a rate for each category, except category O (not subject to VAT).',
  },
  {
    id: 'BR-51',
    group: 'BG-18',
    term: 'BT-87',
    holds: (card) => (valueOf(card, 'BT-87')?.value.length ?? 0) <= MAX_CARD_DIGITS,
    message: 'Show at most the first six and last four digits of a payment card number.',
  },
  {
    id: 'BR-53',
    group: 'BG-0',
    term: 'BT-111',
    holds: (invoice, context) =>
      !hasTerm(invoice, 'BT-6') ||
      (context.value('BG-22', 'BT-111') !== undefined && !isAccountingCurrencyOfInvoice(invoice)),
    message:
      'A VAT accounting currency needs the total VAT amount in that currency, and must differ from the invoice currency.',
  },
  {
    // The official rules report the currency of the amount, which would be empty: BR-CL-03.
    id: 'BR-53',
    group: 'BG-22',
    term: 'BT-111',
    holds: (totals, context) => !hasTerm(totals, 'BT-111') || context.value('BG-0', 'BT-6') !== undefined,
    message: 'The total VAT amount in the accounting currency needs the code of that currency (BT-6).',
  },
  {
    id: 'BR-61',
    group: 'BG-16',
    term: 'BT-84',
    holds: (payment) =>
      !CREDIT_TRANSFERS.has(valueOf(payment, 'BT-81')?.value ?? '') || groupsOf(payment, 'BG-17').length > 0,
    message: "A credit transfer needs the payee's account.",
  },
  {
    id: 'BR-CO-03',
    group: 'BG-0',
    term: 'BT-8',
    holds: (invoice) => !hasTerm(invoice, 'BT-7') || !hasTerm(invoice, 'BT-8'),
    message: 'Give either the VAT point date or its code, not both.',
  },
  ...VAT_NUMBERS,
  {
    id: 'BR-CO-26',
    group: 'BG-4',
    term: 'BT-31',
    holds: (seller) => hasTerm(seller, 'BT-29') || hasTerm(seller, 'BT-30') || hasTerm(seller, 'BT-31'),
    message: 'The seller needs an identifier, a legal registration number or a VAT number.',
  },
];

/** A rule of EN 16931-1:2017 that only Factur-X still has. */
export const FACTUR_X_RULES: readonly Rule[] = [
  {
    id: 'BR-CO-25',
    group: 'BG-0',
    term: 'BT-9',
    applies: ({ syntax }) => syntax === 'cii',
    holds: (invoice, context) =>
      hasTerm(invoice, 'BT-9') ||
      hasTerm(invoice, 'BT-20') ||
      compare(decimal(context.value('BG-22', 'BT-115') ?? '0'), ZERO) <= 0,
    message: 'An invoice with an amount due for payment needs a due date or payment terms.',
  },
];

export function isAccountingCurrencyOfInvoice(invoice: InvoiceGroup): boolean {
  return valueOf(invoice, 'BT-6')?.value === valueOf(invoice, 'BT-5')?.value;
}

function isNotNegative(group: InvoiceGroup, term: TermId): boolean {
  return compare(decimalOf(group, term), ZERO) >= 0;
}

const SAME_PARTY = [
  ['BT-59', 'BT-27'],
  ['BT-59', 'BT-28'],
  ['BT-60', 'BT-29'],
  ['BT-61', 'BT-30'],
] as const;

function isSeller(payee: InvoiceGroup, context: RuleContext): boolean {
  const seller = context.groups('BG-4')[0];
  if (seller === undefined) return false;
  return SAME_PARTY.some(([own, others]) => {
    const value = valueOf(payee, own)?.value;
    return value !== undefined && valuesOf(seller, others).some((other) => other.value === value);
  });
}

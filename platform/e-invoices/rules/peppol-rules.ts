import {
  groupOf,
  groupsOf,
  hasTerm,
  valueOf,
  type GroupId,
  type InvoiceGroup,
  type InvoiceValue,
  type TermId,
} from '../invoice.ts';
import { CHECK_DIGIT_RULES } from './check-digits.ts';
import { isAccountingCurrencyOfInvoice, isAscending } from './content-rules.ts';
import {
  absolute,
  add,
  compare,
  decimal,
  equals,
  multiply,
  ONE,
  percentOf,
  subtract,
  ZERO,
  type Decimal,
} from './decimal.ts';
import { isWithinGermany } from './german-rules.ts';
import { decimalOf } from './rule-context.ts';
import type { GroupRule, Rule, RuleContext, ValueRule } from './rule.ts';

/** How much a calculated amount may differ. */
const TOLERANCE = decimal('0.02');

const DIRECT_DEBITS: ReadonlySet<string> = new Set(['49', '59']);

/** Group of allowances or charges: amount, base amount, percentage and name. */
const ALLOWANCES_AND_CHARGES = [
  ['BG-20', 'BT-92', 'BT-93', 'BT-94', 'allowance'],
  ['BG-21', 'BT-99', 'BT-100', 'BT-101', 'charge'],
  ['BG-27', 'BT-136', 'BT-137', 'BT-138', 'line allowance'],
  ['BG-28', 'BT-141', 'BT-142', 'BT-143', 'line charge'],
] as const;

const CALCULATED = ALLOWANCES_AND_CHARGES.flatMap(([group, amount, base, percentage, what]): GroupRule[] => [
  {
    id: 'PEPPOL-EN16931-R040',
    group,
    term: amount,
    holds: (entry) =>
      !hasTerm(entry, base) ||
      !hasTerm(entry, percentage) ||
      isNear(decimalOf(entry, amount), percentOf(decimalOf(entry, percentage), decimalOf(entry, base))),
    message: `The amount of each ${what} must equal its base amount times its percentage.`,
  },
  {
    id: 'PEPPOL-EN16931-R041',
    group,
    term: base,
    holds: (entry) => !hasTerm(entry, percentage) || hasTerm(entry, base),
    message: `Each ${what} with a percentage needs a base amount.`,
  },
  {
    id: 'PEPPOL-EN16931-R042',
    group,
    term: percentage,
    holds: (entry) => !hasTerm(entry, base) || hasTerm(entry, percentage),
    message: `Each ${what} with a base amount needs a percentage.`,
  },
]);

/** The Peppol rules that XRechnung also applies. */
export const PEPPOL_AND_XRECHNUNG_RULES: readonly Rule[] = [
  {
    id: 'PEPPOL-EN16931-R005',
    group: 'BG-0',
    term: 'BT-6',
    holds: (invoice) => !hasTerm(invoice, 'BT-6') || !isAccountingCurrencyOfInvoice(invoice),
    message: 'The VAT accounting currency must differ from the invoice currency.',
  },
  {
    id: 'PEPPOL-EN16931-R010',
    group: 'BG-7',
    term: 'BT-49',
    holds: (buyer) => hasTerm(buyer, 'BT-49'),
    message: "The buyer's electronic address is missing.",
  },
  {
    id: 'PEPPOL-EN16931-R020',
    group: 'BG-4',
    term: 'BT-34',
    holds: (seller) => hasTerm(seller, 'BT-34'),
    message: "The seller's electronic address is missing.",
  },
  ...CALCULATED,
  {
    id: 'PEPPOL-EN16931-R046',
    group: 'BG-29',
    term: 'BT-146',
    holds: (price) =>
      !hasTerm(price, 'BT-148') ||
      equals(decimalOf(price, 'BT-146'), subtract(decimalOf(price, 'BT-148'), decimalOf(price, 'BT-147'))),
    message: "An item's net price must equal its gross price less the discount.",
  },
  {
    id: 'PEPPOL-EN16931-R055',
    group: 'BG-22',
    term: 'BT-111',
    holds: (totals) => haveSameSign(decimalOf(totals, 'BT-110'), decimalOf(totals, 'BT-111')),
    message: 'The total VAT amount must have the same sign in both currencies.',
  },
  {
    id: 'PEPPOL-EN16931-R061',
    group: 'BG-16',
    term: 'BT-89',
    holds: (payment) =>
      !DIRECT_DEBITS.has(valueOf(payment, 'BT-81')?.value ?? '') ||
      groupsOf(payment, 'BG-19').some((debit) => hasTerm(debit, 'BT-89')),
    message: 'A direct debit needs a mandate reference.',
  },
  {
    id: 'PEPPOL-EN16931-R110',
    group: 'BG-26',
    term: 'BT-134',
    applies: (context) => periodOf(context, 'BT-73') !== undefined,
    holds: (period, context) => isAscending(periodOf(context, 'BT-73'), valueOf(period, 'BT-134')?.value),
    message: 'The line period starts before the invoicing period.',
  },
  {
    id: 'PEPPOL-EN16931-R111',
    group: 'BG-26',
    term: 'BT-135',
    applies: (context) => periodOf(context, 'BT-74') !== undefined,
    holds: (period, context) => isAscending(valueOf(period, 'BT-135')?.value, periodOf(context, 'BT-74')),
    message: 'The line period ends after the invoicing period.',
  },
  {
    id: 'PEPPOL-EN16931-R121',
    group: 'BG-29',
    term: 'BT-149',
    holds: (price) => !hasTerm(price, 'BT-149') || compare(decimalOf(price, 'BT-149'), ZERO) > 0,
    message: 'The price base quantity must be greater than 0.',
  },
  {
    id: 'PEPPOL-EN16931-R130',
    group: 'BG-25',
    term: 'BT-130',
    holds(line) {
      const price = groupOf(line, 'BG-29');
      const unit = price === undefined ? undefined : valueOf(price, 'BT-150')?.value;
      return unit === undefined || unit === valueOf(line, 'BT-130')?.value;
    },
    message: 'The price base quantity must have the same unit as the invoiced quantity.',
  },
];

const BUSINESS_PROCESSES: ReadonlySet<string> = new Set([
  'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0',
  'urn:peppol:france:billing:regulated',
  'urn:peppol:france:billing:non-regulated',
  'urn:peppol:bis:billing_with_response',
]);

/** Types of invoices and credit notes that Peppol accepts. */
const INVOICE_TYPES: ReadonlySet<string> = new Set(
  '71 80 82 84 102 218 219 326 331 380 382 383 384 386 388 393 395 553 575 623 780 817 870 875 876 877'.split(
    ' ',
  ),
);
const CREDIT_NOTE_TYPES: ReadonlySet<string> = new Set(['381', '396', '81', '83', '532']);
const GERMAN_TYPES: ReadonlySet<string> = new Set(['326', '384']);

/** Electronic address schemes that EN 16931 allows and the Peppol network does not. */
const OTHER_ADDRESSES: ReadonlySet<string> = new Set(
  '0037 0147 0154 0158 0170 0177 0193 0194 0202 0203 0205 0212 0213 0215 0217 0219 0220 AN AQ AS AU EM'.split(
    ' ',
  ),
);

const ADDRESSES = (
  [
    ['BG-4', 'BT-34'],
    ['BG-7', 'BT-49'],
  ] as const
).map(([group, term]): ValueRule => ({
  id: 'PEPPOL-EN16931-CL008',
  group,
  term,
  allows: ({ scheme }) => !OTHER_ADDRESSES.has(scheme ?? ''),
  message: ({ scheme }) => `The Peppol network does not use addresses with the scheme “${scheme}”.`,
}));

/** Exemption reason codes that belong to one VAT category. */
const EXEMPTIONS = [
  ['P0104', 'VATEX-EU-G', 'G'],
  ['P0105', 'VATEX-EU-O', 'O'],
  ['P0106', 'VATEX-EU-IC', 'K'],
  ['P0107', 'VATEX-EU-AE', 'AE'],
  ['P0108', 'VATEX-EU-D', 'E'],
  ['P0109', 'VATEX-EU-F', 'E'],
  ['P0110', 'VATEX-EU-I', 'E'],
  ['P0111', 'VATEX-EU-J', 'E'],
] as const;

/** The general rules of Peppol BIS Billing that XRechnung does not apply, or applies only as warnings. */
export const PEPPOL_RULES: readonly Rule[] = [
  {
    id: 'PEPPOL-EN16931-R002',
    group: 'BG-0',
    term: 'BT-22',
    applies: (context) => !isWithinGermany(context),
    holds: (_invoice, context) => context.groups('BG-1').length <= 1,
    message: 'An invoice may have only one note, except within Germany.',
  },
  {
    id: 'PEPPOL-EN16931-R003',
    group: 'BG-0',
    term: 'BT-10',
    holds: (invoice) => hasTerm(invoice, 'BT-10') || hasTerm(invoice, 'BT-13'),
    message: 'The invoice needs a buyer reference or a purchase order number.',
  },
  {
    id: 'PEPPOL-EN16931-R007',
    group: 'BG-2',
    term: 'BT-23',
    allows: ({ value }: InvoiceValue) => BUSINESS_PROCESSES.has(value),
    message: ({ value }: InvoiceValue) => `Peppol does not recognize the business process ${value}.`,
  },
  {
    id: 'PEPPOL-EN16931-R120',
    group: 'BG-25',
    term: 'BT-131',
    holds: isLineAmount,
    message:
      "A line's net amount must equal the quantity times the price, plus the line's charges, less its allowances.",
  },
  {
    id: 'PEPPOL-EN16931-P0100',
    group: 'BG-0',
    term: 'BT-3',
    allows: ({ value }: InvoiceValue) => INVOICE_TYPES.has(value) || CREDIT_NOTE_TYPES.has(value),
    message: ({ value }: InvoiceValue) => `Peppol does not accept the invoice type ${value}.`,
  },
  {
    id: 'PEPPOL-EN16931-P0112',
    group: 'BG-0',
    term: 'BT-3',
    allows: ({ value }, context) => !GERMAN_TYPES.has(value) || isWithinGermany(context),
    message: ({ value }: InvoiceValue) => `Invoice type ${value} is only for invoices within Germany.`,
  },
  ...EXEMPTIONS.map(([id, code, category]): GroupRule => {
    return {
      id: `PEPPOL-EN16931-${id}`,
      group: 'BG-23',
      term: 'BT-121',
      holds: (breakdown) =>
        valueOf(breakdown, 'BT-121')?.value.toUpperCase() !== code ||
        valueOf(breakdown, 'BT-118')?.value === category,
      message: `Exemption reason ${code} is only for VAT category ${category}.`,
    };
  }),
  ...ADDRESSES,
  ...CHECK_DIGIT_RULES,
];

function periodOf(context: RuleContext, term: TermId): string | undefined {
  return context.value('BG-14', term);
}

function isNear(a: Decimal, b: Decimal): boolean {
  return compare(absolute(subtract(a, b)), TOLERANCE) <= 0;
}

function haveSameSign(a: Decimal, b: Decimal): boolean {
  return a.digits === 0n || b.digits === 0n || a.digits < 0n === b.digits < 0n;
}

/** Compares without dividing: multiplies both sides by the base quantity. */
function isLineAmount(line: InvoiceGroup): boolean {
  const price = groupOf(line, 'BG-29');
  if (!price || !hasTerm(line, 'BT-131')) return true;
  const base = decimalOf(price, 'BT-149', ONE);
  if (compare(base, ZERO) <= 0) return true;
  const withoutPrice = subtract(
    add(decimalOf(line, 'BT-131'), sum(line, 'BG-27', 'BT-136')),
    sum(line, 'BG-28', 'BT-141'),
  );
  const expected = multiply(decimalOf(line, 'BT-129'), decimalOf(price, 'BT-146'));
  const difference = absolute(subtract(multiply(withoutPrice, base), expected));
  return compare(difference, multiply(TOLERANCE, base)) <= 0;
}

function sum(line: InvoiceGroup, group: GroupId, term: TermId): Decimal {
  return groupsOf(line, group).reduce((total, entry) => add(total, decimalOf(entry, term)), ZERO);
}

import { valueOf, type GroupId, type InvoiceGroup, type TermId } from '../invoice.ts';
import {
  absolute,
  amountText,
  compare,
  decimal,
  equals,
  ONE,
  percentOf,
  subtract,
  toCents,
  ZERO,
} from './decimal.ts';
import { categoryKey } from './rule-context.ts';
import type { GroupRule, RuleContext } from './rule.ts';
import { VAT_CATEGORIES, type VatCategory } from './vat-categories.ts';

/** Where a category occurs, with the numbers of the rules about its identifiers and its rate. */
const PLACES = [
  { group: 'BG-30', category: 'BT-151', rate: 'BT-152', what: 'line', parties: '02', rates: '05' },
  { group: 'BG-20', category: 'BT-95', rate: 'BT-96', what: 'allowance', parties: '03', rates: '06' },
  { group: 'BG-21', category: 'BT-102', rate: 'BT-103', what: 'charge', parties: '04', rates: '07' },
] as const;

/** BR-S-01 to BR-AG-10. */
export const VAT_CATEGORY_RULES: readonly GroupRule[] = VAT_CATEGORIES.flatMap((category) => [
  breakdownRule(category),
  ...PLACES.map((place) => partiesRule(category, place)),
  ...PLACES.map((place) => rateRule(category, place)),
  taxableRule(category),
  taxRule(category),
  exemptionRule(category),
]);

type Place = (typeof PLACES)[number];

/** Each category that occurs has a breakdown; only rated categories may have several, one for each rate. */
function breakdownRule(category: VatCategory): GroupRule {
  const { code, prefix, name } = category;
  const severalRates = category.rate.endsWith('positive');
  return {
    id: `BR-${prefix}-01`,
    group: 'BG-0',
    term: 'BT-118',
    holds(_invoice, context) {
      const count = context.breakdowns(code);
      if (context.category(code) === undefined) return count === 0;
      return severalRates ? count > 0 : count === 1;
    },
    message: severalRates
      ? `The VAT breakdown needs an entry for category ${code} (${name}) if, and only if, a line, allowance or charge has this category.`
      : `The VAT breakdown needs exactly one entry for category ${code} (${name}) if, and only if, a line, allowance or charge has this category.`,
  };
}

function partiesRule(category: VatCategory, place: Place): GroupRule {
  const needs = [`the seller needs a ${category.seller}`];
  if (category.buyer !== undefined) needs.push(`the buyer needs a ${category.buyer}`);
  const subject = `${place.what === 'allowance' ? 'An' : 'A'} ${place.what}`;
  const has = `has VAT category ${category.code} (${category.name})`;
  return {
    id: `BR-${category.prefix}-${place.parties}`,
    group: 'BG-0',
    term: 'BT-31',
    applies: (context) => occursIn(category.code, place, context),
    holds: (_invoice, context) => hasParties(category, context),
    message:
      category.seller === 'no VAT number'
        ? `${subject} ${has}, so the seller, its tax representative and the buyer must not have a VAT number.`
        : `${subject} ${has}, so ${needs.join(' and ')}.`,
  };
}

function occursIn(code: string, { what }: Place, context: RuleContext): boolean {
  const totals = context.category(code);
  if (totals === undefined) return false;
  if (what === 'line') return totals.isInLines;
  return what === 'allowance' ? totals.isInAllowances : totals.isInCharges;
}

function hasParties({ seller, buyer }: VatCategory, context: RuleContext): boolean {
  const has = (group: GroupId, term: TermId) => context.value(group, term) !== undefined;
  const sellerVat = has('BG-4', 'BT-31') || has('BG-11', 'BT-63');
  if (seller === 'no VAT number') return !sellerVat && !has('BG-7', 'BT-48');
  const hasSeller = sellerVat || (seller === 'VAT or tax number' && has('BG-4', 'BT-32'));
  const hasBuyer = has('BG-7', 'BT-48') || (buyer === 'VAT or registration number' && has('BG-7', 'BT-47'));
  return hasSeller && (buyer === undefined || hasBuyer);
}

function rateRule(category: VatCategory, place: Place): GroupRule {
  const must = {
    positive: 'needs a VAT rate greater than 0',
    'zero or positive': 'needs a VAT rate of 0 or more',
    zero: 'needs a VAT rate of 0',
    none: 'must not have a VAT rate',
  }[category.rate];
  return {
    id: `BR-${category.prefix}-${place.rates}`,
    group: place.group,
    term: place.rate,
    applies: (context) => occursIn(category.code, place, context),
    holds: (group, { syntax }) =>
      valueOf(group, place.category)?.value !== category.code ||
      isRate(category.rate, valueOf(group, place.rate)?.value, syntax),
    message: `${place.what === 'allowance' ? 'An' : 'A'} ${place.what} in VAT category ${category.code} (${category.name}) ${must}.`,
  };
}

/** The official rules for CII do not accept an IGIC or IPSI rate of 0, which EN 16931 allows. */
function isRate(kind: VatCategory['rate'], rate: string | undefined, syntax: RuleContext['syntax']): boolean {
  if (rate === undefined) return kind === 'none';
  const sign = compare(decimal(rate), ZERO);
  switch (kind) {
    case 'none':
      return false;
    case 'zero':
      return sign === 0;
    case 'positive':
      return sign > 0;
    case 'zero or positive':
      return syntax === 'cii' ? sign > 0 : sign >= 0;
  }
}

function taxableRule({ code, prefix, name, rate }: VatCategory): GroupRule {
  const isRated = rate.endsWith('positive');
  const key = (group: InvoiceGroup) => (isRated ? categoryKey(code, valueOf(group, 'BT-119')?.value) : code);
  const expected = (group: InvoiceGroup, context: RuleContext) =>
    context.category(key(group))?.taxable ?? ZERO;
  return {
    id: `BR-${prefix}-08`,
    group: 'BG-23',
    term: 'BT-116',
    applies: (context) => context.breakdowns(code) > 0,
    holds(group, context) {
      const taxable = valueOf(group, 'BT-116')?.value;
      const hasRate = !isRated || valueOf(group, 'BT-119') !== undefined;
      if (valueOf(group, 'BT-118')?.value !== code || taxable === undefined || !hasRate) return true;
      return equals(decimal(taxable), expected(group, context));
    },
    message: (group, context) =>
      `The taxable amount for VAT category ${code} (${name}) is ${valueOf(group, 'BT-116')?.value}, but the lines and charges less the allowances with this category${isRated ? ' and rate' : ''} add up to ${amountText(expected(group, context))}.`,
  };
}

function taxRule({ code, prefix, name, rate }: VatCategory): GroupRule {
  const isTaxed = rate.endsWith('positive');
  return {
    id: `BR-${prefix}-09`,
    group: 'BG-23',
    term: 'BT-117',
    applies: (context) => context.breakdowns(code) > 0,
    holds(group) {
      const tax = valueOf(group, 'BT-117')?.value;
      if (valueOf(group, 'BT-118')?.value !== code || tax === undefined) return true;
      return isTaxed ? isTaxOf(group) : equals(decimal(tax), ZERO);
    },
    message: isTaxed
      ? `The VAT amount for category ${code} (${name}) must equal its taxable amount times its rate. A difference of less than 1 is allowed.`
      : `The VAT amount for category ${code} (${name}) must be 0.`,
  };
}

/** Whether BT-117 is BT-116 times BT-119. The official rules allow a difference of less than 1. */
function isTaxOf(group: InvoiceGroup): boolean {
  const [tax, taxable, rate] = (['BT-117', 'BT-116', 'BT-119'] as const).map(
    (id) => valueOf(group, id)?.value,
  );
  if (tax === undefined || taxable === undefined) return true;
  const expected = toCents(percentOf(decimal(rate ?? '0'), absolute(decimal(taxable))));
  return compare(absolute(subtract(absolute(decimal(tax)), expected)), ONE) < 0;
}

function exemptionRule({ code, prefix, name, exemption }: VatCategory): GroupRule {
  return {
    id: `BR-${prefix}-10`,
    group: 'BG-23',
    term: 'BT-120',
    applies: (context) => context.breakdowns(code) > 0,
    holds(group) {
      if (valueOf(group, 'BT-118')?.value !== code) return true;
      const hasReason = valueOf(group, 'BT-120') !== undefined || valueOf(group, 'BT-121') !== undefined;
      return hasReason === (exemption === 'required');
    },
    message:
      exemption === 'required'
        ? `VAT category ${code} (${name}) needs an exemption reason or reason code in the VAT breakdown.`
        : `VAT category ${code} (${name}) must not have an exemption reason in the VAT breakdown.`,
  };
}

import { StringEnum } from '@trifold/crds';
import { BILLABLE_UNITS, type BillableUnit } from '@trifold/platform/settings/price-settings.ts';
import type { UsageCounters } from '@trifold/platform/records/usage/usage-counters.ts';
import { Type, type Static } from 'typebox';
import { nullable } from '../server/http/route-schemas.ts';
import { formatDecimal, plus, times, ZERO, type Prices } from './prices.ts';
import type { billingPeriod } from './usage-period.ts';
import { AsOf, usageIn, type AccountUsage } from './usage-view.ts';

const Amount = (description: string) =>
  Type.Union([Type.String({ pattern: '^[0-9]+(\\.[0-9]+)?$' }), Type.Null()], { description });

const BilledUnit = Type.Object(
  {
    unit: StringEnum(BILLABLE_UNITS, {
      description: 'The kind of unit: a document in one format, or an email.',
    }),
    quantity: Type.Integer({ minimum: 0, description: 'Number of units from live keys.' }),
    unit_price: Amount('Unit price as a decimal number. null if the deployment has no price for the unit.'),
    amount: Amount('Exact product of quantity and price, not rounded. null if the unit has no price.'),
  },
  { title: 'BilledUnit', description: 'Quantity, unit price and amount for one kind of unit.' },
);

/** Response to `GET /v1/billing`. */
export const BillingView = Type.Object(
  {
    period: Type.String({ description: 'The month, for example `2026-11`.' }),
    from: Type.String({ description: 'First day of the period, in UTC.' }),
    to: Type.String({ description: 'Last day of the period, in UTC.' }),
    currency: nullable(Type.String(), 'Currency code (ISO 4217); null if nothing has a price.'),
    units: Type.Array(BilledUnit, {
      description: 'One entry for each kind of unit, even if its quantity is 0.',
    }),
    total: Amount('Exact sum of the amounts. null if nothing has a price.'),
    as_of: AsOf,
  },
  { title: 'Billing', description: 'Billing for a month, for live keys only.' },
);
export type BillingView = Static<typeof BillingView>;

/** Example for a deployment with prices for PDFs and emails. */
const EXAMPLE_QUANTITIES: Partial<Record<BillableUnit, Omit<Static<typeof BilledUnit>, 'unit'>>> = {
  pdf: { quantity: 410, unit_price: '0.015', amount: '6.15' },
  email: { quantity: 120, unit_price: '0.001', amount: '0.12' },
};

export const EXAMPLE_BILLING: BillingView = {
  period: '2026-11',
  from: '2026-11-01',
  to: '2026-11-30',
  currency: 'EUR',
  units: BILLABLE_UNITS.map((unit) => ({
    unit,
    ...(EXAMPLE_QUANTITIES[unit] ?? { quantity: 0, unit_price: null, amount: null }),
  })),
  total: '6.27',
  as_of: '2026-11-23T16:04:40.000Z',
};

/**
 * Returns the API view of a month's bill: documents by format, and emails, from live keys. Failures and pages are not
 * billed.
 */
export function billingView(
  { days, asOf }: AccountUsage,
  { month, from, to }: ReturnType<typeof billingPeriod>,
  prices: Prices,
): BillingView {
  const usage = usageIn(days, { from, to });
  let total = ZERO;
  const units = BILLABLE_UNITS.map((unit) => {
    const quantity = quantityOf(usage, unit);
    const price = prices.units[unit];
    if (!price) return { unit, quantity, unit_price: null, amount: null };
    const amount = times(price, quantity);
    total = plus(total, amount);
    return { unit, quantity, unit_price: formatDecimal(price), amount: formatDecimal(amount) };
  });
  const { currency = null } = prices;
  const isPriced = Object.keys(prices.units).length > 0;
  return {
    period: month,
    from,
    to,
    currency,
    units,
    total: isPriced ? formatDecimal(total) : null,
    as_of: asOf,
  };
}

function quantityOf({ documents, emails }: UsageCounters, unit: BillableUnit): number {
  return unit === 'email' ? emails.live : documents.live[unit];
}

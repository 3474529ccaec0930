import { DOCUMENT_FORMATS, type DocumentFormat } from '@trifold/crds/schema/document-format.ts';
import type { Settings } from './setting.ts';
import { currencyCode, decimal } from './setting-forms.ts';
import type { SettingType } from './setting-types.ts';

/** Billed units: a document in a given format, or an email. */
export const BILLABLE_UNITS = [...DOCUMENT_FORMATS, 'email'] as const;
export type BillableUnit = DocumentFormat | 'email';

/** Prices as decimal strings; a unit without a price is absent. */
export interface PriceList {
  /** ISO 4217. */
  readonly currency: string;
  readonly units: Readonly<Partial<Record<BillableUnit, string>>>;
}

const FIELDS: readonly string[] = ['currency', ...BILLABLE_UNITS];

/** `currency=EUR,pdf=0.015`. In the chart, a map. */
const prices: SettingType<PriceList> = {
  parse: (text) => {
    const pairs = text.split(',').map((pair) => pair.trim().split('='));
    const given = new Map(pairs.map(([name = '', value = '']) => [name, value]));
    const isValid = pairs.every(([name = '', ...values]) => FIELDS.includes(name) && values.length === 1);
    const { currency, ...units } = Object.fromEntries(given);
    if (!isValid || given.size < pairs.length || currency === undefined) {
      throw new RangeError(
        `must be a currency and prices such as currency=EUR,pdf=0.015,email=0.001 (${BILLABLE_UNITS.join(', ')}), not ${JSON.stringify(text)}`,
      );
    }
    for (const price of Object.values(units)) decimal.parse(price);
    return Object.freeze({ currency: currencyCode.parse(currency), units: Object.freeze(units) });
  },
  schema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      currency: currencyCode.schema,
      ...Object.fromEntries(BILLABLE_UNITS.map((unit) => [unit, decimal.schema])),
    },
    dependencies: Object.fromEntries(BILLABLE_UNITS.map((unit) => [unit, ['currency']])),
    description: 'A currency such as EUR, and prices as strings such as "0.015".',
  },
};

/** Prices for documents and emails. */
export const PRICES = {
  TRIFOLD_PRICES: {
    type: prices,
    doc: `Prices for \`GET /v1/billing\`, such as \`currency=EUR,pdf=0.015,email=0.001\`: a three-letter currency code, and the prices of units that are generated with a live key (\`${BILLABLE_UNITS.join('`, `')}\`), with at most eight digits after the decimal point. Without a price, a unit has no amount.`,
    chart: {
      value: 'gateway.config.prices',
      note: "In the chart, a map such as `{ currency: EUR, pdf: '0.015' }`.",
    },
  },
} as const satisfies Settings;

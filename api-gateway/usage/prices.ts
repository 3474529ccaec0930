import { USAGE_FORMATS, type UsageFormat } from '@trifold/crds';
import {
  ConfigError,
  readSettings,
  type Environment,
  type SettingParser,
} from '@trifold/platform/service/config.ts';
import { parseDecimal, type Decimal } from './decimal.ts';

/** Billed units: a document of a format, or an email. */
export const BILLABLE_UNITS = [...USAGE_FORMATS, 'email'] as const;
export type BillableUnit = UsageFormat | 'email';

/** Unit prices; a unit without a price is absent. */
export interface Prices {
  /** ISO 4217; undefined when nothing has a price. */
  readonly currency: string | undefined;
  readonly units: Readonly<Partial<Record<BillableUnit, Decimal>>>;
}

type PriceSettings = Record<BillableUnit, Decimal | undefined> & { currency: string | undefined };

/**
 * Reads TRIFOLD_PRICE_PDF, _PNG, _HTML, _DOCX, _EMAIL and TRIFOLD_PRICE_CURRENCY, all unset by default. Throws
 * ConfigError with all problems at once.
 */
export function loadPrices(environment: Environment): Prices {
  const { currency, ...given } = readSettings<PriceSettings>(environment, {
    pdf: { variable: 'TRIFOLD_PRICE_PDF', parse: price, fallback: undefined },
    png: { variable: 'TRIFOLD_PRICE_PNG', parse: price, fallback: undefined },
    html: { variable: 'TRIFOLD_PRICE_HTML', parse: price, fallback: undefined },
    docx: { variable: 'TRIFOLD_PRICE_DOCX', parse: price, fallback: undefined },
    email: { variable: 'TRIFOLD_PRICE_EMAIL', parse: price, fallback: undefined },
    currency: { variable: 'TRIFOLD_PRICE_CURRENCY', parse: currencyCode, fallback: undefined },
  });
  const units: Partial<Record<BillableUnit, Decimal>> = {};
  for (const unit of BILLABLE_UNITS) {
    const one = given[unit];
    if (one) units[unit] = one;
  }
  if (Object.keys(units).length > 0 && currency === undefined)
    throw new ConfigError(['TRIFOLD_PRICE_CURRENCY must be set where something has a price']);
  return Object.freeze({ currency, units: Object.freeze(units) });
}

const price: SettingParser<Decimal> = (text) => {
  const value = parseDecimal(text);
  if (value) return value;
  throw new RangeError(
    `must be a number such as 0.015, at most nine digits before the point and eight after it, not ${JSON.stringify(text)}`,
  );
};

const currencyCode: SettingParser<string> = (text) => {
  if (/^[A-Z]{3}$/.test(text)) return text;
  throw new RangeError(`must be the three letters of a currency such as EUR, not ${JSON.stringify(text)}`);
};

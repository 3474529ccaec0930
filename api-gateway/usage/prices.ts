import { USAGE_FORMATS, type UsageFormat } from '@trifold/crds';
import { ConfigError, readSettings, type Environment } from '@trifold/platform/service/config.ts';
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

/**
 * Reads TRIFOLD_PRICE_PDF, _PNG, _HTML, _DOCX, _EMAIL and TRIFOLD_PRICE_CURRENCY, all unset by default. Throws
 * ConfigError with all problems at once.
 */
export function loadPrices(environment: Environment): Prices {
  const { currency, ...given } = readSettings(environment, {
    pdf: 'TRIFOLD_PRICE_PDF',
    png: 'TRIFOLD_PRICE_PNG',
    html: 'TRIFOLD_PRICE_HTML',
    docx: 'TRIFOLD_PRICE_DOCX',
    email: 'TRIFOLD_PRICE_EMAIL',
    currency: 'TRIFOLD_PRICE_CURRENCY',
  });
  const units: Partial<Record<BillableUnit, Decimal>> = {};
  for (const unit of BILLABLE_UNITS) {
    const price = parseDecimal(given[unit] ?? '');
    if (price) units[unit] = price;
  }
  if (Object.keys(units).length > 0 && currency === undefined)
    throw new ConfigError(['TRIFOLD_PRICE_CURRENCY must be set where something has a price']);
  return Object.freeze({ currency, units: Object.freeze(units) });
}

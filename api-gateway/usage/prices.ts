import { byFormat, DOCUMENT_FORMATS, type DocumentFormat } from '@trifold/crds';
import { ConfigError, readSettings, type Environment } from '@trifold/platform/settings/read-settings.ts';
import { priceSetting } from '@trifold/platform/settings/price-settings.ts';

/** Billed units: a document in a given format, or an email. */
export const BILLABLE_UNITS = [...DOCUMENT_FORMATS, 'email'] as const;
export type BillableUnit = DocumentFormat | 'email';

/** Unit prices; a unit without a price is absent. */
export interface Prices {
  /** ISO 4217; undefined when nothing has a price. */
  readonly currency: string | undefined;
  readonly units: Readonly<Partial<Record<BillableUnit, Decimal>>>;
}

/**
 * Reads TRIFOLD_PRICE_CURRENCY and the price of each unit, such as TRIFOLD_PRICE_PDF, all unset by default. Throws
 * ConfigError with all problems.
 */
export function loadPrices(environment: Environment): Prices {
  const { currency, ...given } = readSettings(environment, {
    ...byFormat(priceSetting),
    email: 'TRIFOLD_PRICE_EMAIL',
    currency: 'TRIFOLD_PRICE_CURRENCY',
  });
  const units: Partial<Record<BillableUnit, Decimal>> = {};
  for (const unit of BILLABLE_UNITS) {
    const price = parseDecimal(given[unit] ?? '');
    if (price) units[unit] = price;
  }
  if (Object.keys(units).length > 0 && currency === undefined)
    throw new ConfigError(['TRIFOLD_PRICE_CURRENCY must be set if a price is set']);
  return Object.freeze({ currency, units: Object.freeze(units) });
}

/** An exact decimal number with `scale` digits after the decimal point: 0.015 is 15 with a scale of 3. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

export const ZERO: Decimal = { digits: 0n, scale: 0 };

const DECIMAL = /^(0|[1-9][0-9]{0,8})(?:\.([0-9]{1,8}))?$/;

/**
 * Parses a number such as 0.015: at most nine digits before the point and eight after it. Returns undefined for
 * anything else.
 */
export function parseDecimal(text: string): Decimal | undefined {
  const match = DECIMAL.exec(text);
  if (!match) return undefined;
  const [, whole = '', fraction = ''] = match;
  return { digits: BigInt(whole + fraction), scale: fraction.length };
}

/** Returns the exact product. */
export function times({ digits, scale }: Decimal, count: number): Decimal {
  return { digits: digits * BigInt(count), scale };
}

/** Returns the exact sum, with the larger scale of both. */
export function plus(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale);
  return { digits: scaled(one, scale) + scaled(other, scale), scale };
}

/** Formats all digits after the decimal point, including trailing zeros: 0.10. */
export function formatDecimal({ digits, scale }: Decimal): string {
  const text = digits.toString().padStart(scale + 1, '0');
  return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
}

function scaled({ digits, scale }: Decimal, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - scale);
}

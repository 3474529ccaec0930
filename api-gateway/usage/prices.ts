import { readSettings, type Environment } from '@trifold/platform/settings/read-settings.ts';
import type { BillableUnit } from '@trifold/platform/settings/price-settings.ts';

/** Unit prices; a unit without a price is absent. */
export interface Prices {
  /** ISO 4217; undefined when nothing has a price. */
  readonly currency: string | undefined;
  readonly units: Readonly<Partial<Record<BillableUnit, Decimal>>>;
}

/** Reads TRIFOLD_PRICES, unset by default. Throws ConfigError. */
export function loadPrices(environment: Environment): Prices {
  const { prices } = readSettings(environment, { prices: 'TRIFOLD_PRICES' });
  const units = Object.entries(prices?.units ?? {}).map(([unit, price]) => [unit, parseDecimal(price)]);
  return Object.freeze({ currency: prices?.currency, units: Object.freeze(Object.fromEntries(units)) });
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

/** Returns the exact sum, with the larger of the two scales. */
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

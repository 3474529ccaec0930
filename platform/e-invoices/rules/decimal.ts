/** An exact decimal number: `digits` divided by 10 to the power of `scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

export const ZERO: Decimal = { digits: 0n, scale: 0 };
export const ONE: Decimal = { digits: 1n, scale: 0 };

/** Parses a plain decimal such as `-12.50`. */
export function decimal(text: string): Decimal {
  const point = text.indexOf('.');
  if (point === -1) return { digits: BigInt(text), scale: 0 };
  return { digits: BigInt(text.slice(0, point) + text.slice(point + 1)), scale: text.length - point - 1 };
}

export function add(a: Decimal, b: Decimal): Decimal {
  if (a.scale === b.scale) return { digits: a.digits + b.digits, scale: a.scale };
  const scale = Math.max(a.scale, b.scale);
  return { digits: digitsAt(a, scale) + digitsAt(b, scale), scale };
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  return add(a, { digits: -b.digits, scale: b.scale });
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale };
}

export function percentOf(rate: Decimal, amount: Decimal): Decimal {
  const { digits, scale } = multiply(rate, amount);
  return { digits, scale: scale + 2 };
}

/** Negative, 0 or positive, as `a` is less than, equal to or greater than `b`. */
export function compare(a: Decimal, b: Decimal): number {
  const { digits } = subtract(a, b);
  return digits < 0n ? -1 : Number(digits > 0n);
}

export function equals(a: Decimal, b: Decimal): boolean {
  return subtract(a, b).digits === 0n;
}

export function absolute({ digits, scale }: Decimal): Decimal {
  return { digits: digits < 0n ? -digits : digits, scale };
}

/** Rounds to cents; half a cent away from zero. */
export function toCents(value: Decimal): Decimal {
  if (value.scale <= 2) return { digits: digitsAt(value, 2), scale: 2 };
  const divisor = 10n ** BigInt(value.scale - 2);
  const { digits } = absolute(value);
  const cents = (digits + divisor / 2n) / divisor;
  return { digits: value.digits < 0n ? -cents : cents, scale: 2 };
}

/** `12.5` and `12.50` have the same text. */
export function decimalText({ digits, scale }: Decimal): string {
  const sign = digits < 0n ? '-' : '';
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const fraction = text.slice(text.length - scale).replace(/0+$/, '');
  const whole = text.slice(0, text.length - scale);
  return scale === 0 || fraction === '' ? sign + whole : `${sign}${whole}.${fraction}`;
}

/** Returns the amount with two decimal places or more: `12.50`, `0.125`. */
export function amountText(value: Decimal): string {
  const text = decimalText(value);
  const places = text.includes('.') ? text.length - text.indexOf('.') - 1 : 0;
  return places === 0 ? `${text}.00` : text.padEnd(text.length + Math.max(0, 2 - places), '0');
}

function digitsAt({ digits, scale }: Decimal, newScale: number): bigint {
  return digits * 10n ** BigInt(newScale - scale);
}

import { describe, expect, it } from 'vitest';
import { formatDecimal, loadPrices, parseDecimal, plus, times, ZERO, type Decimal } from './prices.ts';

describe('loadPrices', () => {
  it('returns no prices by default', () => {
    expect(loadPrices({})).toEqual({ units: {} });
  });

  it('reads prices by unit, with their currency', () => {
    const units = { pdf: { digits: 15n, scale: 3 }, email: { digits: 1n, scale: 0 } };
    const environment = { TRIFOLD_PRICES: 'currency=EUR,pdf=0.015, email=1' };
    expect(loadPrices(environment)).toEqual({ currency: 'EUR', units });
  });

  it.each([
    ['png=0.02', 'must be a currency and prices such as currency=EUR,pdf=0.015'],
    ['currency=EUR,tiff=1', 'must be a currency and prices'],
    ['currency=EUR,pdf=1,5', 'must be a currency and prices'],
    ['currency=EUR,pdf=1,pdf=2', 'must be a currency and prices'],
    ['currency=EUR,html=.5', 'must be a number such as 0.015'],
    ['currency=euro,html=1', 'must be a three-letter currency code'],
  ])('rejects %s', (text, message) => {
    expect(() => loadPrices({ TRIFOLD_PRICES: text })).toThrow(`TRIFOLD_PRICES ${message}`);
  });
});

const decimal = (text: string) => parseDecimal(text) as Decimal;

describe('Decimal amounts', () => {
  it('are exact even if floating point is not', () => {
    expect(formatDecimal(times(decimal('0.1'), 3))).toBe('0.3');
    expect(formatDecimal(plus(decimal('0.1'), decimal('0.2')))).toBe('0.3');
    expect(formatDecimal(times(decimal('999999999.99999999'), Number.MAX_SAFE_INTEGER))).toBe(
      '9007199254740990909928007.45259009',
    );
  });

  it('keep all digits of a price, even in a sum', () => {
    expect(formatDecimal(times(decimal('0.10'), 5))).toBe('0.50');
    expect(formatDecimal(plus(times(decimal('2'), 3), times(decimal('0.005'), 2)))).toBe('6.010');
    expect(formatDecimal(ZERO)).toBe('0');
    expect(formatDecimal(times(decimal('0.05'), 0))).toBe('0.00');
  });

  it.each(['', '.5', '5.', '-1', '+1', '1e3', '01', '1,5', '0.123456789', '1234567890', 'free', ' 1'])(
    'cannot be parsed from %j',
    (text) => {
      expect(parseDecimal(text)).toBeUndefined();
    },
  );
});

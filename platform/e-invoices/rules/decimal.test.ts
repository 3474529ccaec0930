import { describe, expect, it } from 'vitest';
import { add, amountText, compare, decimal, decimalText, multiply, subtract, toCents } from './decimal.ts';

describe('A decimal', () => {
  it.each([
    ['0.1 + 0.2', add(decimal('0.1'), decimal('0.2')), '0.3'],
    ['1 - 1.05', subtract(decimal('1'), decimal('1.05')), '-0.05'],
    ['-0.5 × 0.05', multiply(decimal('-0.5'), decimal('0.05')), '-0.025'],
    ['19.00', decimal('19.00'), '19'],
    ['-0.00', decimal('-0.00'), '0'],
    ['100', decimal('100'), '100'],
    ['1.005 in cents', toCents(decimal('1.005')), '1.01'],
    ['-1.005 in cents', toCents(decimal('-1.005')), '-1.01'],
    ['1.0049 in cents', toCents(decimal('1.0049')), '1'],
  ])('is exact: %s', (_name, value, text) => {
    expect(decimalText(value)).toBe(text);
  });

  it.each([
    ['12.5', '12.50'],
    ['12', '12.00'],
    ['-0.125', '-0.125'],
    ['1000.100', '1000.10'],
  ])('shows %s as the amount %s', (text, amount) => {
    expect(amountText(decimal(text))).toBe(amount);
  });

  it.each([
    ['1.5', '1.50', 0],
    ['-2', '1', -1],
    ['0.1', '0.09', 1],
  ])('compares %s with %s', (left, right, order) => {
    expect(compare(decimal(left), decimal(right))).toBe(order);
  });
});

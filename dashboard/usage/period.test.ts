import { describe, expect, it } from 'vitest';
import { monthsBefore, periodOf, problemOf } from './period.ts';

const JANUARY = new Date('2026-01-31T23:30:00Z');

describe('A period', () => {
  it.each([
    ['this-month', '2026-01-01', '2026-01-31'],
    ['last-month', '2025-12-01', '2025-12-31'],
    ['last-30-days', '2026-01-02', '2026-01-31'],
    ['last-12-months', '2025-02-01', '2026-01-31'],
  ])('%s has whole days in UTC', (range, from, to) => {
    expect(periodOf({ range }, JANUARY)).toMatchObject({ range, from, to });
  });

  it('takes days from the URL, or the current month if they are invalid', () => {
    const days = { from: '2025-03-01', to: '2025-03-09' };
    expect(periodOf({ range: 'custom', by: 'month', ...days }, JANUARY)).toEqual({
      range: 'custom',
      granularity: 'month',
      ...days,
    });
    expect(periodOf({ range: 'custom', from: '2025-99-99', to: 'x' }, JANUARY)).toMatchObject({
      from: '2026-01-01',
      to: '2026-01-31',
    });
    const expected = { range: 'this-month', granularity: 'day' };
    expect(periodOf({ range: 'forever', by: 'year' }, JANUARY)).toMatchObject(expected);
  });

  it('is limited to 366 days or 36 months', () => {
    const problem = (from: string, to: string, granularity: 'day' | 'month') =>
      problemOf({ from, to, granularity });
    expect(problem('2024-01-01', '2024-12-31', 'day')).toBeUndefined();
    expect(problem('2024-01-01', '2025-01-01', 'day')).toBe('length');
    expect(problem('2024-01-31', '2026-12-01', 'month')).toBeUndefined();
    expect(problem('2023-12-31', '2026-12-01', 'month')).toBe('length');
    expect(problem('2024-01-02', '2024-01-01', 'day')).toBe('order');
  });

  it('lists months from the newest', () => {
    expect(monthsBefore('2026-01-31', 3)).toEqual(['2026-01', '2025-12', '2025-11']);
  });
});

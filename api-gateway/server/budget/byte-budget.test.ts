import { randomFrom } from '@trifold/test-support/seeded-random.ts';
import { expect, it } from 'vitest';
import { ApiError, unavailable } from '../errors/api-error.ts';
import { ByteBudget, SMALL_BYTES, type ByteReservation } from './byte-budget.ts';

const KiB = 1024;

const budgetOf = (total: number, perHolder: number) =>
  new ByteBudget({
    total,
    perHolder,
    holderExceeded: () => new ApiError('too_many_uploads', 'the holder'),
    totalExceeded: () => unavailable('all'),
  });

it('accepts bytes up to the whole limit of a holder without other reservations', () => {
  const budget = budgetOf(100 * KiB, 100 * KiB);
  const only = budget.open('a');
  only.extend(100 * KiB);
  expect(() => budget.open('a').extend(SMALL_BYTES + 1)).toThrow('the holder');
  only.release();
  budget.open('a').extend(100 * KiB);
});

it('lets small reservations exceed a limit by at most a quarter', () => {
  const budget = budgetOf(160 * KiB, 160 * KiB);
  budget.open('a').extend(160 * KiB);
  budget.open('a').extend(40 * KiB);
  expect(() => budget.open('a').extend(1)).toThrow(expect.objectContaining({ code: 'too_many_uploads' }));
  expect(() => budget.open('b').extend(1)).toThrow(expect.objectContaining({ code: 'unavailable' }));
});

it.each([1, 2, 3])('never exceeds its limits and eventually forgets every holder (seed %i)', (seed) => {
  const random = randomFrom(seed);
  const next = (below: number) => Math.floor(random() * below);
  const [total, perKey] = [4096 * KiB, 1024 * KiB];
  const budget = budgetOf(total, perKey);
  const open: ByteReservation[] = [];
  let rejected = 0;
  for (let step = 0; step < 5000; step++) {
    if (open.length > 0 && next(3) === 0) {
      const [released] = open.splice(next(open.length), 1);
      released?.release();
      // Releases twice, and extends after the end.
      released?.release();
      released?.extend(perKey);
    } else {
      const reservation = budget.open(`key-${next(8)}`);
      open.push(reservation);
      try {
        reservation.extend(next(600 * KiB));
        reservation.extend(next(600 * KiB));
      } catch {
        rejected += 1;
      }
    }
    expect(budget.total).toBeLessThanOrEqual(total * 1.25);
  }
  expect(rejected).toBeGreaterThan(100);
  for (const reservation of open) reservation.release();
  expect([budget.total, budget.holders]).toEqual([0, 0]);
});

import { FakeClock } from '@trifold/platform/testing/fake-clock.ts';
import { expect, it } from 'vitest';
import { ProgressBudget } from './progress-budget.ts';

const takenOf = (budget: ProgressBudget, asked: number) =>
  Array.from({ length: asked }, () => budget.take()).filter(Boolean).length;

it('ProgressBudget allows a few writes at once and then as many a second, however many are requested', () => {
  const clock = new FakeClock();
  const budget = new ProgressBudget(clock);
  expect(takenOf(budget, 100)).toBe(5);
  clock.advance(1000);
  expect(takenOf(budget, 100)).toBe(5);
  clock.advance(200);
  expect(takenOf(budget, 100)).toBe(1);
});

it('ProgressBudget saves up at most a second of writes, and allows as many without a pause', () => {
  const clock = new FakeClock();
  const budget = new ProgressBudget(clock);
  clock.advance(60_000);
  expect(takenOf(budget, 100)).toBe(5);
  let taken = 0;
  for (let step = 0; step < 100; step += 1) {
    clock.advance(10);
    taken += takenOf(budget, 3);
  }
  expect(taken).toBe(5);
});

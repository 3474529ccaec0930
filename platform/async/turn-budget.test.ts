import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { TurnBudget } from './turn-budget.ts';

const KIB = 1024;

it('runs work in order until the byte budget of a turn is spent', async () => {
  const turns = new TurnBudget();
  const done: number[] = [];
  for (let index = 0; index < 10; index += 1)
    void turns.run(() => {
      turns.spend(200 * KIB);
      done.push(index);
    });
  const afterTurns: number[] = [];
  while (done.length < 10) {
    afterTurns.push(done.length);
    await nextTurn();
  }
  expect(afterTurns).toEqual([3, 6, 9]);
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it('rejects when work throws, and then continues', async () => {
  const turns = new TurnBudget();
  const failing = turns.run(() => {
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await turns.run(() => 'next')).toBe('next');
});

import { expect, it } from 'vitest';
import { PRIORITIES, PriorityTurns, type Priority } from './priority.ts';

/** Counts the turns of each priority while the given ones have work. */
function turnsOf(waiting: readonly Priority[], count: number) {
  const turns = new PriorityTurns();
  const taken = Array.from({ length: count }, () => turns.next((priority) => waiting.includes(priority)));
  return Object.fromEntries(
    PRIORITIES.map((priority) => [priority, taken.filter((one) => one === priority).length]),
  );
}

it('PriorityTurns gives one turn in eight to each lower priority', () => {
  expect(turnsOf(PRIORITIES, 80)).toEqual({ interactive: 60, asynchronous: 10, batch: 10 });
  expect(turnsOf(PRIORITIES.slice(0, 2), 80)).toEqual({ interactive: 70, asynchronous: 10, batch: 0 });
  expect(turnsOf(['asynchronous', 'batch'], 80)).toEqual({ interactive: 0, asynchronous: 70, batch: 10 });
});

it('PriorityTurns gives all turns to the only priority with work', () => {
  for (const priority of PRIORITIES) expect(turnsOf([priority], 20)).toMatchObject({ [priority]: 20 });
  expect(new PriorityTurns().next(() => false)).toBeUndefined();
});

import { describe, expect, it } from 'vitest';
import { ConfigError } from '../service/config.ts';
import { loadTurnShares, PRIORITIES, PriorityTurns, type Priority, type TurnShares } from './priority.ts';

/** Counts the turns of each priority while these have work. */
function turnsOf(waiting: readonly Priority[], count: number, shares?: TurnShares) {
  const turns = new PriorityTurns(shares);
  const taken = Array.from({ length: count }, () => turns.next((priority) => waiting.includes(priority)));
  return Object.fromEntries(
    PRIORITIES.map((priority) => [priority, taken.filter((one) => one === priority).length]),
  );
}

describe('PriorityTurns', () => {
  it('gives one turn in eight to each lower priority by default', () => {
    expect(turnsOf(PRIORITIES, 80)).toEqual({ interactive: 60, asynchronous: 10, batch: 10 });
    expect(turnsOf(['interactive', 'asynchronous'], 80)).toEqual({
      interactive: 70,
      asynchronous: 10,
      batch: 0,
    });
    expect(turnsOf(['asynchronous', 'batch'], 80)).toEqual({ interactive: 0, asynchronous: 70, batch: 10 });
  });

  it('gives all turns to the only priority with work', () => {
    for (const priority of PRIORITIES) expect(turnsOf([priority], 20)).toMatchObject({ [priority]: 20 });
    expect(new PriorityTurns().next(() => false)).toBeUndefined();
  });

  it('serves the highest priority first', () => {
    expect(new PriorityTurns().next(() => true)).toBe('interactive');
  });

  it('respects the shares of the settings', () => {
    const shares = loadTurnShares({ TRIFOLD_ASYNC_TURN_EVERY: '4', TRIFOLD_BATCH_TURN_EVERY: '20' });
    expect(turnsOf(PRIORITIES, 80, shares)).toEqual({ interactive: 56, asynchronous: 20, batch: 4 });
    const most = loadTurnShares({ TRIFOLD_ASYNC_TURN_EVERY: '3', TRIFOLD_BATCH_TURN_EVERY: '3' });
    expect(turnsOf(PRIORITIES, 90, most)).toEqual({ interactive: 30, asynchronous: 30, batch: 30 });
    expect(() => loadTurnShares({ TRIFOLD_ASYNC_TURN_EVERY: '2' })).toThrow(ConfigError);
  });
});

import { describe, expect, it } from 'vitest';
import { runInSlices, type SlicedWork } from './time-slices.ts';

/** Each step of the work takes a millisecond on its clock. */
function workOf(steps: number) {
  let time = 0;
  let turns = 0;
  const nextTurn = () => {
    turns += 1;
    immediate = setImmediate(nextTurn);
  };
  let immediate = setImmediate(nextTurn);
  const longest = { value: 0 };
  function* work(): SlicedWork<string> {
    let turn = turns;
    let since = time;
    for (let step = 0; step < steps; step += 1) {
      time += 1;
      yield;
      if (turn !== turns) [turn, since] = [turns, time];
      longest.value = Math.max(longest.value, time - since);
    }
    clearImmediate(immediate);
    return 'done';
  }
  return { work: work(), now: () => time, longest, turns: () => turns };
}

describe('work in slices', () => {
  it('lets other events run every ten milliseconds', async () => {
    const { work, now, longest, turns } = workOf(1000);
    expect(await runInSlices(work, now)).toBe('done');
    expect(turns()).toBeGreaterThanOrEqual(99);
    expect(longest.value).toBeLessThanOrEqual(10);
  });

  it('runs without interruption when it takes less than that', async () => {
    const { work, now, turns } = workOf(9);
    expect(await runInSlices(work, now)).toBe('done');
    expect(turns()).toBe(0);
  });

  it('rejects with what the work throws', async () => {
    function* work(): SlicedWork<never> {
      yield;
      throw new RangeError('no');
    }
    await expect(runInSlices(work())).rejects.toThrow(RangeError);
  });
});

import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  decodeBase64,
  encodeUtf8,
  forEachInSlices,
  runInSlices,
  sha256,
  type SlicedWork,
} from './time-slices.ts';

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

type Run = (work: SlicedWork<string>, now: () => number) => Promise<unknown>;

describe.each<[what: string, run: Run]>([
  ['sliced work', async (work, now) => expect(await runInSlices(work, now)).toBe('done')],
  ['work on each value', (work, now) => forEachInSlices(work, () => Promise.resolve(), now)],
])('%s', (_what, run) => {
  it('lets other events run every ten milliseconds', async () => {
    const { work, now, longest, turns } = workOf(1000);
    await run(work, now);
    expect(turns()).toBeGreaterThanOrEqual(99);
    expect(longest.value).toBeLessThanOrEqual(10);
  });

  it('runs without interruption if it takes less than ten milliseconds', async () => {
    const { work, now, turns } = workOf(9);
    await run(work, now);
    expect(turns()).toBe(0);
  });

  it('rejects with the error that the work throws', async () => {
    function* work(): SlicedWork<never> {
      yield;
      throw new RangeError('no');
    }
    await expect(run(work(), () => 0)).rejects.toThrow(RangeError);
  });
});

/** Each step takes about as long as 1 MiB does. */
function stepsOf<T>(work: SlicedWork<T>): { steps: number; value: T } {
  for (let steps = 0; ; steps += 1) {
    const step = work.next();
    if (step.done) return { steps, value: step.value };
  }
}

const MIB = 2 ** 20;

describe('bytes in slices', () => {
  it.each([0, 1, 2, 3, 4, MIB - 1, MIB, 3 * MIB + 1])('are decoded from base64: %i', (length) => {
    const bytes = randomBytes(length);
    const { steps, value } = stepsOf(decodeBase64(bytes.toString('base64')));
    expect(value.equals(bytes)).toBe(true);
    expect(steps).toBeGreaterThanOrEqual(Math.floor(length / MIB));
  });

  it.each([0, 1, MIB, 3 * MIB + 1])('are hashed: %i', (length) => {
    const bytes = randomBytes(length);
    const { steps, value } = stepsOf(sha256(bytes));
    expect(value).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(steps).toBeGreaterThanOrEqual(Math.floor(length / MIB));
  });
});

it.each([
  ['an empty text', ''],
  ['letters', 'a'.repeat(MIB + 1)],
  ['letters of two bytes', 'ü€'.repeat(MIB / 2)],
  ['surrogate pairs across the slices', `a${'🦄'.repeat(MIB / 2)}`],
  ['high surrogates before pairs', '\ud800🦄'.repeat(MIB / 3)],
])('a string in slices is encoded as UTF-8: %s', (_, text) => {
  const { steps, value } = stepsOf(encodeUtf8('ü', text));
  expect(value.equals(Buffer.from(`ü${text}`))).toBe(true);
  expect(steps).toBeGreaterThanOrEqual(Math.floor(text.length / MIB));
});

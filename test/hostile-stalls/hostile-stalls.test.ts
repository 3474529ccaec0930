import { afterAll, describe, expect, it } from 'vitest';
import { HOSTILE_INPUTS } from './inputs.ts';
import { randomRepetitions } from './random-repetitions.ts';
import { StallWatch, type HostileInput } from './stall-watch.ts';

/** Every run uses the same repetitions unless the variable sets a different seed. */
const SEED = Number(process.env['TRIFOLD_TEST_SEED'] ?? 20_261_122);

const watch = new StallWatch();
afterAll(() => watch.stop());

const holdNoMainThread = (inputs: readonly HostileInput[]) =>
  it.each(inputs.map((input) => [input.name, input] as const))('%s', async (_name, input) => {
    const problem = await watch.problemOf(input);
    if (problem !== undefined) expect.fail(problem);
  });

describe('no main thread stalls on', () => {
  for (const [group, inputs] of Object.entries(HOSTILE_INPUTS)) {
    describe(group, () => holdNoMainThread(inputs));
  }
  describe(`random repetitions (TRIFOLD_TEST_SEED=${SEED})`, () => holdNoMainThread(randomRepetitions(SEED)));
});

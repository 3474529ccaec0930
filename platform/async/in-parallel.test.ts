import { expect, it } from 'vitest';
import { inParallel } from './in-parallel.ts';

/** An action that ends on the test's command. */
class Held {
  readonly begun: number[] = [];
  readonly #ends = new Map<number, PromiseWithResolvers<void>>();

  readonly action = async (item: number): Promise<void> => {
    const end = Promise.withResolvers<void>();
    this.begun.push(item);
    this.#ends.set(item, end);
    await end.promise;
  };

  async end(item: number, failure?: Error): Promise<void> {
    const end = this.#ends.get(item);
    if (failure) end?.reject(failure);
    else end?.resolve();
    await turns();
  }
}

/** Runs all pending microtasks. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
}

it('runs once for each item, in order, up to the given concurrency', async () => {
  const held = new Held();
  const done = inParallel([0, 1, 2, 3], 2, held.action);
  expect(held.begun).toEqual([0, 1]);
  await held.end(1);
  expect(held.begun).toEqual([0, 1, 2]);
  await held.end(2);
  await held.end(0);
  expect(held.begun).toEqual([0, 1, 2, 3]);
  await held.end(3);
  await done;
});

it('starts nothing after a failure and rejects with that failure once active calls have ended', async () => {
  const held = new Held();
  const failure = new Error('why');
  let rejected: unknown;
  const done = inParallel([0, 1, 2, 3], 2, held.action).catch((error: unknown) => {
    rejected = error;
  });
  await held.end(0, failure);
  expect(rejected).toBeUndefined();
  await held.end(1);
  await done;
  expect([rejected, held.begun]).toEqual([failure, [0, 1]]);
});

it('includes items added during the run', async () => {
  const items = [1];
  const taken: number[] = [];
  await inParallel(items, 1, async (item) => {
    taken.push(item);
    if (item < 3) items.push(item + 1);
  });
  expect(taken).toEqual([1, 2, 3]);
});

import { setImmediate } from 'node:timers/promises';

/** Longest time, in milliseconds, for which one piece of work holds the thread. */
const SLICE_MS = 10;

/** Work on a document whose size its author chooses. It yields wherever it may be interrupted: after each page, for instance. */
export type SlicedWork<T> = Generator<void, T, void>;

/** Collects values that take time to find. */
export function* collect<T>(values: Iterable<T>): SlicedWork<T[]> {
  const collected: T[] = [];
  for (const value of values) {
    collected.push(value);
    yield;
  }
  return collected;
}

/**
 * Runs work to its end and lets other events run after each slice of 10 ms. Work that takes less runs without
 * interruption. Rejects with what the work throws. `now` returns milliseconds.
 */
export async function runInSlices<T>(work: SlicedWork<T>, now = () => performance.now()): Promise<T> {
  for (;;) {
    const step = runSlice(work, now);
    if (step.done) return step.value;
    await setImmediate();
  }
}

function runSlice<T>(work: SlicedWork<T>, now: () => number): IteratorResult<void, T> {
  const until = now() + SLICE_MS;
  let step = work.next();
  while (!step.done && now() < until) step = work.next();
  return step;
}

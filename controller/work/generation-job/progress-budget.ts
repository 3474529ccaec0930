import type { Clock } from '@trifold/platform/service/clock.ts';

/** Writes per second, and the maximum burst after a quiet second. */
const WRITES_A_SECOND = 5;

/**
 * Limits the status writes that only show progress. When documents are slow because there are many, a write for each of
 * them would slow down all of them.
 */
export class ProgressBudget {
  readonly #clock: Clock;
  #left = WRITES_A_SECOND;
  #countedAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#countedAt = clock.monotonicMs();
  }

  /** Takes one write from the budget; returns whether there was one. */
  take(): boolean {
    const now = this.#clock.monotonicMs();
    const regained = ((now - this.#countedAt) * WRITES_A_SECOND) / 1000;
    this.#left = Math.min(WRITES_A_SECOND, this.#left + regained);
    this.#countedAt = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}

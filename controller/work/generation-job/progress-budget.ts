import type { Clock } from '@trifold/platform/service/clock.ts';

/** Writes a second, and as many at once after a quiet second. */
const WRITES_A_SECOND = 5;

/**
 * Bounds the status writes that only let people see a job on its way. When documents take long because there are many,
 * a write for each of them would make all of them take longer still.
 */
export class ProgressBudget {
  readonly #clock: Clock;
  #left = WRITES_A_SECOND;
  #countedAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#countedAt = clock.now().getTime();
  }

  /** Takes one write, if there is one. */
  take(): boolean {
    const now = this.#clock.now().getTime();
    // The machine's clock may be set back.
    const regained = (Math.max(0, now - this.#countedAt) * WRITES_A_SECOND) / 1000;
    this.#left = Math.min(WRITES_A_SECOND, this.#left + regained);
    this.#countedAt = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}

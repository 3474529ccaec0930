import type { Clock } from '@trifold/platform/service/clock.ts';

/** Ten progress writes a second, over all batches. */
const BETWEEN_WRITES_MS = 100;

/**
 * Gives batches turns to write their progress, in the order in which they ask. A batch has one turn at a time, so it
 * waits at most for one turn of each other batch.
 */
export class WritePacing {
  readonly #clock: Clock;
  #next = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns a turn: the time, as `Clock.monotonicMs`, from which its holder may write once. */
  draw(): number {
    const turn = Math.max(this.#clock.monotonicMs(), this.#next);
    this.#next = turn + BETWEEN_WRITES_MS;
    return turn;
  }

  /** Returns the milliseconds until a turn comes; 0 once it has come. */
  waitFor(turn: number): number {
    return Math.max(0, turn - this.#clock.monotonicMs());
  }
}

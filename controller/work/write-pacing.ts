import type { Clock } from '@trifold/platform/service/clock.ts';

/** Maximum wait for a turn. */
const LONGEST_WAIT_MS = 60_000;

/**
 * Gives jobs or batches turns to write their progress, in the order in which they ask. Each has one turn at a time, so
 * it waits at most for one turn of each other one.
 */
export class WritePacing {
  readonly #clock: Clock;
  readonly #betweenMs: number;
  #next = -Infinity;
  #drawnAt = -Infinity;

  /** `betweenMs`: time between two turns. */
  constructor(clock: Clock, betweenMs: number) {
    this.#clock = clock;
    this.#betweenMs = betweenMs;
  }

  /**
   * Returns a turn: the time, in milliseconds, from which its holder may write once. Undefined when more than a minute
   * of turns is taken: ask again later.
   */
  draw(): number | undefined {
    const now = this.#clock.now().getTime();
    // The clock was set back.
    if (now < this.#drawnAt) this.#next = now;
    this.#drawnAt = now;
    const turn = Math.max(now, this.#next);
    if (turn - now > LONGEST_WAIT_MS) return undefined;
    this.#next = turn + this.#betweenMs;
    return turn;
  }

  /** Returns the milliseconds until a turn comes; 0 once it has come, or when the clock was set back since. */
  waitFor(turn: number): number {
    const wait = turn - this.#clock.now().getTime();
    return wait > LONGEST_WAIT_MS ? 0 : Math.max(0, wait);
  }
}

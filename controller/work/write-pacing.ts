import type { Clock } from '@trifold/platform/async/clock.ts';

/** Maximum wait for a turn. */
const MAX_WAIT_MS = 60_000;

/**
 * Gives jobs or batches turns to write their progress, in the order of their requests. Each job or batch holds one turn
 * at a time, so it waits for at most one turn of each of the others.
 */
export class WritePacing {
  readonly #clock: Clock;
  readonly #betweenMs: number;
  #next = -Infinity;

  /** `betweenMs`: time between two turns. */
  constructor(clock: Clock, betweenMs: number) {
    this.#clock = clock;
    this.#betweenMs = betweenMs;
  }

  /**
   * Returns a turn: the time, as `Clock.monotonicMs`, from which its holder may write once. Undefined if the next
   * minute of turns is already taken; ask again later.
   */
  draw(): number | undefined {
    const now = this.#clock.monotonicMs();
    const turn = Math.max(now, this.#next);
    if (turn - now > MAX_WAIT_MS) return undefined;
    this.#next = turn + this.#betweenMs;
    return turn;
  }

  /** Returns the milliseconds until a turn comes; 0 once it has come. */
  waitFor(turn: number): number {
    return Math.max(0, turn - this.#clock.monotonicMs());
  }
}

import type { Clock } from '@trifold/platform/service/clock.ts';

/** Ten progress writes a second, over all batches. */
const BETWEEN_WRITES_MS = 100;
/** Waiting batches cannot push a turn further ahead than this: such a turn was drawn before the clock was set back. */
const LONGEST_WAIT_MS = 60_000;

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

  /** Returns a turn: the time, in milliseconds, from which its holder may write once. */
  draw(): number {
    const now = this.#clock.now().getTime();
    const turn = this.#next - now > LONGEST_WAIT_MS ? now : Math.max(now, this.#next);
    this.#next = turn + BETWEEN_WRITES_MS;
    return turn;
  }

  /** Returns the milliseconds until a turn comes; 0 once it has come. */
  waitFor(turn: number): number {
    const wait = turn - this.#clock.now().getTime();
    return wait > LONGEST_WAIT_MS ? 0 : Math.max(0, wait);
  }
}

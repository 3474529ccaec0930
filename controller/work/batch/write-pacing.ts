import type { Clock } from '@trifold/platform/service/clock.ts';

/** Ten writes of progress a second, of all batches together. */
const BETWEEN_WRITES_MS = 100;
/** A turn that is further off than this many batches could make it was given by a clock that was since put back. */
const LONGEST_WAIT_MS = 60_000;

/**
 * Gives batches their turns to write their progress, in the order in which they ask. Each has one at a time, so nobody
 * waits for longer than there are others.
 */
export class WritePacing {
  readonly #clock: Clock;
  #next = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A turn: the moment, in milliseconds, from which on its holder may write once. */
  draw(): number {
    const now = this.#clock.now().getTime();
    const turn = this.#next - now > LONGEST_WAIT_MS ? now : Math.max(now, this.#next);
    this.#next = turn + BETWEEN_WRITES_MS;
    return turn;
  }

  /** Milliseconds until a turn has come; 0 once it has. */
  waitFor(turn: number): number {
    const wait = turn - this.#clock.now().getTime();
    return wait > LONGEST_WAIT_MS ? 0 : Math.max(0, wait);
  }
}

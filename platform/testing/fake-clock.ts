import { eventually } from '@trifold/test-support/eventually.ts';
import { Clock } from '../async/clock.ts';

interface Timer {
  dueMs: number;
  callback: () => void;
}

/** A clock that moves only when a test advances it. */
export class FakeClock extends Clock {
  #monotonicMs = 0;
  /** Time of day when the monotonic clock was 0. */
  #epochMs: number;
  readonly #timers = new Set<Timer>();

  constructor(start: Date | string = '2026-11-21T12:00:00.000Z') {
    super();
    this.#epochMs = new Date(start).getTime();
  }

  override now(): Date {
    return new Date(this.#epochMs + this.#monotonicMs);
  }

  override monotonicMs(): number {
    return this.#monotonicMs;
  }

  override schedule(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.#monotonicMs + Math.max(0, delayMs), callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  get pending(): number {
    return this.#timers.size;
  }

  /** Advances the time and fires due timers in order, each at its due time. */
  advance(milliseconds: number): void {
    const endMs = this.#monotonicMs + milliseconds;
    for (let next = this.#earliest(endMs); next; next = this.#earliest(endMs)) {
      this.#timers.delete(next);
      this.#monotonicMs = Math.max(this.#monotonicMs, next.dueMs);
      next.callback();
    }
    this.#monotonicMs = endMs;
  }

  /** Waits with `eventually`, advancing the time before each check. */
  passUntil<T>(
    stepMs: number,
    condition: Parameters<typeof eventually<T>>[0],
    options?: Parameters<typeof eventually>[1],
  ): Promise<Exclude<T, false>> {
    const passing = () => {
      this.advance(stepMs);
      return condition();
    };
    return eventually<T>(passing as typeof condition, options);
  }

  /** Advances the time without timers, as if the process were suspended. The next `advance` fires the due timers. */
  suspend(milliseconds: number): void {
    this.#monotonicMs += milliseconds;
  }

  /** Sets the time of day as an operator or NTP would. Timers and the monotonic clock are not affected. */
  setTimeOfDay(time: Date): void {
    this.#epochMs = time.getTime() - this.#monotonicMs;
  }

  #earliest(endMs: number): Timer | undefined {
    let found: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueMs <= endMs && (!found || timer.dueMs < found.dueMs)) found = timer;
    }
    return found;
  }
}

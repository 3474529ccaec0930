import type { Clock } from '../service/clock.ts';

interface Timer {
  due: number;
  callback: () => void;
}

/** A clock that moves only when a test advances it. */
export class ManualClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();

  constructor(start: Date | string = '2026-11-21T12:00:00.000Z') {
    this.#now = new Date(start).getTime();
  }

  now(): Date {
    return new Date(this.#now);
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const timer = { due: this.#now + Math.max(0, delayMs), callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Number of pending timers. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Advances the time and fires due timers in order of time, each at its own time. */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (let next = this.#earliest(end); next; next = this.#earliest(end)) {
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.due);
      next.callback();
    }
    this.#now = end;
  }

  #earliest(end: number): Timer | undefined {
    let found: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.due <= end && (!found || timer.due < found.due)) found = timer;
    }
    return found;
  }
}

import { Clock, systemClock } from '@trifold/platform/service/clock.ts';

interface Timer {
  due: number;
  fire: () => void;
}

/** The system clock, which tests can move forward: timers that become due fire at once, in order. */
export class SkippingClock extends Clock {
  readonly #timers = new Set<Timer>();
  #skipped = 0;

  override now(): Date {
    return new Date(systemClock.now().getTime() + this.#skipped);
  }

  override monotonicMs(): number {
    return systemClock.monotonicMs() + this.#skipped;
  }

  override schedule(delayMs: number, callback: () => void): () => void {
    const cancel = () => {
      this.#timers.delete(timer);
      stopWaiting();
    };
    const fire = () => {
      cancel();
      callback();
    };
    const timer = { due: this.monotonicMs() + delayMs, fire };
    const stopWaiting = systemClock.schedule(delayMs, fire);
    this.#timers.add(timer);
    return cancel;
  }

  skip(milliseconds: number): void {
    const end = this.monotonicMs() + milliseconds;
    for (let next = this.#earliest(end); next; next = this.#earliest(end)) {
      this.#skipped += Math.max(0, next.due - this.monotonicMs());
      next.fire();
    }
    this.#skipped += Math.max(0, end - this.monotonicMs());
  }

  #earliest(end: number): Timer | undefined {
    const due = [...this.#timers].filter((timer) => timer.due <= end);
    return due.sort((a, b) => a.due - b.due)[0];
  }
}

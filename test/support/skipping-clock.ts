import { systemClock, type Clock } from '@trifold/platform/service/clock.ts';

interface Timer {
  due: number;
  fire: () => void;
}

/** The system clock, which tests can move forward: timers that become due fire at once, in order. */
export class SkippingClock implements Clock {
  readonly #timers = new Set<Timer>();
  #skipped = 0;

  now(): Date {
    return new Date(systemClock.now().getTime() + this.#skipped);
  }

  schedule(delayMs: number, callback: () => void): () => void {
    const cancel = () => {
      this.#timers.delete(timer);
      stopWaiting();
    };
    const fire = () => {
      cancel();
      callback();
    };
    const timer = { due: this.now().getTime() + delayMs, fire };
    const stopWaiting = systemClock.schedule(delayMs, fire);
    this.#timers.add(timer);
    return cancel;
  }

  skip(milliseconds: number): void {
    const end = this.now().getTime() + milliseconds;
    for (let next = this.#earliest(end); next; next = this.#earliest(end)) {
      this.#skipped += Math.max(0, next.due - this.now().getTime());
      next.fire();
    }
    this.#skipped += Math.max(0, end - this.now().getTime());
  }

  #earliest(end: number): Timer | undefined {
    const due = [...this.#timers].filter((timer) => timer.due <= end);
    return due.sort((a, b) => a.due - b.due)[0];
  }
}

const TICK_MS = 1;
/** The thread is idle when it used less than a tenth of this time. */
const IDLE_WINDOW_MS = 200;
const IDLE_SHARE = 0.1;
const LONGEST_WAIT_MS = 15_000;

/** A moment, in milliseconds. */
interface Moment {
  readonly clock: number;
  /** Processor time of all threads of the process: a garbage collection runs in several, and this thread waits. */
  readonly processor: number;
}

/**
 * Measures how long callbacks hold this thread. Of a stall the processor time of the process counts: while the operating
 * system runs another process, the input holds nothing.
 */
export class StallMeter {
  #last = now();
  #longest = 0;

  constructor() {
    setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /** Longest stall since `reset`, in milliseconds. */
  get longestMs(): number {
    return this.#longest;
  }

  reset(): void {
    this.#last = now();
    this.#longest = 0;
  }

  /** Resolves when the thread is idle, at the latest after 15 s. */
  async idle(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = performance.now() + LONGEST_WAIT_MS;
    let before = now();
    const timer = setInterval(() => {
      const moment = now();
      const isIdle = moment.processor - before.processor < IDLE_WINDOW_MS * IDLE_SHARE;
      if (isIdle || moment.clock > end) resolve();
      before = moment;
    }, IDLE_WINDOW_MS);
    await promise;
    clearInterval(timer);
  }

  #tick(): void {
    const moment = now();
    this.#longest = Math.max(this.#longest, workBetween(this.#last, moment));
    this.#last = moment;
  }
}

/** Milliseconds that the work takes, measured as stalls are. */
export function timeOf(work: () => void): number {
  const before = now();
  work();
  return workBetween(before, now());
}

/** Threads that work at the same time do not make a stall longer than the clock says. */
function workBetween(before: Moment, after: Moment): number {
  return Math.min(after.clock - before.clock, after.processor - before.processor);
}

function now(): Moment {
  const { user, system } = process.cpuUsage();
  return { clock: performance.now(), processor: (user + system) / 1000 };
}

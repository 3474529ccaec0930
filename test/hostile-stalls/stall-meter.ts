const TICK_MS = 1;
/** The thread is idle if it uses less than a tenth of this time. */
const IDLE_WINDOW_MS = 200;
const IDLE_SHARE = 0.1;
const MAX_WAIT_MS = 15_000;

/** A point in time, in milliseconds. */
interface Moment {
  readonly clock: number;
  /**
   * CPU time of all the process's threads: garbage collection runs in several threads while this thread waits.
   */
  readonly processor: number;
}

/**
 * Measures how long callbacks block this thread. Counts the process's CPU time: while the operating system runs another
 * process, the input blocks nothing.
 */
export class StallMeter {
  #last = now();
  #longest = 0;

  constructor() {
    setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /** Longest stall since `reset`, in milliseconds. */
  get maxMs(): number {
    return this.#longest;
  }

  reset(): void {
    this.#last = now();
    this.#longest = 0;
  }

  /** Resolves when the thread is idle, or after 15 s. */
  async idle(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = performance.now() + MAX_WAIT_MS;
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

/** Time that the work takes in milliseconds, measured like stalls. */
export function timeOf(work: () => void): number {
  const before = now();
  work();
  return workBetween(before, now());
}

/** Parallel threads do not make a stall longer than the elapsed time. */
function workBetween(before: Moment, after: Moment): number {
  return Math.min(after.clock - before.clock, after.processor - before.processor);
}

function now(): Moment {
  const { user, system } = process.cpuUsage();
  return { clock: performance.now(), processor: (user + system) / 1000 };
}

const TICK_MS = 1;
/** The thread is idle when it used less than a tenth of this time. */
const IDLE_WINDOW_MS = 200;
const IDLE_SHARE = 0.1;
const LONGEST_WAIT_MS = 15_000;

/**
 * Measures how long callbacks hold this thread. The unit is processor time of the thread: time in which the operating
 * system runs other processes is not a stall that the input causes.
 */
export class StallMeter {
  #last = threadTime();
  #longest = 0;

  constructor() {
    setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /** Longest stall since `reset`, in milliseconds. */
  get longestMs(): number {
    return this.#longest;
  }

  reset(): void {
    this.#last = threadTime();
    this.#longest = 0;
  }

  /** Resolves when the thread is idle, at the latest after 15 s. */
  async idle(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const end = performance.now() + LONGEST_WAIT_MS;
    let before = threadTime();
    const timer = setInterval(() => {
      const now = threadTime();
      const isIdle = now - before < IDLE_WINDOW_MS * IDLE_SHARE;
      if (isIdle || performance.now() > end) resolve();
      before = now;
    }, IDLE_WINDOW_MS);
    await promise;
    clearInterval(timer);
  }

  #tick(): void {
    const now = threadTime();
    this.#longest = Math.max(this.#longest, now - this.#last);
    this.#last = now;
  }
}

/** Processor time of this thread, in milliseconds. */
function threadTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

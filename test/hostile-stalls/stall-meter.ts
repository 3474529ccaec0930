import { PerformanceObserver } from 'node:perf_hooks';

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
  /** CPU time of this thread. */
  readonly thread: number;
}

/** A span of time, in milliseconds. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Shorter stalls are not kept. */
const MIN_STALL_MS = 1;

/**
 * Measures how long callbacks block this thread. Counts the process's CPU time: while the operating system runs another
 * process, the input blocks nothing. `maxOwnMs` leaves out other threads and garbage collection: its duration depends
 * on the heap size, not on what a callback does.
 */
export class StallMeter {
  #last = now();
  #stalls: (Span & { readonly ms: number; readonly threadMs: number })[] = [];
  #collections: Span[] = [];

  constructor() {
    setInterval(() => this.#tick(), TICK_MS).unref();
    new PerformanceObserver((list) => {
      for (const { startTime: from, duration } of list.getEntries())
        this.#collections.push({ from, to: from + duration });
    }).observe({ entryTypes: ['gc'] });
  }

  /** Longest stall since `reset`, in milliseconds. */
  get maxMs(): number {
    return this.#stalls.reduce((longest, { ms }) => Math.max(longest, ms), 0);
  }

  /** The same without other threads and garbage collection. Read it when the thread is idle. */
  get maxOwnMs(): number {
    const own = this.#stalls.map((stall) =>
      Math.min(stall.threadMs, stall.ms - this.#collectedDuring(stall)),
    );
    return own.reduce((longest, ms) => Math.max(longest, ms), 0);
  }

  reset(): void {
    this.#last = now();
    this.#stalls = [];
    this.#collections = [];
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
    const ms = workBetween(this.#last, moment);
    const threadMs = moment.thread - this.#last.thread;
    if (ms >= MIN_STALL_MS) this.#stalls.push({ from: this.#last.clock, to: moment.clock, ms, threadMs });
    this.#last = moment;
  }

  #collectedDuring(stall: Span): number {
    return this.#collections.reduce(
      (sum, { from, to }) => sum + Math.max(0, Math.min(to, stall.to) - Math.max(from, stall.from)),
      0,
    );
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
  const thread = process.threadCpuUsage();
  return {
    clock: performance.now(),
    processor: (user + system) / 1000,
    thread: (thread.user + thread.system) / 1000,
  };
}

import type { Clock } from './clock.ts';
import type { Logger } from '../process/logging.ts';

export interface PeriodicOptions {
  readonly name: string;
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The signal aborts when the task is stopped. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/**
 * Runs a task on start and again after each interval, never concurrently. After a failure, it waits for the next
 * interval.
 */
export class Periodic {
  readonly #options: PeriodicOptions;
  #cancel: (() => void) | undefined;
  #running: Promise<void> | undefined;
  readonly #stopping = new AbortController();

  constructor(options: PeriodicOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Does not start another run, and waits for the current one. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancel?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { name, intervalMs, clock, logger, run } = this.#options;
    const { signal } = this.#stopping;
    try {
      await run(signal);
    } catch (error) {
      if (!signal.aborted) logger.warn({ err: error, task: name }, 'periodic task failed');
    }
    if (signal.aborted) return;
    this.#cancel = clock.schedule(intervalMs, () => {
      this.#running = this.#run();
    });
  }
}

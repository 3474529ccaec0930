import type { Clock } from '@trifold/platform/service/clock.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';

export interface PeriodicOptions {
  readonly name: string;
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly run: () => Promise<void>;
}

/**
 * Runs a task on start and again after each interval, never concurrently. After a failure, it waits for the next
 * interval.
 */
export class Periodic {
  readonly #options: PeriodicOptions;
  #cancel: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(options: PeriodicOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Starts no further run and waits for the current one. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel?.();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { name, intervalMs, clock, logger, run } = this.#options;
    try {
      await run();
    } catch (error) {
      logger.warn({ err: error, task: name }, 'periodic task failed');
    }
    if (this.#stopped) return;
    this.#cancel = clock.schedule(intervalMs, () => {
      this.#running = this.#run();
    });
  }
}

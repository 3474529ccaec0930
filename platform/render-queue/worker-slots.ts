import type { QueueName, WorkerOptions } from './port.ts';

/** How many tasks a worker may have in hand, and of which queue. */
export class WorkerSlots {
  readonly #concurrency: number;
  readonly #batchConcurrency: number;
  readonly #taken: Record<QueueName, number> = { interactive: 0, batch: 0 };

  /** RangeError when a number is not a whole one of 1 or more. */
  constructor({ concurrency, batchConcurrency }: WorkerOptions) {
    this.#concurrency = atLeastOne(concurrency, 'concurrency');
    // The last slot is never the batch queue's; only a worker with a single slot shares it.
    const most = Math.max(1, this.#concurrency - 1);
    this.#batchConcurrency = Math.min(most, atLeastOne(batchConcurrency ?? most, 'batchConcurrency'));
  }

  isFree(queue: QueueName): boolean {
    const { interactive, batch } = this.#taken;
    return interactive + batch < this.#concurrency && (queue !== 'batch' || batch < this.#batchConcurrency);
  }

  take(queue: QueueName): void {
    this.#taken[queue] += 1;
  }

  free(queue: QueueName): void {
    this.#taken[queue] -= 1;
  }
}

function atLeastOne(value: number, name: string): number {
  if (Number.isInteger(value) && value >= 1) return value;
  throw new RangeError(`${name} must be a whole number of 1 or more, not ${value}`);
}

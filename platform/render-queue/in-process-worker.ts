import type { Clock } from '../clock.ts';
import type { QueueWorker, RenderOutcome, RenderTask, TaskHandler, WorkerOptions } from './port.ts';

/** What a worker needs of its queue. */
export interface TaskSource {
  take(batchAllowed: boolean): RenderTask | undefined;
  finish(task: RenderTask, outcome: RenderOutcome): void;
  giveBack(task: RenderTask): void;
  closed(): void;
}

/** How long an aborted handler may take to say what became of its task. */
const ABORT_MS = 2000;

/** The handler broke its promise not to reject, or was aborted. */
const HANDLER_REJECTED: RenderOutcome = {
  status: 'failed',
  failure: { code: 'renderer_error', message: 'the renderer failed unexpectedly', retryable: true },
};

interface TaskInHand {
  readonly task: RenderTask;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** Runs a handler on the tasks of a queue, some at a time. */
export class InProcessWorker implements QueueWorker {
  readonly #source: TaskSource;
  readonly #handler: TaskHandler;
  readonly #concurrency: number;
  readonly #batchConcurrency: number;
  readonly #clock: Clock;
  readonly #inHand = new Map<string, TaskInHand>();
  #batchInHand = 0;
  #waking = false;
  #closing: Promise<void> | undefined;

  constructor(source: TaskSource, handler: TaskHandler, options: WorkerOptions, clock: Clock) {
    const { concurrency, batchConcurrency } = options;
    this.#source = source;
    this.#handler = handler;
    this.#clock = clock;
    this.#concurrency = atLeastOne(concurrency, 'concurrency');
    // The last slot is never the batch queue's; only a worker with a single slot shares it.
    const most = Math.max(1, this.#concurrency - 1);
    this.#batchConcurrency = Math.min(most, atLeastOne(batchConcurrency ?? most, 'batchConcurrency'));
  }

  /** Takes what waits, soon. */
  wake(): void {
    if (this.#waking || this.#closing) return;
    this.#waking = true;
    queueMicrotask(() => {
      this.#waking = false;
      this.#fill();
    });
  }

  close(graceMs: number): Promise<void> {
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  #fill(): void {
    while (!this.#closing && this.#inHand.size < this.#concurrency) {
      const task = this.#source.take(this.#batchInHand < this.#batchConcurrency);
      if (!task) return;
      this.#start(task);
    }
  }

  #start(task: RenderTask): void {
    const abort = new AbortController();
    if (task.queue === 'batch') this.#batchInHand += 1;
    const done = this.#run(task, abort.signal);
    this.#inHand.set(task.id, { task, abort, done });
  }

  async #run(task: RenderTask, signal: AbortSignal): Promise<void> {
    const outcome = await this.#handle(task, signal);
    if (!this.#inHand.delete(task.id)) return; // given back in the meantime
    if (task.queue === 'batch') this.#batchInHand -= 1;
    if (signal.aborted && mayRunAgain(outcome)) this.#source.giveBack(task);
    else this.#source.finish(task, outcome);
    this.#fill();
  }

  async #handle(task: RenderTask, signal: AbortSignal): Promise<RenderOutcome> {
    try {
      return await this.#handler(task, signal);
    } catch {
      return HANDLER_REJECTED;
    }
  }

  async #close(graceMs: number): Promise<void> {
    await this.#settled(graceMs);
    for (const { abort } of this.#inHand.values()) abort.abort(new Error('the worker is closing'));
    await this.#settled(ABORT_MS);
    for (const { task } of this.#inHand.values()) this.#source.giveBack(task);
    this.#inHand.clear();
    this.#source.closed();
  }

  /** Waits for what is in hand, for a time at most. */
  async #settled(milliseconds: number): Promise<void> {
    if (this.#inHand.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#clock.schedule(milliseconds, resolve);
    await Promise.race([promise, Promise.all(Array.from(this.#inHand.values(), ({ done }) => done))]);
    cancel();
  }
}

/** What is true for good: a stored document, or a failure that no other attempt would change. */
function mayRunAgain(outcome: RenderOutcome): boolean {
  return outcome.status === 'failed' && outcome.failure.retryable;
}

function atLeastOne(value: number, name: string): number {
  if (Number.isInteger(value) && value >= 1) return value;
  throw new RangeError(`${name} must be a whole number of 1 or more, not ${value}`);
}

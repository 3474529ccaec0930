import type { Clock } from '../../service/clock.ts';
import { mayRunAgain, outcomeOf } from '../handler-outcome.ts';
import type { QueueWorker, RenderOutcome, RenderTask, TaskHandler, WorkerOptions } from '../port.ts';
import { WorkerSlots } from '../worker-slots.ts';

/** The part of the queue that a worker uses. */
export interface TaskSource {
  take(batchAllowed: boolean): RenderTask | undefined;
  /** Called before the handler gets the task. */
  begin(task: RenderTask): void;
  finish(task: RenderTask, outcome: RenderOutcome): void;
  giveBack(task: RenderTask): void;
  closed(): void;
}

/** Time that an aborted handler has to return an outcome. */
const ABORT_MS = 2000;

interface ActiveTask {
  readonly task: RenderTask;
  readonly abort: AbortController;
  readonly done: Promise<void>;
}

/** Runs a handler on the tasks of a queue, several at a time. */
export class InProcessWorker implements QueueWorker {
  readonly #source: TaskSource;
  readonly #handler: TaskHandler;
  readonly #slots: WorkerSlots;
  readonly #clock: Clock;
  readonly #inHand = new Map<string, ActiveTask>();
  #waking = false;
  #closing: Promise<void> | undefined;

  constructor(source: TaskSource, handler: TaskHandler, options: WorkerOptions, clock: Clock) {
    this.#source = source;
    this.#handler = handler;
    this.#clock = clock;
    this.#slots = new WorkerSlots(options);
  }

  /** Schedules a look for waiting tasks. */
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
    while (!this.#closing && this.#slots.isFree('interactive')) {
      const task = this.#source.take(this.#slots.isFree('batch'));
      if (!task) return;
      this.#start(task);
    }
  }

  #start(task: RenderTask): void {
    const abort = new AbortController();
    this.#slots.take(task.queue, task.exclusive);
    const done = this.#run(task, abort.signal);
    this.#inHand.set(task.id, { task, abort, done });
  }

  async #run(task: RenderTask, signal: AbortSignal): Promise<void> {
    const outcome = await this.#outcome(task, signal);
    if (!this.#inHand.delete(task.id)) return; // given back in the meantime
    this.#slots.free(task.queue, task.exclusive);
    if (!outcome || (signal.aborted && mayRunAgain(outcome))) this.#source.giveBack(task);
    else this.#source.finish(task, outcome);
    this.#fill();
  }

  /** Returns undefined when the worker closes before an exclusive task can begin. */
  async #outcome(task: RenderTask, signal: AbortSignal): Promise<RenderOutcome | undefined> {
    if (task.exclusive) {
      await this.#slots.alone();
      if (this.#closing) return undefined;
    }
    this.#source.begin(task);
    return outcomeOf(this.#handler, task, signal);
  }

  async #close(graceMs: number): Promise<void> {
    await this.#settled(graceMs);
    for (const { abort } of this.#inHand.values()) abort.abort(new Error('the worker is closing'));
    await this.#settled(ABORT_MS);
    for (const { task } of this.#inHand.values()) this.#source.giveBack(task);
    this.#inHand.clear();
    this.#source.closed();
  }

  /** Waits for the active tasks, at most `timeoutMs`. */
  async #settled(timeoutMs: number): Promise<void> {
    if (this.#inHand.size === 0) return;
    const all = Promise.all(Array.from(this.#inHand.values(), ({ done }) => done));
    await this.#clock.withTimeout<unknown>(() => all, timeoutMs, { onTimeout: () => undefined });
  }
}

import { PriorityTurns, type Priority } from '../scheduling/priority.ts';
import { SPARE_AFTER_MS } from '../scheduling/account-slots.ts';
import type { Clock } from '../async/clock.ts';
import { CANCELLED } from '../records/documents/finished-document.ts';
import { documentFailure } from '../errors/document-error.ts';
import type { QueueWorker, RenderOutcome, RenderTask, TaskHandler, WorkerOptions } from './port.ts';
import { WorkerSlots } from './worker-slots.ts';

/** Time limit for an aborted handler to return an outcome. */
const ABORT_MS = 2000;
/** Timeout for returning tasks on close: Redis may be down. */
const GIVE_BACK_MS = 3000;

/** The handler was aborted, or rejected in violation of its contract. */
const HANDLER_REJECTED: RenderOutcome = {
  status: 'failed',
  failure: documentFailure('renderer_error', 'the renderer failed unexpectedly'),
};

/** A task that this worker holds. Its methods never reject. */
export interface HeldTask {
  readonly task: RenderTask;
  /** An outcome determined before any handler runs; undefined if the task has to run. */
  readonly knownOutcome?: RenderOutcome | undefined;
  /** Called before the handler gets the task. Returns false when the worker no longer holds the task. */
  begin(): Promise<boolean>;
  finish(outcome: RenderOutcome): Promise<void>;
  /** Returns the task to the front of its queue and wakes another worker. */
  giveBack(): Promise<void>;
}

/** A worker's view of one of the queues. Its methods never reject. */
export interface TaskSource {
  readonly queue: Priority;
  /**
   * Takes the next task if one is waiting. With `isWanted`, takes the next one from an account that passes it; a source
   * may look only at the first few tasks, and may return another account's task if another worker takes tasks
   * concurrently.
   */
  take(isWanted?: (account: string) => boolean): Promise<HeldTask | undefined>;
  /** Waits until the queue may have a task; may take it. Resolves soon after `stop`. */
  wait(): Promise<HeldTask | undefined>;
  /** Takes no more tasks; the worker keeps those it holds. */
  stop(): void;
  close(): void;
}

export interface TaskWorkerOptions extends WorkerOptions {
  readonly handler: TaskHandler;
  readonly clock: Clock;
  /** One for each queue. */
  readonly sources: readonly TaskSource[];
  readonly closed: (worker: TaskWorker) => void;
}

interface ActiveTask {
  /** Replaced when the queue delivers the same task again. */
  held: HeldTask;
  readonly abort: AbortController;
  cancelled: boolean;
  readonly done: Promise<void>;
}

/**
 * Runs a handler on the tasks of all queues. A task without a slot is returned immediately, so that no task waits in
 * one worker while another has a free slot. While a queue has no slot, the worker polls it every 500 ms for tasks of
 * accounts with nothing running here, for the spare slot.
 */
export class TaskWorker implements QueueWorker {
  readonly #options: TaskWorkerOptions;
  readonly #slots: WorkerSlots;
  readonly #active = new Map<string, ActiveTask>();
  /** Sources that were found empty. */
  readonly #waiting = new Map<TaskSource, Promise<void>>();
  readonly #turns = new PriorityTurns();
  readonly #taking: Promise<void>;
  #changed = Promise.withResolvers<void>();
  #cancelLook: (() => void) | undefined;
  /** Whether it is time to look for a task for the spare slot. */
  #looks = false;
  #closing: Promise<void> | undefined;

  /** Throws RangeError if a number of slots is not a positive integer. */
  constructor(options: TaskWorkerOptions) {
    this.#options = options;
    this.#slots = new WorkerSlots(options, options.clock, () => this.#changed.resolve());
    // Starts only after the caller has the worker.
    this.#taking = Promise.resolve().then(() => this.#takeTasks());
  }

  close(graceMs: number): Promise<void> {
    this.#closing ??= this.#close(graceMs);
    return this.#closing;
  }

  /** Stops a task if this worker is running it. The task fails with the code `cancelled`. */
  cancel(id: string): void {
    const active = this.#active.get(id);
    if (!active) return;
    active.cancelled = true;
    active.abort.abort(new Error('the task is cancelled'));
  }

  /** Takes tasks one by one while there are slots for them. Never rejects. */
  async #takeTasks(): Promise<void> {
    while (!this.#closing) {
      if (this.#looks) await this.#takeForSpare();
      const source = this.#nextSource();
      if (source) {
        const held = await source.take();
        if (held) await this.#accept(held);
        else if (!this.#closing) this.#waiting.set(source, this.#waitFor(source));
      } else {
        this.#lookLater();
        this.#changed = Promise.withResolvers();
        await this.#changed.promise;
      }
    }
  }

  #lookLater(): void {
    if (this.#closing || this.#blocked.length === 0 || !this.#slots.hasSpare) return;
    this.#cancelLook ??= this.#options.clock.schedule(SPARE_AFTER_MS, () => {
      this.#cancelLook = undefined;
      this.#looks = true;
      this.#changed.resolve();
    });
  }

  async #takeForSpare(): Promise<void> {
    this.#looks = false;
    if (!this.#slots.hasSpare) return;
    // An account that has become idle only since then takes its regular turn.
    const { accounts } = this.#slots;
    for (const source of this.#blocked) {
      const held = await source.take((account) => !accounts.has(account));
      if (held) return this.#accept(held);
    }
  }

  /** Sources that may have tasks but have no slot. */
  get #blocked(): readonly TaskSource[] {
    return this.#options.sources.filter(
      (source) => !this.#waiting.has(source) && !this.#slots.isFree(source.queue),
    );
  }

  #nextSource(): TaskSource | undefined {
    const ready = this.#options.sources.filter(
      (source) => !this.#waiting.has(source) && this.#slots.isFree(source.queue),
    );
    const next = this.#turns.next((priority) => ready.some(({ queue }) => queue === priority));
    return ready.find(({ queue }) => queue === next);
  }

  async #waitFor(source: TaskSource): Promise<void> {
    const held = await source.wait();
    if (held) await this.#accept(held);
    this.#waiting.delete(source);
    this.#changed.resolve();
  }

  async #accept(held: HeldTask): Promise<void> {
    const { id, queue, account } = held.task;
    const known = this.#active.get(id);
    // The queue lost the lock or considered this worker dead. The task continues under the new lock.
    if (known) known.held = held;
    else if (held.knownOutcome) await held.finish(held.knownOutcome);
    else if (this.#closing) await held.giveBack();
    else if (this.#slots.isFree(queue) || this.#slots.maySpare(account)) this.#start(held);
    else await held.giveBack();
  }

  #start(held: HeldTask): void {
    const { task } = held;
    const { id } = task;
    const done = Promise.withResolvers<void>();
    const active: ActiveTask = { held, abort: new AbortController(), cancelled: false, done: done.promise };
    this.#slots.take(task);
    this.#active.set(id, active);
    void this.#run(active).then(() => {
      this.#active.delete(id);
      this.#slots.free(task);
      this.#changed.resolve();
      done.resolve();
    });
  }

  async #run(active: ActiveTask): Promise<void> {
    let outcome = await this.#outcome(active);
    if (active.cancelled && outcome?.status !== 'completed')
      outcome = { status: 'failed', failure: CANCELLED };
    const { id } = active.held.task;
    if (!this.#active.has(id)) return; // already returned by close
    if (!outcome || (active.abort.signal.aborted && mayRunAgain(outcome))) return active.held.giveBack();
    let held: HeldTask;
    do {
      held = active.held;
      await held.finish(outcome);
    } while (held !== active.held);
  }

  /** Returns undefined if the task did not begin. */
  async #outcome(active: ActiveTask): Promise<RenderOutcome | undefined> {
    const { task } = active.held;
    if (task.exclusive) {
      await this.#slots.untilExclusive();
      if (this.#closing || active.cancelled) return undefined;
    }
    if (!(await active.held.begin())) return undefined;
    try {
      return await this.#options.handler(task, active.abort.signal);
    } catch {
      return HANDLER_REJECTED;
    }
  }

  async #close(graceMs: number): Promise<void> {
    const { sources, closed } = this.#options;
    this.#cancelLook?.();
    for (const source of sources) source.stop();
    this.#changed.resolve();
    await this.#settled(graceMs);
    for (const { abort } of this.#active.values()) abort.abort(new Error('the worker is closing'));
    await this.#settled(ABORT_MS);
    const left = [...this.#active.values()];
    this.#active.clear();
    const returned = left.map(({ held }) => held.giveBack());
    await this.#waitForAll([...returned, this.#taking, ...this.#waiting.values()], GIVE_BACK_MS);
    for (const source of sources) source.close();
    this.#slots.close();
    closed(this);
  }

  /** Waits up to `timeoutMs` for the active tasks. */
  async #settled(timeoutMs: number): Promise<void> {
    const tasks = Array.from(this.#active.values(), ({ done }) => done);
    if (tasks.length > 0) await this.#waitForAll(tasks, timeoutMs);
  }

  async #waitForAll(promises: readonly Promise<void>[], timeoutMs: number): Promise<void> {
    const all = async () => void (await Promise.all(promises));
    await this.#options.clock.withTimeout(all, timeoutMs, { onTimeout: () => undefined });
  }
}

/** Returns false for a permanent outcome: a stored document, or a failure that no retry would change. */
function mayRunAgain(outcome: RenderOutcome): boolean {
  return outcome.status === 'failed' && outcome.failure.retryable;
}

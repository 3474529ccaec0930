import { INLINE_DATA_LIMIT } from '@trifold/crds';
import type { Logger } from '../../process/logging.ts';
import { systemClock, type Clock } from '../../async/clock.ts';
import { FairQueue } from '../../scheduling/fair-queue.ts';
import { byPriority, type Priority } from '../../scheduling/priority.ts';
import {
  assertAddable,
  FINISHED_LIMIT,
  FINISHED_MS,
  QUEUE_NAMES,
  RENDERER_LOST,
  RenderQueueError,
  type QueueWorker,
  type RenderOutcome,
  type RenderQueue,
  type RenderTask,
  type TaskHandler,
  type TaskState,
  type WorkerOptions,
} from '../port.ts';
import { TaskWorker, type HeldTask, type TaskSource } from '../task-worker.ts';
import type { TakenTasks } from './taken-tasks.ts';

export interface InProcessQueueOptions {
  /** @default the system clock */
  clock?: Clock;
  logger?: Logger;
  /** @default INLINE_DATA_LIMIT, the limit of inline data in a resource */
  carriedDataBytes?: number;
  /**
   * Records active tasks, so that the next process reports them as lost. @default active tasks are forgotten like all
   * others
   */
  takenTasks?: TakenTasks;
}

type Listener = (id: string, outcome: RenderOutcome) => void;

/**
 * A render queue in memory, for the single-process service. Waiting tasks are lost with the process; see the port. If
 * `takenTasks` is set, active tasks fail after the next start like a dead renderer's tasks.
 */
export class InProcessQueue implements RenderQueue {
  readonly carriedDataBytes: number;
  readonly #clock: Clock;
  readonly #logger: Logger | undefined;
  readonly #taken: TakenTasks | undefined;
  readonly #tasks = new Map<string, RenderTask>();
  readonly #lines = byPriority(() => new FairQueue());
  readonly #finished: FinishedTasks;
  /** Resolved when a queue has a task for its waiting workers. */
  readonly #added = byPriority(() => Promise.withResolvers<undefined>());
  readonly #workers = new Set<TaskWorker>();
  readonly #listeners = new Set<Listener>();
  #closed = false;

  constructor(options: InProcessQueueOptions = {}) {
    const { clock = systemClock, logger, carriedDataBytes = INLINE_DATA_LIMIT, takenTasks } = options;
    this.carriedDataBytes = carriedDataBytes;
    this.#clock = clock;
    this.#logger = logger;
    this.#finished = new FinishedTasks(() => clock.monotonicMs());
    this.#taken = takenTasks;
    for (const id of takenTasks?.lost ?? []) this.#finished.add(id, RENDERER_LOST);
  }

  async add(task: RenderTask): Promise<void> {
    this.#assertOpen();
    assertAddable(task, this.carriedDataBytes);
    if (this.#tasks.has(task.id) || this.#finished.get(task.id)) return;
    this.#tasks.set(task.id, task);
    this.#lines[task.queue].push(task.id, task.account);
    this.#wakeWorkers(task.queue);
  }

  async state(id: string): Promise<TaskState> {
    const task = this.#tasks.get(id);
    if (!task) return this.#finished.get(id) ?? { status: 'unknown' };
    return { status: this.#lines[task.queue].has(id) ? 'waiting' : 'active' };
  }

  async remove(id: string): Promise<void> {
    const task = this.#tasks.get(id);
    if (task && this.#lines[task.queue].remove(id)) this.#tasks.delete(id);
    else for (const worker of this.#workers) worker.cancel(id);
  }

  onFinished(listener: Listener): () => void {
    const own: Listener = (id, outcome) => listener(id, outcome);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  work(handler: TaskHandler, options: WorkerOptions): QueueWorker {
    this.#assertOpen();
    const worker = new TaskWorker({
      ...options,
      handler,
      clock: this.#clock,
      sources: QUEUE_NAMES.map((queue) => this.#source(queue)),
      closed: () => this.#workers.delete(worker),
    });
    this.#workers.add(worker);
    return worker;
  }

  async depth(): Promise<Record<Priority, number>> {
    return byPriority((queue) => this.#lines[queue].length);
  }

  async check(): Promise<void> {
    this.#assertOpen();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#workers].map((worker) => worker.close(0)));
    this.#listeners.clear();
  }

  #source(queue: Priority): TaskSource {
    const line = this.#lines[queue];
    return {
      queue,
      take: async (isWanted) => {
        const id = line.shift(isWanted);
        const task = id === undefined ? undefined : this.#tasks.get(id);
        return task && this.#held(task);
      },
      wait: async () => (line.length > 0 ? undefined : this.#added[queue].promise),
      stop: () => this.#wakeWorkers(queue),
      close: () => undefined,
    };
  }

  #held(task: RenderTask): HeldTask {
    return {
      task,
      begin: async () => {
        this.#taken?.take(task.id);
        return true;
      },
      finish: async (outcome) => this.#finish(task, outcome),
      giveBack: async () => this.#giveBack(task),
    };
  }

  #finish(task: RenderTask, outcome: RenderOutcome): void {
    this.#tasks.delete(task.id);
    this.#finished.add(task.id, outcome);
    this.#taken?.putDown(task.id);
    for (const listener of this.#listeners) {
      try {
        listener(task.id, outcome);
      } catch (error) {
        this.#logger?.error({ err: error, task: task.id }, 'listener for finished tasks failed');
      }
    }
  }

  #giveBack(task: RenderTask): void {
    this.#taken?.putDown(task.id);
    this.#lines[task.queue].pushFront(task.id, task.account);
    this.#wakeWorkers(task.queue);
  }

  #wakeWorkers(queue: Priority): void {
    this.#added[queue].resolve(undefined);
    this.#added[queue] = Promise.withResolvers();
  }

  #assertOpen(): void {
    if (this.#closed) throw new RenderQueueError('closed', 'the render queue is closed');
  }
}

/**
 * Outcomes of finished tasks; the oldest are evicted first. There is no timer: expired entries are removed when others
 * are added. Entries are stored as strings: most of the ten thousand outcomes are never read, and strings take a third
 * of the memory of objects.
 */
class FinishedTasks {
  readonly #now: () => number;
  readonly #outcomes = new Map<string, { outcome: string; at: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  get(id: string): RenderOutcome | undefined {
    const remembered = this.#outcomes.get(id);
    return remembered && (JSON.parse(remembered.outcome) as RenderOutcome);
  }

  add(id: string, outcome: RenderOutcome): void {
    const now = this.#now();
    this.#outcomes.delete(id);
    this.#outcomes.set(id, { outcome: JSON.stringify(outcome), at: now });
    for (const [oldest, { at }] of this.#outcomes) {
      if (this.#outcomes.size <= FINISHED_LIMIT && now - at <= FINISHED_MS) return;
      this.#outcomes.delete(oldest);
    }
  }
}

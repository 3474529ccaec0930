import { expect } from 'vitest';
import type { QueueWorker, RenderQueue, RenderTask, WorkerOptions } from '../port.ts';
import { HeldTasks } from './held-tasks.ts';
import { COMPLETED, taskNamed } from './sample-tasks.ts';
import { eventually } from '@trifold/test-support/eventually.ts';

/** A queue for one test, initially empty. */
export interface QueueUnderTest {
  readonly queue: RenderQueue;
  close(): Promise<void>;
}

/** A task, or the ID of an interactive task. */
type TaskOrId = RenderTask | string;

/** The queue of the current test and its active tasks. */
export class QueueFixture {
  readonly #create: () => Promise<QueueUnderTest>;
  #current: QueueUnderTest | undefined;
  #others: HeldTasks[] = [];
  /** Tasks of the workers that `work` starts. */
  held = new HeldTasks();

  constructor(create: () => Promise<QueueUnderTest>) {
    this.#create = create;
  }

  async begin(): Promise<void> {
    this.held = new HeldTasks();
    this.#others = [];
    this.#current = await this.#create();
  }

  /** Finishes the tasks that are still active and closes the queue. */
  async end(): Promise<void> {
    for (const held of [this.held, ...this.#others]) {
      for (const id of held.active) held.finish(id);
    }
    await this.#current?.close();
    this.#current = undefined;
  }

  get queue(): RenderQueue {
    if (!this.#current) throw new Error('no test runs');
    return this.#current.queue;
  }

  /** Starts a worker whose tasks are in `held`. */
  work(options: number | WorkerOptions): QueueWorker {
    const all = typeof options === 'number' ? { concurrency: options } : options;
    return this.queue.work(this.held.handler, all);
  }

  /** Starts a worker with separate held tasks. */
  anotherWorker(concurrency: number): HeldTasks {
    const held = new HeldTasks();
    this.#others.push(held);
    this.queue.work(held.handler, { concurrency });
    return held;
  }

  /** Starts a worker that completes every task and appends it to `taken`. */
  record(concurrency: number, taken: RenderTask[] = []): readonly RenderTask[] {
    const handler = async (task: RenderTask) => {
      taken.push(task);
      return COMPLETED;
    };
    this.queue.work(handler, { concurrency });
    return taken;
  }

  /** Adds the tasks, one after the other. */
  async add(...tasks: readonly TaskOrId[]): Promise<void> {
    for (const task of tasks) await this.queue.add(asTask(task));
  }

  /** Adds the task and waits until it is the only active one. */
  async start(task: TaskOrId): Promise<void> {
    await this.add(task);
    await this.untilActive(asTask(task).id);
  }

  /** Waits until exactly these tasks are active in `held`. */
  async untilActive(...ids: string[]): Promise<void> {
    await eventually(() => expect(this.held.active.toSorted()).toEqual(ids.toSorted()));
  }

  /** Finishes an active task and waits until the queue has recorded it. */
  async complete(id: string, held = this.held): Promise<void> {
    held.finish(id);
    await this.becomes(id, 'completed');
  }

  /** Completes the next task that is active. */
  async completeNext(): Promise<void> {
    await eventually(() => expect(this.held.active).not.toEqual([]));
    await this.complete(this.held.active[0]!);
  }

  /** Finishes each task when it is the only active one. */
  async finishInTurn(...ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      await this.untilActive(id);
      this.held.finish(id);
    }
  }

  /** Adds each task when the previous one is completed; `held` must get all of them. */
  async runInTurn(held: HeldTasks, ...ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      await this.add(id);
      await eventually(() => expect(held.active).toEqual([id]));
      await this.complete(id, held);
    }
  }

  async statusOf(id: string): Promise<string> {
    return (await this.queue.state(id)).status;
  }

  async becomes(id: string, status: string): Promise<void> {
    await eventually(async () => expect(await this.statusOf(id)).toBe(status));
  }
}

function asTask(task: TaskOrId): RenderTask {
  return typeof task === 'string' ? taskNamed(task) : task;
}

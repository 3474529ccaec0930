import type { RenderOutcome, RenderTask, TaskHandler } from '../port.ts';
import { COMPLETED } from './sample-tasks.ts';

/** A handler whose tasks end on the test's command. */
export class HeldTasks {
  /** IDs in the order they were taken. */
  readonly taken: string[] = [];
  readonly signals = new Map<string, AbortSignal>();
  readonly #held = new Map<string, (outcome: RenderOutcome) => void>();
  readonly #tasks = new Map<string, RenderTask>();

  readonly handler: TaskHandler = (task, signal) => {
    const { promise, resolve, reject } = Promise.withResolvers<RenderOutcome>();
    this.taken.push(task.id);
    this.signals.set(task.id, signal);
    this.#tasks.set(task.id, task);
    this.#held.set(task.id, resolve);
    signal.addEventListener('abort', () => reject(signal.reason as Error));
    return promise.finally(() => this.#held.delete(task.id));
  };

  /** IDs of the active tasks. */
  get active(): string[] {
    return [...this.#held.keys()];
  }

  taskOf(id: string): RenderTask | undefined {
    return this.#tasks.get(id);
  }

  finish(id: string, outcome: RenderOutcome = COMPLETED): void {
    const resolve = this.#held.get(id);
    if (!resolve) throw new Error(`${id} is not active`);
    resolve(outcome);
  }
}

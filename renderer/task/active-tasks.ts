import type { Clock } from '@trifold/platform/async/clock.ts';
import { TaskDeadline } from './task-deadline.ts';

/** Assumed deadline of tasks until the renderer has seen one. */
const USUAL_DEADLINE_MS = 60_000;

/** Tracks the start times of in-flight tasks. The handler enforces deadlines itself; this detects when it fails to. */
export class ActiveTasks {
  readonly #clock: Clock;
  readonly #dueAt = new Set<{ readonly time: number }>();
  #maxDeadlineMs = USUAL_DEADLINE_MS;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Wraps the handler with tracking. */
  observing<Task extends { readonly deadlineMs: number }, Outcome>(
    handler: (task: Task, signal: AbortSignal) => Promise<Outcome>,
  ): (task: Task, signal: AbortSignal) => Promise<Outcome> {
    return async (task, signal) => {
      this.#maxDeadlineMs = Math.max(this.#maxDeadlineMs, task.deadlineMs);
      const due = { time: this.#clock.monotonicMs() + TaskDeadline.maxMs(task.deadlineMs) };
      this.#dueAt.add(due);
      try {
        return await handler(task, signal);
      } finally {
        this.#dueAt.delete(due);
      }
    };
  }

  /** Longest deadline of any task so far. */
  get maxDeadlineMs(): number {
    return this.#maxDeadlineMs;
  }

  /** Milliseconds by which the most overdue task exceeds its deadline plus the maximum wait for a browser. */
  get overrunMs(): number {
    const now = this.#clock.monotonicMs();
    return Math.max(0, ...Array.from(this.#dueAt, ({ time }) => now - time));
  }
}

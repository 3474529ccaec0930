import type { Clock } from '@trifold/platform/service/clock.ts';
import type { TaskHandler } from '@trifold/platform/render-queue/port.ts';
import { TaskDeadline } from './task-deadline.ts';

/** What a renderer takes for a task's deadline before it has seen one. */
const USUAL_DEADLINE_MS = 60_000;

/** Knows since when each task is in hand. Deadlines are kept by the handler itself; this tells when that fails. */
export class ActiveTasks {
  readonly #clock: Clock;
  readonly #dueAt = new Set<{ readonly time: number }>();
  #longestDeadlineMs = USUAL_DEADLINE_MS;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The handler, watched. */
  observing(handler: TaskHandler): TaskHandler {
    return async (task, signal) => {
      this.#longestDeadlineMs = Math.max(this.#longestDeadlineMs, task.deadlineMs);
      const due = { time: this.#clock.now().getTime() + TaskDeadline.longestMs(task.deadlineMs) };
      this.#dueAt.add(due);
      try {
        return await handler(task, signal);
      } finally {
        this.#dueAt.delete(due);
      }
    };
  }

  /** The longest deadline that any task has had. */
  get longestDeadlineMs(): number {
    return this.#longestDeadlineMs;
  }

  /** By how much the task that is latest has overrun its deadline and the longest wait for a browser, in milliseconds. */
  get overrunMs(): number {
    const now = this.#clock.now().getTime();
    return Math.max(0, ...Array.from(this.#dueAt, ({ time }) => now - time));
  }
}

import type { Clock } from '@trifold/platform/service/clock.ts';
import { TaskError } from './task-error.ts';

/**
 * For how many of its own deadlines a document may wait for a browser. Whoever is before it may take one, and while a
 * browser does not start at all it must not wait for ever.
 */
const LONGEST_WAIT = 2;

/**
 * The time that a task may take, by a clock that stands while it waits for a browser: another account's document may
 * hold that, and nobody's document fails for another's.
 */
export class TaskDeadline {
  readonly #clock: Clock;
  readonly #wholeMs: number;
  readonly #exceeded = new AbortController();
  #leftMs: number;
  #since: number;
  #ended = false;
  #cancel: () => void;

  /** Runs from now on. */
  constructor(clock: Clock, milliseconds: number) {
    this.#clock = clock;
    this.#wholeMs = milliseconds;
    this.#leftMs = milliseconds;
    this.#since = clock.now().getTime();
    this.#cancel = this.#exceedIn(milliseconds, deadlineExceeded(milliseconds));
  }

  /** From a task's beginning to its end at most, the wait for a browser included, in milliseconds. */
  static longestMs(deadlineMs: number): number {
    return deadlineMs * (1 + LONGEST_WAIT);
  }

  /** Aborted with the TaskError that the task fails with. */
  get signal(): AbortSignal {
    return this.#exceeded.signal;
  }

  /** A browser is waited for from now on. */
  pause(): void {
    this.#cancel();
    this.#leftMs -= this.#clock.now().getTime() - this.#since;
    this.#cancel = this.#exceedIn(this.#wholeMs * LONGEST_WAIT, noBrowser(this.#wholeMs * LONGEST_WAIT));
  }

  /** There is one. */
  resume(): void {
    this.#cancel();
    this.#since = this.#clock.now().getTime();
    this.#cancel = this.#exceedIn(Math.max(0, this.#leftMs), deadlineExceeded(this.#wholeMs));
  }

  end(): void {
    this.#ended = true;
    this.#cancel();
  }

  #exceedIn(milliseconds: number, error: TaskError): () => void {
    // What lost against the deadline may still get as far as a browser.
    if (this.#ended) return () => undefined;
    return this.#clock.schedule(milliseconds, () => this.#exceeded.abort(error));
  }
}

function deadlineExceeded(milliseconds: number): TaskError {
  return new TaskError(
    'deadline_exceeded',
    `rendering took longer than the limit of ${milliseconds / 1000} s`,
  );
}

function noBrowser(milliseconds: number): TaskError {
  return new TaskError('deadline_exceeded', `no browser was free for ${milliseconds / 1000} s`, {
    retryable: true,
  });
}

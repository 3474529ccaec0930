import type { Clock } from '@trifold/platform/async/clock.ts';
import { DocumentError } from '@trifold/platform/errors/document-error.ts';

/**
 * Maximum wait for a browser, as a multiple of the document's own deadline. An earlier document may occupy the browser
 * for one deadline, and the wait must end even if no browser ever starts.
 */
const MAX_DEADLINES_WAITED = 2;

/**
 * Deadline of a task. Its clock stops during the wait for a browser, because other accounts' documents may occupy it
 * and must not cause this one to fail.
 */
export class TaskDeadline {
  readonly #clock: Clock;
  readonly #wholeMs: number;
  readonly #exceeded = new AbortController();
  #leftMs: number;
  #since: number;
  #ended = false;
  #cancel: () => void;

  /** Starts immediately. */
  constructor(clock: Clock, milliseconds: number) {
    this.#clock = clock;
    this.#wholeMs = milliseconds;
    this.#leftMs = milliseconds;
    this.#since = clock.monotonicMs();
    this.#cancel = this.#exceedIn(milliseconds, () => deadlineExceeded(milliseconds));
  }

  /** Maximum duration of a task in milliseconds, including the wait for a browser. */
  static maxMs(deadlineMs: number): number {
    return deadlineMs * (1 + MAX_DEADLINES_WAITED);
  }

  /** Aborts with the task's DocumentError. */
  get signal(): AbortSignal {
    return this.#exceeded.signal;
  }

  /** Stops the clock while the task waits for a browser. */
  pause(): void {
    this.#cancel();
    this.#leftMs -= this.#clock.monotonicMs() - this.#since;
    const maxMs = this.#wholeMs * MAX_DEADLINES_WAITED;
    this.#cancel = this.#exceedIn(maxMs, () => noBrowser(maxMs));
  }

  /** Restarts the clock: the task has a browser. */
  resume(): void {
    this.#cancel();
    this.#since = this.#clock.monotonicMs();
    this.#cancel = this.#exceedIn(Math.max(0, this.#leftMs), () => deadlineExceeded(this.#wholeMs));
  }

  end(): void {
    this.#ended = true;
    this.#cancel();
  }

  #exceedIn(milliseconds: number, createError: () => DocumentError): () => void {
    // Work that has already missed the deadline may still reach a browser.
    if (this.#ended) return () => undefined;
    return this.#clock.schedule(milliseconds, () => this.#exceeded.abort(createError()));
  }
}

function deadlineExceeded(milliseconds: number): DocumentError {
  return new DocumentError(
    'deadline_exceeded',
    `rendering took longer than the limit of ${milliseconds / 1000} s`,
  );
}

function noBrowser(milliseconds: number): DocumentError {
  return new DocumentError('no_renderer', `no browser was free for ${milliseconds / 1000} s`);
}

import { abortable } from './abortable.ts';
import { TrifoldError } from '../errors/trifold-error.ts';

/** A wait exceeded its time limit. */
export class TimeoutError extends TrifoldError<'timeout'> {
  constructor(message: string) {
    super('timeout', message, { retryable: true });
  }
}

export interface TimeoutOptions<T> {
  /** Aborts the work early; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Returns or throws the outcome of a timeout. @default throws a TimeoutError */
  readonly onTimeout?: () => T;
}

/** Number of parts into which a timeout is divided. */
const TIMEOUT_PARTS = 4;

/** Shared by all calls, because capturing an error's stack takes time. */
const CALL_ENDED = new Error('the call has ended');

/** Time and timers as a dependency that tests can control. */
export abstract class Clock {
  /** The time of day, for timestamps. It can jump in either direction: measure durations with `monotonicMs`. */
  abstract now(): Date;

  /** Milliseconds since an arbitrary moment. Never decreases. */
  abstract monotonicMs(): number;

  /** Runs `callback` once after `delayMs`; the returned function cancels it. Timers do not keep the process alive. */
  abstract schedule(delayMs: number, callback: () => void): () => void;

  /** Resolves after `delayMs`, or as soon as the signal aborts. */
  async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = () => resolve();
    const cancel = this.schedule(delayMs, wake);
    signal?.addEventListener('abort', wake, { once: true });
    await promise;
    signal?.removeEventListener('abort', wake);
    cancel();
  }

  /**
   * Settles as `work` does, or calls `onTimeout` after `timeoutMs`. The work receives a signal that aborts on the
   * timeout, with `options.signal`, and when the call ends. A later outcome of the work is ignored.
   */
  async withTimeout<T>(
    work: (signal: AbortSignal) => Promise<T>,
    timeoutMs: number,
    { signal, onTimeout }: TimeoutOptions<T> = {},
  ): Promise<T> {
    signal?.throwIfAborted();
    const ending = new AbortController();
    let timeout: TimeoutError | undefined;
    const cancel = this.#scheduleTimeout(timeoutMs, () => {
      timeout = new TimeoutError(`no response within ${timeoutMs} ms`);
      ending.abort(timeout);
    });
    const onAbort = () => ending.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      return await abortable(work(ending.signal), ending.signal);
    } catch (error) {
      if (!ending.signal.aborted) throw error;
      if (ending.signal.reason === timeout && onTimeout) return onTimeout();
      throw ending.signal.reason;
    } finally {
      cancel();
      signal?.removeEventListener('abort', onAbort);
      ending.abort(CALL_ENDED);
    }
  }

  /**
   * After the process has been blocked or the machine suspended, timers fire before the process reads responses that
   * arrived in the meantime. Such a pause counts for at most one part of the timeout.
   */
  #scheduleTimeout(timeoutMs: number, onTimeout: () => void, parts = TIMEOUT_PARTS): () => void {
    let cancel = this.schedule(timeoutMs / TIMEOUT_PARTS, () => {
      if (parts === 1) onTimeout();
      else cancel = this.#scheduleTimeout(timeoutMs, onTimeout, parts - 1);
    });
    return () => cancel();
  }
}

/** Maximum delay of setTimeout; longer delays are split. */
const MAX_TIMER_MS = 2 ** 31 - 1;

class SystemClock extends Clock {
  override now(): Date {
    return new Date();
  }

  override monotonicMs(): number {
    return performance.now();
  }

  override schedule(delayMs: number, callback: () => void): () => void {
    let timer: NodeJS.Timeout;
    const arm = (leftMs: number) => {
      const next = leftMs > MAX_TIMER_MS ? () => arm(leftMs - MAX_TIMER_MS) : callback;
      timer = setTimeout(next, Math.min(leftMs, MAX_TIMER_MS)).unref();
    };
    arm(delayMs);
    return () => clearTimeout(timer);
  }
}

/** The system clock. */
export const systemClock: Clock = new SystemClock();

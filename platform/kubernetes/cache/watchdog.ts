import type { Clock } from '../../service/clock.ts';

/** Nothing was heard in time. */
export class WatchdogError extends Error {
  override readonly name = 'WatchdogError';
}

/** A signal that aborts with its parent, or when the time given by the last `arm` runs out. */
export class Watchdog implements Disposable {
  readonly #clock: Clock;
  readonly #parent: AbortSignal;
  readonly #controller = new AbortController();
  readonly #onParentAbort = () => this.#controller.abort(this.#parent.reason);
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, parent: AbortSignal) {
    this.#clock = clock;
    this.#parent = parent;
    if (parent.aborted) this.#onParentAbort();
    else parent.addEventListener('abort', this.#onParentAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts the time over: unless armed again, the signal aborts with a WatchdogError in `milliseconds`. */
  arm(milliseconds: number, message: string): void {
    this.#cancel?.();
    this.#cancel = this.#clock.schedule(milliseconds, () => {
      this.#controller.abort(new WatchdogError(message));
    });
  }

  [Symbol.dispose](): void {
    this.#cancel?.();
    this.#parent.removeEventListener('abort', this.#onParentAbort);
    // Whatever still hangs on the signal (a socket, a body nobody reads) is let go.
    this.#controller.abort(new WatchdogError('the request is over'));
  }
}

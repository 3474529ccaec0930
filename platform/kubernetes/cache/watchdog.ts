import { TimeoutError, type Clock } from '../../async/clock.ts';

/** A signal that aborts with its parent, or when the timeout of the last `arm` expires. */
export class Watchdog {
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

  /** Restarts the timeout: unless armed again, the signal aborts with this message in `milliseconds`. */
  arm(milliseconds: number, message: string): void {
    this.#cancel?.();
    this.#cancel = this.#clock.schedule(milliseconds, () => {
      this.#controller.abort(new TimeoutError(message));
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#parent.removeEventListener('abort', this.#onParentAbort);
    // Releases whatever still depends on the signal, such as a socket or an unread body.
    this.#controller.abort(new Error('the request has ended'));
  }
}

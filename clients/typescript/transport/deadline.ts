/** Maximum delay of a timer; a longer one would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Combines a call's timeout and the caller's signal into one signal. */
export class Deadline {
  /** Aborts on timeout or when the caller aborts. */
  readonly signal: AbortSignal;
  readonly #caller: AbortSignal | undefined;
  readonly #over = new AbortController();
  readonly #endsAt: number;
  readonly #timer: ReturnType<typeof setTimeout>;

  constructor(timeoutMs: number, caller?: AbortSignal) {
    this.#caller = caller;
    this.signal = caller ? AbortSignal.any([caller, this.#over.signal]) : this.#over.signal;
    this.#endsAt = performance.now() + timeoutMs;
    this.#timer = setTimeout(() => this.#over.abort(), Math.min(timeoutMs, MAX_TIMER_MS));
  }

  /** Whether the timeout has expired. */
  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /** Remaining time in milliseconds. */
  get leftMs(): number {
    return this.#endsAt - performance.now();
  }

  /** Throws the reason of the caller's signal if that signal has aborted. */
  throwIfAborted(): void {
    this.#caller?.throwIfAborted();
  }

  /** Stops the timer; the caller's signal still applies while the body is being read. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** The longest that a timer of Node takes; more would be over at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The time that a call has, and the caller's own signal, as one signal. */
export class Deadline {
  /** Aborts when the time is over or the caller aborts. */
  readonly signal: AbortSignal;
  readonly #caller: AbortSignal | undefined;
  readonly #over = new AbortController();
  readonly #endsAt: number;
  readonly #timer: NodeJS.Timeout;

  constructor(timeoutMs: number, caller?: AbortSignal) {
    this.#caller = caller;
    this.signal = caller ? AbortSignal.any([caller, this.#over.signal]) : this.#over.signal;
    this.#endsAt = performance.now() + timeoutMs;
    this.#timer = setTimeout(() => this.#over.abort(), Math.min(timeoutMs, LONGEST_TIMER_MS));
  }

  /** Whether the time ended the call. */
  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /** Milliseconds that are left. */
  get leftMs(): number {
    return this.#endsAt - performance.now();
  }

  /** Throws the reason of the caller's signal when that ended the call. */
  throwIfAborted(): void {
    this.#caller?.throwIfAborted();
  }

  /** Stops the clock; the caller's signal goes on, for a body that is still being read. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}

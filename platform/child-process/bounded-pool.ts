import { patientTimeout } from './patient-timeout.ts';
import { FairLine } from '../render-queue/fair-line.ts';
import { BoundedChild, type BoundedChildOptions } from './bounded-child.ts';

export interface BoundedPoolOptions extends BoundedChildOptions {
  /** Processes; each works on one thing at a time. */
  readonly workers: number;
  /** Milliseconds that one conversation with a process may take. */
  readonly timeoutMs: number;
  /** Requests of one account that may wait for a process. @default no limit */
  readonly mostWaiting?: number;
}

/** Something took longer than it may; its process was killed. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';

  constructor(timeoutMs: number) {
    super(`it took longer than ${timeoutMs} ms`);
  }
}

/** Too many requests of the account wait for a process. */
export class PoolFullError extends Error {
  override readonly name = 'PoolFullError';

  constructor() {
    super('too many requests of the account wait for a process');
  }
}

/** A process, lent for as long as a conversation takes. */
export interface Conversation<Request, Reply> {
  /** Sends a request. Rejects with ChildEnded. */
  ask(request: Request): Promise<Reply>;
  /** Says that the process can do no further work; it is killed when the conversation is over. */
  discard(): void;
}

/** For whom something is done. */
export interface Turn {
  /** Ends the work, or the wait for it, with its reason. */
  readonly signal: AbortSignal;
  /** While things wait, accounts have turns, one thing each. */
  readonly account: string;
}

/**
 * Processes of their own for what other people's templates do, bounded in time and memory. Each is started when it is
 * first needed, or by `start`.
 */
export class BoundedPool<Request extends object, Reply> {
  readonly #options: BoundedPoolOptions;
  readonly #children: readonly BoundedChild<Request, Reply>[];
  readonly #idle: BoundedChild<Request, Reply>[];
  readonly #line = new FairLine();
  /** Who is in line, under the name that they have there. */
  readonly #waiting = new Map<string, (child: BoundedChild<Request, Reply>) => void>();
  #arrivals = 0;
  #stopped = false;

  constructor(options: BoundedPoolOptions) {
    this.#options = options;
    this.#children = Array.from({ length: options.workers }, () => new BoundedChild<Request, Reply>(options));
    this.#idle = [...this.#children];
  }

  /** Starts all processes and waits until they can work. */
  async start(): Promise<void> {
    await Promise.all(this.#children.map((child) => child.ready()));
  }

  /**
   * Lends a process to `converse`, the first that is free. Rejects with what `converse` rejects with, with
   * TimeLimitError, PoolFullError, or the signal's reason when that comes first.
   */
  async run<T>(
    converse: (conversation: Conversation<Request, Reply>) => Promise<T>,
    { signal, account }: Turn,
  ): Promise<T> {
    const child = this.#idle.pop() ?? (await this.#wait(account, signal));
    try {
      return await this.#converse(child, converse, signal);
    } finally {
      this.#release(child);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#children.map((child) => child.stop()));
  }

  async #converse<T>(
    child: BoundedChild<Request, Reply>,
    converse: (conversation: Conversation<Request, Reply>) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    if (this.#stopped) throw new Error('the pool of processes is stopped');
    await child.ready();
    signal.throwIfAborted();
    const { timeoutMs } = this.#options;
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const cancelTimeout = patientTimeout(timeoutMs, () => reject(new TimeLimitError(timeoutMs)));
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    let isUsable = true;
    const discard = () => void (isUsable = false);
    try {
      return await Promise.race([converse({ ask: (request) => child.ask(request), discard }), stopped]);
    } finally {
      cancelTimeout();
      signal.removeEventListener('abort', onAbort);
      // It may still be at it.
      if (child.busy || !isUsable) await child.stop();
    }
  }

  async #wait(account: string, signal: AbortSignal): Promise<BoundedChild<Request, Reply>> {
    signal.throwIfAborted();
    if (this.#line.lengthOf(account) >= (this.#options.mostWaiting ?? Infinity)) throw new PoolFullError();
    const { promise, resolve, reject } = Promise.withResolvers<BoundedChild<Request, Reply>>();
    this.#arrivals += 1;
    const place = String(this.#arrivals);
    const onAbort = () => {
      this.#line.remove(place);
      this.#waiting.delete(place);
      reject(signal.reason);
    };
    this.#line.push(place, account);
    this.#waiting.set(place, resolve);
    signal.addEventListener('abort', onAbort);
    return promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  /** The next in line fails at once when the pool is stopped. */
  #release(child: BoundedChild<Request, Reply>): void {
    const place = this.#line.shift();
    const next = place === undefined ? undefined : this.#waiting.get(place);
    if (place === undefined || !next) {
      this.#idle.push(child);
      return;
    }
    this.#waiting.delete(place);
    next(child);
  }
}

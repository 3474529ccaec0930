import { systemClock } from '../service/clock.ts';
import { FairLine } from '../scheduling/fair-line.ts';
import { BoundedChild, type BoundedChildOptions } from './bounded-child.ts';
import { ChildProcessError } from './child-process-error.ts';

export interface BoundedPoolOptions extends BoundedChildOptions {
  /** Number of processes; each handles one conversation at a time. */
  readonly workers: number;
  /** Time limit of one conversation with a process, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum number of waiting requests per account. @default no limit */
  readonly mostWaiting?: number;
}

/** A process that is reserved for one conversation. */
export interface Conversation<Request, Reply> {
  /** Sends a request. Rejects with ChildProcessError. */
  ask(request: Request): Promise<Reply>;
  /** Marks the process as unusable; it is killed after the conversation. */
  discard(): void;
}

/** Cancellation and account of a request. */
export interface Turn {
  /** Aborts the work, or the wait for it, with its reason. */
  readonly signal: AbortSignal;
  /** While requests wait, accounts take turns, one request each. */
  readonly account: string;
}

/**
 * Separate processes for untrusted templates, limited in time and memory. Each process starts when it is first needed,
 * or by `start`.
 */
export class BoundedPool<Request extends object, Reply> {
  readonly #options: BoundedPoolOptions;
  readonly #children: readonly BoundedChild<Request, Reply>[];
  readonly #idle: BoundedChild<Request, Reply>[];
  readonly #line = new FairLine();
  /** Waiting requests by their id in `#line`. */
  readonly #waiting = new Map<string, (child: BoundedChild<Request, Reply>) => void>();
  #arrivals = 0;
  #stopped = false;

  constructor(options: BoundedPoolOptions) {
    this.#options = options;
    this.#children = Array.from({ length: options.workers }, () => new BoundedChild<Request, Reply>(options));
    this.#idle = [...this.#children];
  }

  /** Starts all processes and waits until they are ready. */
  async start(): Promise<void> {
    await Promise.all(this.#children.map((child) => child.ready()));
  }

  /**
   * Runs `converse` with the first free process. Rejects with the error of `converse`, with ChildProcessError,
   * or with the signal's reason, whichever comes first.
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
    const { timeoutMs } = this.#options;
    const onTimeout = () => {
      throw new ChildProcessError('time_limit', `it took longer than ${timeoutMs} ms`);
    };
    let isUsable = true;
    const discard = () => void (isUsable = false);
    const work = async () => converse({ ask: (request) => child.ask(request), discard });
    try {
      return await systemClock.withTimeout(work, timeoutMs, { signal, onTimeout });
    } finally {
      // The process may still be working.
      if (child.busy || !isUsable) await child.stop();
    }
  }

  async #wait(account: string, signal: AbortSignal): Promise<BoundedChild<Request, Reply>> {
    signal.throwIfAborted();
    if (this.#line.lengthOf(account) >= (this.#options.mostWaiting ?? Infinity)) {
      throw new ChildProcessError('pool_full');
    }
    const { promise, resolve, reject } = Promise.withResolvers<BoundedChild<Request, Reply>>();
    this.#arrivals += 1;
    const ticket = String(this.#arrivals);
    const onAbort = () => {
      this.#line.remove(ticket);
      this.#waiting.delete(ticket);
      reject(signal.reason);
    };
    this.#line.push(ticket, account);
    this.#waiting.set(ticket, resolve);
    signal.addEventListener('abort', onAbort);
    return promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  /** When the pool is stopped, the next request in line fails at once. */
  #release(child: BoundedChild<Request, Reply>): void {
    const ticket = this.#line.shift();
    const next = ticket === undefined ? undefined : this.#waiting.get(ticket);
    if (ticket === undefined || !next) {
      this.#idle.push(child);
      return;
    }
    this.#waiting.delete(ticket);
    next(child);
  }
}

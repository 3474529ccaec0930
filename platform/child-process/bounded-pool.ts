import { systemClock } from '../async/clock.ts';
import { AccountSlots } from '../scheduling/account-slots.ts';
import { BoundedChild, type BoundedChildOptions } from './bounded-child.ts';
import { ChildProcessError } from './child-process-error.ts';

export interface BoundedPoolOptions extends BoundedChildOptions {
  /**
   * Number of processes; each handles one conversation at a time. One more process starts for accounts with nothing
   * running while other accounts are using all processes.
   */
  readonly workers: number;
  /** Time limit for one conversation with a process, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum number of waiting requests per account. @default no limit */
  readonly maxWaiting?: number;
}

/** A process that is reserved for one conversation. */
export interface Conversation<Request, Reply> {
  /** Sends a request. Rejects with ChildProcessError. */
  ask(request: Request): Promise<Reply>;
  /** Marks the process as unusable; it is killed after the conversation. */
  discard(): void;
}

/** A request's cancellation signal and account. */
export interface Turn {
  /** Aborts the work, or the wait for it, with its reason. */
  readonly signal: AbortSignal;
  /** While requests wait, accounts take turns, one request each; those with nothing running in the pool go first. */
  readonly account: string;
}

/**
 * Separate processes for untrusted templates, limited in time and memory. Each process starts when it is first needed,
 * or by `start`.
 */
export class BoundedPool<Request extends object, Reply> {
  readonly #options: BoundedPoolOptions;
  readonly #children: readonly BoundedChild<Request, Reply>[];
  readonly #slots: AccountSlots<BoundedChild<Request, Reply>>;
  #stopped = false;

  constructor(options: BoundedPoolOptions) {
    this.#options = options;
    const create = () => new BoundedChild<Request, Reply>(options);
    this.#children = Array.from({ length: options.workers }, create);
    this.#slots = new AccountSlots({
      size: options.workers,
      spare: {
        create,
        start: async (child) => this.#slots.offer(child),
        stop: async (child) => child.stop(),
      },
      clock: systemClock,
    });
    for (const child of this.#children) this.#slots.offer(child);
  }

  /** Starts all processes and waits until they are ready. */
  async start(): Promise<void> {
    await Promise.all(this.#children.map((child) => child.ready()));
  }

  /**
   * Runs `converse` with the first free process. Rejects with the error from `converse`, with ChildProcessError, or
   * with the signal's reason, whichever comes first.
   */
  async run<T>(
    converse: (conversation: Conversation<Request, Reply>) => Promise<T>,
    { signal, account }: Turn,
  ): Promise<T> {
    if (this.#slots.waitingOf(account) >= (this.#options.maxWaiting ?? Infinity)) {
      throw new ChildProcessError('pool_full');
    }
    return this.#slots.run({ account, signal }, (child) =>
      this.#converse(child, converse, signal).finally(() => this.#slots.offer(child)),
    );
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([this.#slots.stop(stopped()), ...this.#children.map((child) => child.stop())]);
  }

  async #converse<T>(
    child: BoundedChild<Request, Reply>,
    converse: (conversation: Conversation<Request, Reply>) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    if (this.#stopped) throw stopped();
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
}

function stopped(): Error {
  return new Error('the pool of processes is stopped');
}

import { BoundedChild } from './bounded-child.ts';

export interface BoundedPoolOptions {
  /** The module that the processes run; it calls `serveParent`. */
  readonly entry: URL;
  /** Processes; each works on one thing at a time. */
  readonly workers: number;
  /** Milliseconds that one conversation with a process may take. */
  readonly timeoutMs: number;
}

/** Something took longer than it may; its process was killed. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';

  constructor(timeoutMs: number) {
    super(`it took longer than ${timeoutMs} ms`);
  }
}

/** Sends a request to a process of the pool. Rejects with ChildEnded. */
export type Ask<Request, Reply> = (request: Request) => Promise<Reply>;

/**
 * Processes of their own for what other people's templates do, bounded in time and memory. Each is started when it is
 * first needed, or by `start`.
 */
export class BoundedPool<Request extends object, Reply> {
  readonly #timeoutMs: number;
  readonly #children: readonly BoundedChild<Request, Reply>[];
  readonly #idle: BoundedChild<Request, Reply>[];
  /** In order of arrival. */
  readonly #waiting = new Set<(child: BoundedChild<Request, Reply>) => void>();
  #stopped = false;

  constructor({ entry, workers, timeoutMs }: BoundedPoolOptions) {
    this.#timeoutMs = timeoutMs;
    this.#children = Array.from({ length: workers }, () => new BoundedChild<Request, Reply>(entry));
    this.#idle = [...this.#children];
  }

  /** Starts all processes and waits until they can work. */
  async start(): Promise<void> {
    await Promise.all(this.#children.map((child) => child.ready()));
  }

  /**
   * Gives a process to `converse`, for as long as it takes; the first that is free. Rejects with what `converse` rejects
   * with, with TimeLimitError, or with the signal's reason when that comes first.
   */
  async run<T>(converse: (ask: Ask<Request, Reply>) => Promise<T>, signal: AbortSignal): Promise<T> {
    const child = this.#idle.pop() ?? (await this.#wait(signal));
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
    converse: (ask: Ask<Request, Reply>) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    if (this.#stopped) throw new Error('the pool of processes is stopped');
    await child.ready();
    signal.throwIfAborted();
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new TimeLimitError(this.#timeoutMs)), this.#timeoutMs);
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    try {
      return await Promise.race([converse((request) => child.ask(request)), stopped]);
    } catch (error) {
      // It may still be at it.
      if (child.busy) await child.stop();
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #wait(signal: AbortSignal): Promise<BoundedChild<Request, Reply>> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<BoundedChild<Request, Reply>>();
    const onAbort = () => {
      this.#waiting.delete(resolve);
      reject(signal.reason);
    };
    this.#waiting.add(resolve);
    signal.addEventListener('abort', onAbort);
    return promise.finally(() => signal.removeEventListener('abort', onAbort));
  }

  #release(child: BoundedChild<Request, Reply>): void {
    if (this.#stopped) return;
    const [next] = this.#waiting;
    if (!next) {
      this.#idle.push(child);
      return;
    }
    this.#waiting.delete(next);
    next(child);
  }
}

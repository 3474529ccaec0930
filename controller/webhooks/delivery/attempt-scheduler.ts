import { EndpointQueue, type QueuedAttempt } from './endpoint-queue.ts';

export interface AttemptSchedulerOptions {
  /** Attempts in flight at once. One account may use a quarter of them, but always enough for one endpoint. */
  readonly concurrency: number;
  /** Attempts in flight at once to one endpoint whose last attempt succeeded. */
  readonly endpointConcurrency: number;
}

/** Attempts in flight to an endpoint that fails, or that has not succeeded yet. */
const UNPROVEN_CONCURRENCY = 2;
const ACCOUNT_SHARE = 1 / 4;

class Account {
  running = 0;
  /** In the order of their turns. */
  readonly queues = new Set<EndpointQueue>();
}

/**
 * Runs attempts in turns: accounts take turns, and within an account its endpoints. The limits for each endpoint and each
 * account keep one that hangs from delaying the others.
 */
export class AttemptScheduler {
  readonly #options: AttemptSchedulerOptions;
  readonly #accountConcurrency: number;
  /** In the order of their turns. */
  readonly #accounts = new Map<string, Account>();
  readonly #queues = new Map<string, EndpointQueue>();
  /** Queues of the attempts that wait or run, by key. */
  readonly #queueOf = new Map<string, EndpointQueue>();
  readonly #running = new Set<Promise<void>>();
  #closed = false;

  constructor(options: AttemptSchedulerOptions) {
    this.#options = options;
    const { concurrency, endpointConcurrency } = options;
    this.#accountConcurrency = Math.max(endpointConcurrency, Math.ceil(concurrency * ACCOUNT_SHARE));
  }

  /** Attempts in flight. */
  get running(): number {
    return this.#running.size;
  }

  /** Runs the attempt when its turn comes. Does nothing if its key waits or runs already, or after `close`. */
  add(attempt: QueuedAttempt): void {
    if (this.#closed || this.#queueOf.has(attempt.key)) return;
    const queue = this.#queueFor(attempt);
    this.#queueOf.set(attempt.key, queue);
    queue.add(attempt);
    if (attempt.isFailing) queue.works = false;
    this.#startAll();
  }

  /** Removes an attempt that has not begun. */
  remove(key: string): void {
    const queue = this.#queueOf.get(key);
    if (!queue?.remove(key)) return;
    this.#queueOf.delete(key);
    this.#dropIfIdle(queue);
  }

  /** Records whether the last attempt of a queue succeeded. */
  note(queueName: string, succeeded: boolean): void {
    const queue = this.#queues.get(queueName);
    if (!queue) return;
    queue.works = succeeded;
    this.#startAll();
  }

  /** Begins no more attempts, and resolves when none is in flight. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const queue of this.#queues.values()) queue.clear();
    await Promise.all(this.#running);
  }

  #queueFor({ queue: name, account: accountName }: QueuedAttempt): EndpointQueue {
    const queue = this.#queues.get(name) ?? new EndpointQueue(name, accountName);
    const account = this.#accounts.get(accountName) ?? new Account();
    this.#queues.set(name, queue);
    this.#accounts.set(accountName, account);
    account.queues.add(queue);
    return queue;
  }

  #startAll(): void {
    while (this.#running.size < this.#options.concurrency && this.#startNext());
  }

  #startNext(): boolean {
    for (const [name, account] of this.#accounts) {
      const attempt = this.#nextOf(account);
      if (!attempt) continue;
      this.#accounts.delete(name);
      this.#accounts.set(name, account);
      this.#start(account, attempt);
      return true;
    }
    return false;
  }

  #nextOf(account: Account): QueuedAttempt | undefined {
    if (account.running >= this.#accountConcurrency) return undefined;
    for (const queue of account.queues) {
      const attempt = queue.running < this.#concurrencyOf(queue) ? queue.first() : undefined;
      if (attempt) return attempt;
    }
    return undefined;
  }

  #concurrencyOf({ works }: EndpointQueue): number {
    const { endpointConcurrency } = this.#options;
    return works ? endpointConcurrency : Math.min(UNPROVEN_CONCURRENCY, endpointConcurrency);
  }

  #start(account: Account, attempt: QueuedAttempt): void {
    const queue = this.#queueFor(attempt);
    account.queues.delete(queue);
    account.queues.add(queue);
    queue.begin(attempt);
    account.running += 1;
    const running = attempt.run().finally(() => {
      this.#running.delete(running);
      this.#queueOf.delete(attempt.key);
      account.running -= 1;
      queue.end(attempt);
      this.#dropIfIdle(queue);
      this.#startAll();
    });
    this.#running.add(running);
  }

  #dropIfIdle(queue: EndpointQueue): void {
    if (!queue.isIdle) return;
    this.#queues.delete(queue.name);
    const account = this.#accounts.get(queue.account);
    account?.queues.delete(queue);
    if (account?.queues.size === 0) this.#accounts.delete(queue.account);
  }
}

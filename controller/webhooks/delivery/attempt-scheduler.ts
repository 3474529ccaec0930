import type { WebhooksConfig } from '../config.ts';

/** One attempt that waits for its turn. */
export interface QueuedAttempt {
  /** Unique among the attempts that wait or run. */
  readonly key: string;
  /** Names the queue. No two accounts share one. */
  readonly queue: string;
  readonly account: string;
  /** At most one attempt of a group and queue runs at a time. @default no group */
  readonly group?: string;
  /** Whether the last attempt to the endpoint failed. @default unknown */
  readonly isFailing?: boolean;
  /** Never rejects. */
  run(): Promise<void>;
}

/** Attempts in flight to an endpoint that fails, or that has not succeeded yet. */
const UNPROVEN_CONCURRENCY = 2;
const ACCOUNT_SHARE = 1 / 4;

interface Account {
  readonly name: string;
  /** In the order of their turns. */
  readonly queues: Set<EndpointQueue>;
  running: number;
}

/** The attempts to one endpoint. */
interface EndpointQueue {
  readonly name: string;
  readonly account: Account;
  /** By key, in order. */
  readonly waiting: Map<string, QueuedAttempt>;
  readonly runningGroups: Set<string>;
  running: number;
  /** Whether the last attempt succeeded. False until the first one ends. */
  works: boolean;
}

/**
 * Runs attempts in turns: accounts take turns, and within an account its endpoints. The limits for each endpoint and each
 * account keep one that hangs from delaying the others. One account may use a quarter of all attempts, but always enough
 * for one endpoint.
 */
export class AttemptScheduler {
  readonly #concurrency: number;
  readonly #endpointConcurrency: number;
  readonly #accountConcurrency: number;
  /** In the order of their turns. */
  readonly #accounts = new Map<string, Account>();
  readonly #queues = new Map<string, EndpointQueue>();
  /** Queues of the attempts that wait or run, by key. */
  readonly #queueOf = new Map<string, EndpointQueue>();
  readonly #running = new Set<Promise<void>>();
  #closed = false;

  constructor({
    concurrency,
    endpointConcurrency,
  }: Pick<WebhooksConfig, 'concurrency' | 'endpointConcurrency'>) {
    this.#concurrency = concurrency;
    this.#endpointConcurrency = endpointConcurrency;
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
    queue.waiting.set(attempt.key, attempt);
    if (attempt.isFailing) queue.works = false;
    this.#startAll();
  }

  /** Removes an attempt that has not begun. */
  remove(key: string): void {
    const queue = this.#queueOf.get(key);
    if (!queue?.waiting.delete(key)) return;
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
    for (const queue of this.#queues.values()) queue.waiting.clear();
    await Promise.all(this.#running);
  }

  #queueFor({ queue: name, account: accountName }: QueuedAttempt): EndpointQueue {
    const known = this.#queues.get(name);
    if (known) return known;
    const account = this.#accounts.get(accountName) ?? { name: accountName, queues: new Set(), running: 0 };
    const counts = { running: 0, works: false };
    const queue = { name, account, waiting: new Map(), runningGroups: new Set<string>(), ...counts };
    this.#accounts.set(accountName, account);
    this.#queues.set(name, queue);
    account.queues.add(queue);
    return queue;
  }

  #startAll(): void {
    while (this.#running.size < this.#concurrency && this.#startNext());
  }

  #startNext(): boolean {
    for (const account of this.#accounts.values()) {
      if (account.running >= this.#accountConcurrency) continue;
      for (const queue of account.queues) {
        const attempt = this.#nextOf(queue);
        if (!attempt) continue;
        this.#start(queue, attempt);
        return true;
      }
    }
    return false;
  }

  /** Returns the first attempt whose group is not running, if one more may run. */
  #nextOf({ works, running, waiting, runningGroups }: EndpointQueue): QueuedAttempt | undefined {
    const limit = works
      ? this.#endpointConcurrency
      : Math.min(UNPROVEN_CONCURRENCY, this.#endpointConcurrency);
    if (running >= limit) return undefined;
    for (const attempt of waiting.values()) {
      if (attempt.group === undefined || !runningGroups.has(attempt.group)) return attempt;
    }
    return undefined;
  }

  #start(queue: EndpointQueue, attempt: QueuedAttempt): void {
    const { key, group } = attempt;
    const { account } = queue;
    // Both have had their turn.
    this.#accounts.delete(account.name);
    this.#accounts.set(account.name, account);
    account.queues.delete(queue);
    account.queues.add(queue);
    queue.waiting.delete(key);
    queue.running += 1;
    account.running += 1;
    if (group !== undefined) queue.runningGroups.add(group);
    const running = attempt.run().finally(() => {
      this.#running.delete(running);
      this.#queueOf.delete(key);
      account.running -= 1;
      queue.running -= 1;
      if (group !== undefined) queue.runningGroups.delete(group);
      this.#dropIfIdle(queue);
      this.#startAll();
    });
    this.#running.add(running);
  }

  #dropIfIdle(queue: EndpointQueue): void {
    if (queue.running > 0 || queue.waiting.size > 0) return;
    const { name, account } = queue;
    this.#queues.delete(name);
    account.queues.delete(queue);
    if (account.queues.size === 0) this.#accounts.delete(account.name);
  }
}

import { FairQueue } from '../../scheduling/fair-queue.ts';
import { byPriority, PRIORITIES, PriorityTurns, type Priority } from '../../scheduling/priority.ts';
import type { Clock } from '../../async/clock.ts';
import { backoffDelay, type Backoff } from './backoff.ts';

export interface WorkQueueOptions {
  readonly clock: Clock;
  /** For keys added by `addRateLimited`. @default 5 ms doubling up to 5 minutes */
  readonly backoff?: Backoff;
  /** In [0, 1), for jitter. @default Math.random */
  readonly random?: () => number;
  /** Priority of a key, read when it is added. @default asynchronous */
  readonly priorityOf?: (key: string) => Priority | undefined;
  /** Groups of keys take turns. @default one group */
  readonly groupOf?: (key: string) => string;
}

const DEFAULT_BACKOFF: Backoff = { baseMs: 5, capMs: 5 * 60_000 };

interface Delayed {
  readonly due: number;
  readonly cancel: () => void;
}

/**
 * A queue of keys. A key is queued once however often it is added, and never processed twice at the same time: a key
 * added during its processing is queued again after `done`. Higher priorities come first, but lower ones get their
 * share of the turns. Within a priority, groups take turns, and order within a group is first in, first out.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #backoff: Backoff;
  readonly #random: () => number;
  readonly #priorityOf: (key: string) => Priority | undefined;
  readonly #groupOf: (key: string) => string;
  readonly #turns = new PriorityTurns();
  #waiting = emptyLines();
  readonly #processing = new Set<string>();
  /** Keys being processed that are queued again after `done`. */
  readonly #again = new Set<string>();
  readonly #delayed = new Map<string, Delayed>();
  readonly #failures = new Map<string, number>();
  /** Pending calls to `get`, in order of arrival. */
  readonly #takers = new Set<(key: string | undefined) => void>();
  readonly #drained = Promise.withResolvers<void>();
  #draining = false;

  constructor(options: WorkQueueOptions) {
    this.#clock = options.clock;
    this.#backoff = options.backoff ?? DEFAULT_BACKOFF;
    this.#random = options.random ?? Math.random;
    this.#priorityOf = options.priorityOf ?? (() => undefined);
    this.#groupOf = options.groupOf ?? (() => '');
  }

  /** Number of waiting keys; keys that are being processed or delayed do not count. */
  get length(): number {
    return PRIORITIES.reduce((sum, priority) => sum + this.#waiting[priority].length, 0);
  }

  add(key: string): void {
    if (this.#draining || this.#isWaiting(key)) return;
    if (this.#processing.has(key)) {
      this.#again.add(key);
      return;
    }
    const [taker] = this.#takers;
    if (!taker) {
      this.#waiting[this.#priorityOf(key) ?? 'asynchronous'].push(key, this.#groupOf(key));
      return;
    }
    this.#takers.delete(taker);
    this.#processing.add(key);
    taker(key);
  }

  /**
   * Adds the key after a delay. If there are two delays, the earlier one wins; an `add` in between does not cancel the
   * delay.
   */
  addAfter(key: string, milliseconds: number): void {
    if (this.#draining) return;
    if (milliseconds <= 0) {
      this.add(key);
      return;
    }
    const due = this.#clock.monotonicMs() + milliseconds;
    const known = this.#delayed.get(key);
    if (known && known.due <= due) return;
    known?.cancel();
    const cancel = this.#clock.schedule(milliseconds, () => {
      this.#delayed.delete(key);
      this.add(key);
    });
    this.#delayed.set(key, { due, cancel });
  }

  /**
   * Adds the key after its backoff, which doubles each time until `forget`. `atLeastMs` is a minimum for this delay
   * only.
   */
  addRateLimited(key: string, atLeastMs = 0): void {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    this.addAfter(key, Math.max(atLeastMs, backoffDelay(this.#backoff, failures, this.#random)));
  }

  /** Resets the backoff of the key. */
  forget(key: string): void {
    this.#failures.delete(key);
  }

  /** Number of `addRateLimited` calls for the key since the last `forget`. */
  retries(key: string): number {
    return this.#failures.get(key) ?? 0;
  }

  /**
   * Resolves with the next key, or with undefined once the queue drains. The key counts as being processed until
   * `done`.
   */
  async get(): Promise<string | undefined> {
    if (this.#draining) return undefined;
    const priority = this.#turns.next((priority) => this.#waiting[priority].length > 0);
    const key = priority && this.#waiting[priority].shift();
    if (key === undefined) return this.#take();
    this.#processing.add(key);
    return key;
  }

  /** Marks a key that `get` returned as processed. */
  done(key: string): void {
    this.#processing.delete(key);
    if (this.#again.delete(key)) this.add(key);
    if (this.#draining && this.#processing.size === 0) this.#drained.resolve();
  }

  /** Stops accepting and returning keys, drops waiting keys, and resolves when no key is being processed. */
  async drain(): Promise<void> {
    this.#draining = true;
    for (const { cancel } of this.#delayed.values()) cancel();
    this.#delayed.clear();
    this.#waiting = emptyLines();
    for (const taker of this.#takers) taker(undefined);
    this.#takers.clear();
    if (this.#processing.size === 0) this.#drained.resolve();
    await this.#drained.promise;
  }

  #isWaiting(key: string): boolean {
    return PRIORITIES.some((priority) => this.#waiting[priority].has(key));
  }

  #take(): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    this.#takers.add(resolve);
    return promise;
  }
}

function emptyLines(): Readonly<Record<Priority, FairQueue>> {
  return byPriority(() => new FairQueue());
}

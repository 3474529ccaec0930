import { byPriority, type Priority } from '../scheduling/priority.ts';
import type { Clock } from '../async/clock.ts';
import { RunningAccounts } from '../scheduling/running-accounts.ts';
import type { RenderTask, WorkerOptions } from './port.ts';

/**
 * Time that other tasks yield after an interactive task, in milliseconds: another interactive task often follows soon.
 */
const YIELD_MS = 500;

type SlotTask = Pick<RenderTask, 'id' | 'queue' | 'account' | 'exclusive'>;

/**
 * Slots of a worker: limits its active tasks, in total and per queue. One extra slot, the spare, is for a task of an
 * account that has no other active task here. As soon as a regular slot is free for this task, it moves there:
 * otherwise its account could take that slot, too, and occupy all slots plus the spare.
 */
export class WorkerSlots {
  readonly #concurrency: number;
  /** Maximum number of active non-interactive tasks. */
  readonly #unattended: number;
  readonly #batchConcurrency: number;
  /** Slots in use, not counting the spare. */
  readonly #taken = byPriority(() => 0);
  readonly #running = new RunningAccounts();
  #spare: SlotTask | undefined;
  readonly #clock: Pick<Clock, 'schedule'>;
  readonly #onFree: () => void;
  /** Set while other tasks yield after an interactive task. */
  #cancelYield: (() => void) | undefined;
  /** Set while the worker holds an exclusive task; resolves when it holds no other task. */
  #exclusive: PromiseWithResolvers<void> | undefined;

  /**
   * `onFree` is called when slots become free after a delay rather than by `free`. Throws RangeError if a number is not
   * a positive integer.
   */
  constructor(
    { concurrency, batchConcurrency }: WorkerOptions,
    clock: Pick<Clock, 'schedule'>,
    onFree: () => void,
  ) {
    this.#clock = clock;
    this.#onFree = onFree;
    this.#concurrency = atLeastOne(concurrency, 'concurrency');
    // Only interactive tasks take the last slot; a worker with a single slot shares it.
    this.#unattended = Math.max(1, this.#concurrency - 1);
    const most = atLeastOne(batchConcurrency ?? this.#unattended, 'batchConcurrency');
    this.#batchConcurrency = Math.min(this.#unattended, most);
  }

  isFree(queue: Priority): boolean {
    const { interactive, asynchronous, batch } = this.#taken;
    if (this.#exclusive || interactive + asynchronous + batch >= this.#concurrency) return false;
    if (queue === 'interactive') return true;
    if (asynchronous + batch >= (this.#yields ? this.#batchConcurrency : this.#unattended)) return false;
    return queue === 'asynchronous' || batch < this.#batchConcurrency;
  }

  /** Whether the spare is free. */
  get hasSpare(): boolean {
    return !this.#exclusive && this.#spare === undefined;
  }

  /** Accounts that currently have active tasks. */
  get accounts(): ReadonlySet<string> {
    return this.#running.accounts;
  }

  /** Whether a task of the account may take the spare slot. */
  maySpare(account: string): boolean {
    return this.hasSpare && !this.#running.has(account);
  }

  /** Takes a slot for the queue, or the spare if no other is free. */
  take(task: SlotTask): void {
    const { queue, account, exclusive } = task;
    if (this.isFree(queue)) this.#taken[queue] += 1;
    else this.#spare = task;
    this.#running.add(account);
    if (exclusive !== true) return;
    this.#exclusive = Promise.withResolvers();
    this.#checkExclusive();
  }

  free({ id, queue, account, exclusive }: SlotTask): void {
    if (this.#spare?.id === id) this.#spare = undefined;
    else this.#taken[queue] -= 1;
    this.#running.remove(account);
    if (queue === 'interactive') this.#yield();
    if (exclusive === true) this.#exclusive = undefined;
    this.#checkExclusive();
    this.#moveSpare();
  }

  /** Stops the timer. */
  close(): void {
    this.#cancelYield?.();
  }

  /** Resolves when the worker holds only the exclusive task. */
  async untilExclusive(): Promise<void> {
    await this.#exclusive?.promise;
  }

  get #yields(): boolean {
    return this.#taken.interactive > 0 || this.#cancelYield !== undefined;
  }

  #yield(): void {
    if (this.#batchConcurrency === this.#unattended) return;
    this.close();
    this.#cancelYield = this.#clock.schedule(YIELD_MS, () => {
      this.#cancelYield = undefined;
      this.#moveSpare();
      this.#onFree();
    });
  }

  #moveSpare(): void {
    if (!this.#spare || !this.isFree(this.#spare.queue)) return;
    this.#taken[this.#spare.queue] += 1;
    this.#spare = undefined;
  }

  #checkExclusive(): void {
    if (this.#running.total === 1) this.#exclusive?.resolve();
  }
}

function atLeastOne(value: number, name: string): number {
  if (Number.isInteger(value) && value >= 1) return value;
  throw new RangeError(`${name} must be a positive integer, not ${value}`);
}

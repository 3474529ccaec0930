import type { Clock } from '../async/clock.ts';
import { FairQueue } from './fair-queue.ts';
import type { Priority } from './priority.ts';
import { RunningAccounts } from './running-accounts.ts';

/** Time that an account with nothing running waits for a slot before it may use the spare, in milliseconds. */
export const SPARE_AFTER_MS = 500;
/** Time that an unused spare is kept, in milliseconds: starting one takes longer than most requests. */
const SPARE_IDLE_MS = 60_000;
/** Number of consecutive interactive requests that may overtake other waiting requests. */
const MAX_OVERTAKES = 4;

/** Starts and stops the spare slot. */
export interface Spare<Slot> {
  create(): Slot;
  /** Must lead to `offer`. If it rejects, another spare is created later. */
  start(slot: Slot): Promise<void>;
  stop(slot: Slot): Promise<void>;
}

export interface AccountSlotsOptions<Slot> {
  /** Number of slots, excluding the spare. */
  readonly size: number;
  readonly spare: Spare<Slot>;
  /** Whether a slot is preferable for the account. @default never */
  readonly prefers?: (slot: Slot, account: string) => boolean;
  readonly clock: Clock;
}

export interface SlotTurn {
  readonly account: string;
  readonly signal: AbortSignal;
  /** @default interactive */
  readonly priority?: Priority | undefined;
}

interface Waiting<Slot> {
  readonly account: string;
  readonly sinceMs: number;
  readonly start: (slot: Slot) => void;
  readonly reject: (reason: Error) => void;
}

/**
 * Shares slots between accounts (docs/adr/0042-fair-slots.md). Free slots go first to accounts with nothing running,
 * then to accounts in turn. One account may use all slots except the spare, which starts when an account with nothing
 * running has waited for 500 ms, is used only by such accounts, and stops after a minute without use. Within this
 * order, interactive requests overtake others, at most four times in a row.
 */
export class AccountSlots<Slot> {
  readonly #options: AccountSlotsOptions<Slot>;
  readonly #free = new Set<Slot>();
  readonly #running = new RunningAccounts();
  readonly #interactive = new FairQueue();
  readonly #others = new FairQueue();
  /** By their IDs in the queues, in order of arrival. */
  readonly #waiting = new Map<string, Waiting<Slot>>();
  #arrivals = 0;
  #overtakes = 0;
  #spare: Slot | undefined;
  #cancelWatch: (() => void) | undefined;
  #cancelEnd: (() => void) | undefined;
  #starting: Promise<void> | undefined;
  #ending: Promise<void> | undefined;
  #stopped: Error | undefined;

  constructor(options: AccountSlotsOptions<Slot>) {
    this.#options = options;
  }

  /** The spare, if it is running or starting. */
  get spare(): Slot | undefined {
    return this.#spare;
  }

  /** Number of waiting requests. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Number of one account's waiting requests. */
  waitingOf(account: string): number {
    return this.#interactive.lengthOf(account) + this.#others.lengthOf(account);
  }

  /**
   * Runs `use` as soon as there is a slot, synchronously if there is one now. The slot is free again after `offer`.
   * Rejects with the signal's reason if it is aborted before a slot is free, with the reason given to `stop`, or with
   * the error from `use`.
   */
  async run<T>({ account, signal, priority }: SlotTurn, use: (slot: Slot) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#stopped) throw this.#stopped;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const line = priority === undefined || priority === 'interactive' ? this.#interactive : this.#others;
    this.#arrivals += 1;
    const id = String(this.#arrivals);
    const onAbort = () => {
      line.remove(id);
      this.#waiting.delete(id);
      reject(signal.reason);
    };
    const start = (slot: Slot) => {
      signal.removeEventListener('abort', onAbort);
      resolve(use(slot).finally(() => this.#leave(account)));
    };
    line.push(id, account);
    this.#waiting.set(id, { account, sinceMs: this.#options.clock.monotonicMs(), start, reject });
    signal.addEventListener('abort', onAbort);
    this.#serve();
    return promise;
  }

  /** The slot is free. */
  offer(slot: Slot): void {
    if (this.#stopped) return;
    this.#free.add(slot);
    this.#serve();
    if (slot !== this.#spare || !this.#free.has(slot)) return;
    this.#cancelEnd?.();
    this.#cancelEnd = this.#options.clock.schedule(SPARE_IDLE_MS, () => this.#endSpare(slot));
  }

  /** A released slot cannot be used until it is offered again. */
  withdraw(slot: Slot): void {
    this.#free.delete(slot);
  }

  /** Rejects waiting and later requests with the reason and stops the spare. The caller owns the other slots. */
  async stop(reason: Error): Promise<void> {
    this.#stopped = reason;
    this.#cancelWatch?.();
    this.#cancelEnd?.();
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
    if (this.#spare !== undefined) await this.#options.spare.stop(this.#spare);
    await Promise.all([this.#starting, this.#ending]);
  }

  #leave(account: string): void {
    this.#running.remove(account);
    this.#serve();
  }

  #serve(): void {
    for (let id = this.#next(); id !== undefined; id = this.#next()) {
      const next = this.#waiting.get(id);
      const slot = next && this.#slotFor(next.account);
      if (!next || slot === undefined) return;
      this.#waiting.delete(id);
      this.#free.delete(slot);
      this.#running.add(next.account);
      next.start(slot);
    }
    this.#watch();
  }

  /** Returns the request that gets the next slot. */
  #next(): string | undefined {
    if (this.#free.size === 0) return undefined;
    const newcomer = this.#shift((account) => !this.#running.has(account));
    if (newcomer !== undefined || this.#running.total >= this.#options.size) return newcomer;
    return this.#normal.length > 0 ? this.#shift(() => true) : undefined;
  }

  #shift(isWanted: (account: string) => boolean): string | undefined {
    const lines = [this.#interactive, this.#others] as const;
    const [first, second] = this.#overtakes < MAX_OVERTAKES ? lines : lines.toReversed();
    const waitingOthers = this.#others.length;
    const id = first?.shift(isWanted) ?? second?.shift(isWanted);
    if (id === undefined) return undefined;
    const overtook = waitingOthers > 0 && this.#others.length === waitingOthers;
    this.#overtakes = overtook ? this.#overtakes + 1 : 0;
    return id;
  }

  /** The last slot is the most recently used. */
  #slotFor(account: string): Slot | undefined {
    const { prefers = () => false } = this.#options;
    const normal = this.#normal;
    return normal.findLast((slot) => prefers(slot, account)) ?? normal.at(-1) ?? this.#spare;
  }

  /** Free slots, excluding the spare. */
  get #normal(): Slot[] {
    return [...this.#free].filter((slot) => slot !== this.#spare);
  }

  /** Starts the spare when an account with nothing running has waited for a while, but not before `leastMs`. */
  #watch(leastMs = 0): void {
    if (this.#cancelWatch || this.#spare !== undefined) return;
    const oldest = this.#oldestNewcomer;
    if (!oldest) return;
    const { clock } = this.#options;
    const leftMs = oldest.sinceMs + SPARE_AFTER_MS - clock.monotonicMs();
    this.#cancelWatch = clock.schedule(Math.max(leastMs, leftMs), () => {
      this.#cancelWatch = undefined;
      if (this.#oldestNewcomer === oldest) this.#starting = this.#startSpare();
      else this.#watch();
    });
  }

  /** Undefined while nothing is running: the slots are still starting, and a spare would not be ready before them. */
  get #oldestNewcomer(): Waiting<Slot> | undefined {
    if (this.#running.total === 0) return undefined;
    return [...this.#waiting.values()].find(({ account }) => !this.#running.has(account));
  }

  async #startSpare(): Promise<void> {
    const { spare } = this.#options;
    const slot = spare.create();
    this.#spare = slot;
    try {
      await spare.start(slot);
    } catch {
      this.#spare = undefined;
      this.#watch(SPARE_AFTER_MS);
    }
  }

  #endSpare(slot: Slot): void {
    if (!this.#free.delete(slot)) return;
    this.#spare = undefined;
    this.#ending = this.#options.spare.stop(slot);
  }
}

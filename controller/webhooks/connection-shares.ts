import type { Clock } from '@trifold/platform/clock.ts';

export interface ConnectionSharesOptions {
  /** Connections of all accounts together, without those of slow attempts: of these there may be half as many besides. */
  readonly most: number;
  readonly clock: Clock;
  /** Told of each attempt that turned out to be slow: there may be room for another. */
  readonly onSlow: () => void;
}

/** An attempt that takes longer is slow. */
const SLOW_MS = 2_000;

class Taken {
  all = 0;
  slow = 0;

  /** Those that count where so many slow ones do not. */
  besides(slow: number): number {
    return this.all - Math.min(this.slow, slow);
  }
}

/**
 * Shares connections among accounts: each has half of what there is. A slow attempt counts no more, so that what hangs
 * for half a minute keeps the account's own other endpoints waiting for two seconds at most; but of attempts that are
 * slow this goes for half as many only, of one account for half of these. The others count until they end.
 */
export class ConnectionShares {
  readonly #options: ConnectionSharesOptions;
  readonly #taken = new Taken();
  readonly #takenBy = new Map<string, Taken>();

  constructor(options: ConnectionSharesOptions) {
    this.#options = options;
  }

  /** Half of all connections. */
  get half(): number {
    return Math.ceil(this.#options.most / 2);
  }

  get isFull(): boolean {
    return this.#taken.besides(this.half) >= this.#options.most;
  }

  /** Whether the account has a connection left, as long as there is one at all. */
  hasRoomFor(account: string): boolean {
    const quarter = Math.ceil(this.#options.most / 4);
    return (this.#takenBy.get(account)?.besides(quarter) ?? 0) < this.half;
  }

  /** Takes one; the function that it answers gives it back. */
  take(account: string): () => void {
    const taken = this.#takenBy.get(account) ?? new Taken();
    this.#takenBy.set(account, taken);
    const both = [this.#taken, taken];
    for (const of of both) of.all += 1;
    let isSlow = false;
    const cancel = this.#options.clock.schedule(SLOW_MS, () => {
      isSlow = true;
      for (const of of both) of.slow += 1;
      this.#options.onSlow();
    });
    return () => {
      cancel();
      for (const of of both) {
        of.all -= 1;
        if (isSlow) of.slow -= 1;
      }
      if (taken.all === 0) this.#takenBy.delete(account);
    };
  }
}

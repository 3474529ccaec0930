import type { Clock } from '@trifold/platform/service/clock.ts';

export interface ConnectionSharesOptions {
  /**
   * Connections of all accounts together, without those of slow attempts and the reserve: of the former there may be
   * half as many besides, of the latter as many.
   */
  readonly most: number;
  readonly clock: Clock;
}

/** What a connection is taken for. */
export interface Taking {
  readonly account: string;
  /** Whether it is one of the reserve. */
  readonly isReserve: boolean;
  /** Told when the attempt turns out to be slow: there may be room for another. */
  readonly onSlow: () => void;
}

/** An attempt that takes longer is slow. */
export const SLOW_MS = 2_000;

class Taken {
  all = 0;
  slow = 0;
  reserve = 0;

  /** Those that count where so many slow ones do not. */
  besides(slow: number): number {
    return this.all - Math.min(this.slow, slow);
  }
}

/**
 * Shares connections among accounts: each has half of what there is. A slow attempt counts no more, so that what hangs
 * for half a minute keeps the account's own other endpoints waiting for two seconds at most; but of attempts that are
 * slow this goes for half as many only, of one account for half of these. The others count until they end. For who has
 * none while all of this is taken there is a reserve, of which each account has half, too.
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

  /** Whether there is a connection for the account. */
  hasRoomFor(account: string): boolean {
    return this.#countsOf(account) < this.half && this.#counts < this.#options.most;
  }

  /** Whether half of what the account may have is free, and half of everything: enough to be generous. */
  hasPlentyFor(account: string): boolean {
    return this.#countsOf(account) < Math.ceil(this.half / 2) && this.#counts < this.half;
  }

  /** Whether there is a connection for the account in the reserve. */
  hasReserveFor(account: string): boolean {
    const { reserve = 0 } = this.#takenBy.get(account) ?? {};
    return reserve < this.half && this.#taken.reserve < this.#options.most;
  }

  /** Takes one; the function that it answers gives it back. */
  take({ account, isReserve, onSlow }: Taking): () => void {
    const taken = this.#takenBy.get(account) ?? new Taken();
    this.#takenBy.set(account, taken);
    const both = [this.#taken, taken];
    const kind = isReserve ? 'reserve' : 'all';
    for (const of of both) of[kind] += 1;
    let isSlow = false;
    const cancel = this.#options.clock.schedule(SLOW_MS, () => {
      isSlow = true;
      if (!isReserve) for (const of of both) of.slow += 1;
      onSlow();
    });
    return () => {
      cancel();
      for (const of of both) {
        of[kind] -= 1;
        if (isSlow && !isReserve) of.slow -= 1;
      }
      if (taken.all + taken.reserve === 0) this.#takenBy.delete(account);
    };
  }

  get #counts(): number {
    return this.#taken.besides(this.half);
  }

  #countsOf(account: string): number {
    return this.#takenBy.get(account)?.besides(Math.ceil(this.#options.most / 4)) ?? 0;
  }
}

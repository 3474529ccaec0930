import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { unavailable, type ApiError } from '../errors/api-error.ts';

/** Time without reads after which an account is no longer cached. */
const IDLE_MS = 2 * 60_000;

/** Limits of the caches; the least recently read ones are dropped first. */
export interface CacheLimits {
  /** Maximum number of cached accounts. */
  readonly accounts: number;
  /** Maximum total size of all accounts' entries as JSON, in bytes; a single account may exceed it. */
  readonly bytes: number;
}

/** Default limits for each kind of list. */
const LIMITS: CacheLimits = { accounts: 100, bytes: BOUNDS.listedWork.total.value };

/** One account's data that lists use. */
export interface CachedAccount {
  /** Size of the account's entries in memory as JSON, in bytes, or an upper bound. */
  readonly bytes: number;
  /** Waiting calls reject with `why`. */
  stop(why: ApiError): Promise<void>;
}

export interface AccountCachesOptions<C extends CachedAccount> {
  /** Singular and plural names of the list in messages, such as `delivery log` and `delivery logs`. */
  readonly nouns: { readonly one: string; readonly many: string };
  /** Starts caching an account. The cache calls `onGrowth` when it has grown. */
  readonly open: (account: string, onGrowth: () => void) => C;
  readonly clock: Clock;
  /** @default 100 accounts and 96 MiB */
  readonly limits?: CacheLimits | undefined;
}

interface Cached<C> {
  readonly cache: C;
  readonly cancelIdle: () => void;
}

/**
 * Per-account caches for lists. The API server lists the oldest resources first and cannot count filtered results, so
 * every page would read every resource of the account. A watch on all accounts would send each gateway several events
 * per document, and few of them would be read. So an account is cached from the first read of its list until two
 * minutes after the last read.
 */
export class AccountCaches<C extends CachedAccount> {
  readonly #options: AccountCachesOptions<C>;
  readonly #limits: CacheLimits;
  /** By account, in order of last read. */
  readonly #cached = new Map<string, Cached<C>>();

  constructor(options: AccountCachesOptions<C>) {
    this.#options = options;
    this.#limits = options.limits ?? LIMITS;
  }

  /** Returns the cache of an account that is about to be read. */
  get(account: string): C {
    const { nouns, clock, open } = this.#options;
    const known = this.#cached.get(account);
    known?.cancelIdle();
    const cache = known?.cache ?? open(account, () => this.#makeRoom());
    const idle = unavailable(`The ${nouns.one} is being reloaded. Try again in a moment.`);
    const cancelIdle = clock.schedule(IDLE_MS, () => void this.#drop(account, idle));
    this.#cached.delete(account);
    this.#cached.set(account, { cache, cancelIdle });
    this.#makeRoom();
    return cache;
  }

  /** Returns the cache of an account, if any. */
  find(account: string): C | undefined {
    return this.#cached.get(account)?.cache;
  }

  async stop(): Promise<void> {
    const why = unavailable('The service is stopping.');
    await Promise.all([...this.#cached.keys()].map(async (account) => this.#drop(account, why)));
  }

  /** The most recently read account is kept, regardless of its size. */
  #makeRoom(): void {
    const { many } = this.#options.nouns;
    const sizes = [...this.#cached].map(([account, { cache }]) => ({ account, bytes: cache.bytes }));
    let total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { account, bytes } of sizes.slice(0, -1)) {
      if (this.#cached.size <= this.#limits.accounts && total <= this.#limits.bytes) return;
      total -= bytes;
      void this.#drop(account, unavailable(`Too many ${many} are loading. Try again in a moment.`));
    }
  }

  async #drop(account: string, why: ApiError): Promise<void> {
    const cached = this.#cached.get(account);
    this.#cached.delete(account);
    cached?.cancelIdle();
    await cached?.cache.stop(why);
  }
}

import type { KeyMode } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import {
  emailTotalsKey,
  encodeEmailTotals,
  endOfUsageDay,
} from '@trifold/platform/records/usage/email-totals.ts';
import { dayOf } from '@trifold/platform/records/usage/work-usage.ts';
import type { Caller } from '../server/auth/caller.ts';
import type { KeyCache } from '../server/auth/key-cache.ts';

/** Maximum delay between compiling an email and starting its write. */
const WRITE_AFTER_MS = 2_000;
/** Pause before a failed write is retried. */
const RETRY_AFTER_MS = 1_000;
/** Maximum time that a stopping gateway retries its writes. */
const LAST_WRITES_MS = 2_000;
const LAST_PAUSE_MS = 100;
/**
 * Time after the end of a day during which its count may still be written; the count becomes final a day after the end.
 */
const WRITTEN_FOR_MS = 20 * 60 * 60 * 1000;

export interface EmailCountsOptions {
  readonly store: Pick<ObjectStore, 'put'>;
  readonly accounts: Pick<KeyCache, 'accountUid'>;
  /** Unique to this run of the process: nothing else ever writes under it. */
  readonly gateway: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** By account uid. */
type DayTotals = Map<string, Record<KeyMode, number>>;

/**
 * Counts compiled emails and writes this gateway's daily totals for all accounts into one object. Totals only grow, so
 * a repeated or delayed write is harmless. A crash loses the counts that are not yet written.
 */
export class EmailCounts {
  readonly #options: EmailCountsOptions;
  readonly #days = new Map<string, DayTotals>();
  /** Days with unwritten counts. */
  readonly #due = new Set<string>();
  #cancel: (() => void) | undefined;
  #writing: Promise<void> | undefined;
  #stopped = false;

  constructor(options: EmailCountsOptions) {
    this.#options = options;
  }

  /** Counts one email, unless its account has been deleted. Returns immediately. */
  note({ account, mode }: Caller): void {
    const uid = this.#options.accounts.accountUid(account);
    if (uid === undefined) return;
    const day = dayOf(this.#options.clock.now());
    const totals: DayTotals = this.#days.get(day) ?? new Map<string, Record<KeyMode, number>>();
    const count = totals.get(uid) ?? { live: 0, test: 0 };
    count[mode] += 1;
    this.#days.set(day, totals.set(uid, count));
    this.#due.add(day);
    this.#plan(WRITE_AFTER_MS);
  }

  /** Writes all unwritten counts, with retries for at most two seconds. No email may be counted afterwards. */
  async stop(): Promise<void> {
    const { clock, logger } = this.#options;
    this.#stopped = true;
    this.#cancel?.();
    await clock.withTimeout((signal) => this.#writeAll(signal), LAST_WRITES_MS, {
      onTimeout: () => logger.error('emails not recorded and therefore not counted'),
    });
  }

  async #writeAll(signal: AbortSignal): Promise<void> {
    await this.#writing;
    while (this.#due.size > 0 && !signal.aborted) {
      await this.#write();
      if (this.#due.size > 0) await this.#options.clock.sleep(LAST_PAUSE_MS);
    }
  }

  #plan(delayMs: number): void {
    if (this.#cancel || this.#writing || this.#stopped) return;
    this.#cancel = this.#options.clock.schedule(delayMs, () => {
      this.#cancel = undefined;
      this.#begin();
    });
  }

  #begin(): void {
    this.#writing ??= this.#write().finally(() => {
      this.#writing = undefined;
      if (this.#due.size > 0) this.#plan(RETRY_AFTER_MS);
    });
  }

  /** Never runs concurrently, so that totals reach the store in order. */
  async #write(): Promise<void> {
    const { logger } = this.#options;
    this.#forgetPast();
    // Iterates over a copy, because the loop adds failed days back.
    const due = Array.from(this.#due);
    for (const day of due) {
      const body = encodeEmailTotals(this.#days.get(day) ?? new Map());
      this.#due.delete(day);
      try {
        const { store, gateway } = this.#options;
        await store.put(emailTotalsKey(day, gateway), body, { contentType: 'application/json' });
      } catch (error) {
        this.#due.add(day);
        logger.warn({ err: error, day }, 'email counts not recorded, retrying');
      }
    }
  }

  #forgetPast(): void {
    const { clock, logger } = this.#options;
    const now = clock.now();
    for (const day of this.#days.keys()) {
      if (day === dayOf(now)) continue;
      const isClosed = now.getTime() - endOfUsageDay(day).getTime() > WRITTEN_FOR_MS;
      if (this.#due.has(day) && !isClosed) continue;
      if (this.#due.delete(day)) logger.error({ day }, 'failed to record the emails of a past day');
      this.#days.delete(day);
    }
  }
}

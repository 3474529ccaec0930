import { DAY_MS } from '@trifold/crds/retention.ts';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { Logger } from '@trifold/platform/process/logging.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import {
  daysWithEmails,
  emailTotalsPrefix,
  endOfUsageDay,
  readEmailTotals,
  type EmailCount,
  type UnreadableTotals,
} from '@trifold/platform/records/usage/email-totals.ts';
import { dayOf } from '@trifold/platform/records/usage/work-usage.ts';
import { forEachAccount, isSameCount, type UsageReports } from './usage-reports.ts';

/** Time after the end of a day when its count becomes final; until then, a gateway may still write its totals. */
export const EMAILS_SETTLE_MS = DAY_MS;
/**
 * Time for which a day is still treated as current after its end: a gateway may write its totals seconds after an
 * email.
 */
const CURRENT_FOR_MS = 60_000;

export interface EmailAccountingOptions {
  readonly reports: Pick<UsageReports, 'update'>;
  /** Returns the names of the existing accounts, by namespace uid. */
  readonly accounts: () => Promise<ReadonlyMap<string, string>>;
  readonly store: ObjectStore;
  readonly unreadable: UnreadableTotals;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Writes the gateways' totals to the reports as an absolute sum, so that repeating a write changes nothing. One day
 * after its end, a day is closed in every report; its objects are then deleted and no longer count.
 */
export class EmailAccounting {
  readonly #options: EmailAccountingOptions;
  /** Counts for the current days in the reports, by day and account uid. They only avoid reads. */
  #reported = new Map<string, Map<string, EmailCount>>();

  constructor(options: EmailAccountingOptions) {
    this.#options = options;
  }

  /** Writes the emails for the current day and, in the first minute of a day, for the previous day. */
  async updateCurrent(): Promise<void> {
    const days = this.#currentDays();
    this.#reported = new Map(days.map((day) => [day, this.#reported.get(day) ?? new Map()]));
    for (const day of days) await this.#take(day);
  }

  /** Writes the emails for past days. A day that cannot be counted does not delay the others. */
  async updatePast(): Promise<void> {
    const { store, logger } = this.#options;
    const current = this.#currentDays();
    this.#reported.clear();
    for (const day of await daysWithEmails(store)) {
      if (current.includes(day)) continue;
      try {
        await this.#take(day);
      } catch (error) {
        logger.warn({ err: error, day }, "failed to add emails to that day's usage report");
      }
    }
  }

  #currentDays(): string[] {
    const now = this.#options.clock.now();
    return [...new Set([dayOf(new Date(now.getTime() - CURRENT_FOR_MS)), dayOf(now)])];
  }

  async #take(day: string): Promise<void> {
    const { store, clock, accounts, reports } = this.#options;
    let isWhole = true;
    const unreadable: UnreadableTotals = {
      note: (key, error) => {
        isWhole = false;
        this.#options.unreadable.note(key, error);
      },
    };
    const totals = await readEmailTotals(store, day, unreadable);
    // Unreadable totals keep the day open until an operator repairs or deletes them.
    const isFinal = isWhole && endOfUsageDay(day).getTime() + EMAILS_SETTLE_MS <= clock.now().getTime();
    const reported = this.#reported.get(day);
    const changed = [...totals].filter(([uid, count]) => !isKnown(reported?.get(uid), count));
    if (changed.length > 0) {
      const names = await accounts();
      await forEachAccount(changed, async ([uid, count]) => {
        const account = names.get(uid);
        if (account !== undefined) await reports.update(account, day, { count, isFinal });
        reported?.set(uid, count);
      });
    }
    if (isFinal) await store.deletePrefix(emailTotalsPrefix(day));
  }
}

function isKnown(reported: EmailCount | undefined, count: EmailCount): boolean {
  return reported !== undefined && isSameCount(reported, count);
}

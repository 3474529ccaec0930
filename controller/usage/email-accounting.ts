import type { UsageReport } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import { inParallel } from '@trifold/platform/service/in-parallel.ts';
import { isApiError, KubernetesApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import {
  daysWithEmails,
  emailTotalsPrefix,
  endOfUsageDay,
  readEmailTotals,
  type EmailCount,
} from '@trifold/platform/records/usage/email-totals.ts';
import { usageOfReport } from '@trifold/platform/records/usage/usage-counters.ts';
import type { UnreadableTotals } from '@trifold/platform/records/usage/unreadable-totals.ts';
import type { UsageReports } from './usage-reports.ts';

/** Time after the end of a day at which its count becomes final: until then, a gateway may still write its totals. */
export const EMAILS_SETTLE_MS = 24 * 60 * 60 * 1000;

/** Accounts processed at once: few, to leave capacity for the jobs that people wait for. */
const CONCURRENT_ACCOUNTS = 4;

export interface EmailAccountingOptions {
  readonly reports: UsageReports;
  /** Returns the names of the existing accounts, by the uid of their namespace. */
  readonly accounts: () => Promise<ReadonlyMap<string, string>>;
  readonly store: ObjectStore;
  readonly unreadable: UnreadableTotals;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Writes the totals of the gateways to the reports: as an absolute sum, so that repeating it changes nothing. One day
 * after its end, a day is closed in every report; then its objects are deleted and no longer count.
 */
export class EmailAccounting {
  readonly #options: EmailAccountingOptions;

  constructor(options: EmailAccountingOptions) {
    this.#options = options;
  }

  /** A day that cannot be counted does not delay the others. */
  async run(): Promise<void> {
    const { store, accounts, logger } = this.#options;
    const days = await daysWithEmails(store);
    if (days.length === 0) return;
    const names = await accounts();
    for (const day of days) {
      try {
        await this.#take(day, names);
      } catch (error) {
        logger.warn({ err: error, day }, 'failed to add emails to the usage report of their day');
      }
    }
  }

  async #take(day: string, names: ReadonlyMap<string, string>): Promise<void> {
    const { store, clock } = this.#options;
    let isWhole = true;
    const unreadable: UnreadableTotals = {
      note: (key, error) => {
        isWhole = false;
        this.#options.unreadable.note(key, error);
      },
    };
    const totals = await readEmailTotals(store, day, unreadable);
    // Unreadable totals keep the day open until someone repairs or deletes them.
    const isOver = isWhole && endOfUsageDay(day).getTime() + EMAILS_SETTLE_MS <= clock.now().getTime();
    const errors: unknown[] = [];
    await inParallel(totals, CONCURRENT_ACCOUNTS, async ([uid, count]) => {
      const account = names.get(uid);
      if (account === undefined) return;
      try {
        await this.#report(account, day, count, isOver);
      } catch (error) {
        // The other accounts need not wait, unless the server is unavailable or asks to retry later.
        if (!(error instanceof KubernetesApiError) || error.retryable) throw error;
        errors.push(error);
      }
    });
    if (errors.length > 0) throw errors[0];
    if (isOver) await store.deletePrefix(emailTotalsPrefix(day));
  }

  /** Retries once when the report has changed: work of the account may be counted at the same time. */
  async #report(account: string, day: string, emails: EmailCount, isOver: boolean): Promise<void> {
    try {
      await this.#write(account, day, emails, isOver);
    } catch (error) {
      if (!isApiError(error, 'Conflict')) throw error;
      await this.#write(account, day, emails, isOver);
    }
  }

  async #write(account: string, day: string, emails: EmailCount, isOver: boolean): Promise<void> {
    const { reports } = this.#options;
    const report = await this.#findOrCreate(account, day);
    if (!report || report.status?.emailsCounted) return;
    const usage = usageOfReport(report);
    const isKnown = usage.emails.live === emails.live && usage.emails.test === emails.test;
    if (isKnown && !isOver) return;
    const pending = report.status?.pending ?? [];
    await reports.write(report, { usage: { ...usage, emails }, pending, emailsCounted: isOver });
  }

  /** Returns undefined when the account no longer exists. */
  async #findOrCreate(account: string, day: string): Promise<UsageReport | undefined> {
    try {
      return await this.#options.reports.findOrCreate(account, day);
    } catch (error) {
      const isGone = error instanceof KubernetesApiError && (error.code === 404 || isTerminating(error));
      if (isGone) return undefined;
      throw error;
    }
  }
}

function isTerminating({ details }: KubernetesApiError): boolean {
  return details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false;
}

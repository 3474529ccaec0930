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

/** How long after its end a day is counted for good: until then a gateway may still write what it has of it. */
export const EMAILS_SETTLE_MS = 24 * 60 * 60 * 1000;

/** Accounts in hand at once: as few as leave room for the jobs that people wait for. */
const CONCURRENT_ACCOUNTS = 4;

export interface EmailAccountingOptions {
  readonly reports: UsageReports;
  /** Names of the accounts there are, by the uid of their namespace. */
  readonly accounts: () => Promise<ReadonlyMap<string, string>>;
  readonly store: ObjectStore;
  readonly unreadable: UnreadableTotals;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Takes the totals of the gateways into the reports: the sum as it is, so that doing it again changes nothing. A day
 * after its end a day is closed in every report, after which its objects are deleted and count no more.
 */
export class EmailAccounting {
  readonly #options: EmailAccountingOptions;

  constructor(options: EmailAccountingOptions) {
    this.#options = options;
  }

  /** One day that cannot be counted does not keep the others waiting. */
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
    // What cannot be read keeps the day open, until somebody mends or deletes it.
    const isOver = isWhole && endOfUsageDay(day).getTime() + EMAILS_SETTLE_MS <= clock.now().getTime();
    const refusals: unknown[] = [];
    await inParallel(totals, CONCURRENT_ACCOUNTS, async ([uid, count]) => {
      const account = names.get(uid);
      if (account === undefined) return;
      try {
        await this.#report(account, day, count, isOver);
      } catch (error) {
        // The others need not wait for it, unless the server is away or asks for patience.
        if (!(error instanceof KubernetesApiError) || error.retryable) throw error;
        refusals.push(error);
      }
    });
    if (refusals.length > 0) throw refusals[0];
    if (isOver) await store.deletePrefix(emailTotalsPrefix(day));
  }

  /** Once more when the report was changed in between: work of the account may be counted just now. */
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

  /** Undefined when the account is no more. */
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

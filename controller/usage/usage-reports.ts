import { REPORTS_KEPT_MONTHS } from '@trifold/crds/retention.ts';
import type { KubernetesObject, PendingWork, UsageReport, UsageReportStatus } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import { inParallel } from '@trifold/platform/async/in-parallel.ts';
import { KeyedLock } from '@trifold/platform/async/keyed-lock.ts';
import { isApiError, KubernetesApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { formatKey, parseKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { EmailCount } from '@trifold/platform/records/usage/email-totals.ts';
import {
  totalOf,
  usageOfReport,
  type UsageCounters,
} from '@trifold/platform/records/usage/usage-counters.ts';
import { uidsOf, type UncountedWork } from './uncounted-work.ts';

/** A change to a report, applied in one write. */
export interface ReportChange {
  readonly usage: UsageCounters;
  readonly pending: readonly PendingWork[];
  readonly emailsCounted: boolean;
}

/** An account's emails on a day. */
export interface DayEmails {
  readonly count: EmailCount;
  /** Whether the count is final. */
  readonly isFinal: boolean;
}

/** Number of accounts processed concurrently: small, to leave capacity for jobs that users are waiting for. */
const CONCURRENT_ACCOUNTS = 4;
const PENDING = { fieldSelector: 'status.pendingCount!=0', limit: 100 };
const UNCOUNTED = { fieldSelector: 'status.uncounted.work!=,status.uncounted.work!=0', limit: 100 };

/**
 * The usage reports on the API server. A report is read before each change, and the server rejects the change if the
 * report has changed since. Every write also updates the report's uncounted work, so that work moves from there to the
 * counters in one write.
 */
export class UsageReports {
  readonly #client: ResourceClient<UsageReport>;
  readonly #uncounted: UncountedWork;
  readonly #clock: Clock;
  readonly #lock = new KeyedLock();

  constructor(client: ResourceClient<UsageReport>, uncounted: UncountedWork, clock: Clock) {
    this.#client = client;
    this.#uncounted = uncounted;
    this.#clock = clock;
  }

  /** Runs changes to an account's reports one after another, so that they do not conflict within this process. */
  exclusively<T>(account: string, action: () => Promise<T>): Promise<T> {
    return this.#lock.run(account, action);
  }

  find(account: string, day: string, signal?: AbortSignal): Promise<UsageReport | undefined> {
    return this.#client.find(account, day, signal);
  }

  async findOrCreate(account: string, day: string, signal?: AbortSignal): Promise<UsageReport> {
    const known = await this.find(account, day, signal);
    if (known) return known;
    try {
      return await this.#client.create(
        { metadata: { name: day, namespace: account }, spec: { day } },
        signal,
      );
    } catch (error) {
      // Another controller created it first.
      if (isApiError(error, 'AlreadyExists')) return this.#client.get(account, day, signal);
      throw error;
    }
  }

  /** Rejects with a Conflict if the report has changed since it was read. */
  async write(report: UsageReport, change: ReportChange, signal?: AbortSignal): Promise<void> {
    const { usage, pending, emailsCounted } = change;
    const { namespace, name } = report.metadata;
    const uncounted = this.#uncounted.sum(formatKey(namespace, name), uidsOf(pending));
    const { emails: _emails, ...uncountedUsage } = uncounted.usage;
    const status: UsageReportStatus = {
      documents: usage.documents,
      live: totalOf(usage.documents.live),
      test: totalOf(usage.documents.test),
      failed: usage.failed,
      pages: usage.pages,
      bytes: usage.bytes,
      batches: usage.batches,
      emails: usage.emails,
      emailsCounted,
      uncounted: { work: uncounted.work, ...uncountedUsage },
      pendingCount: pending.length,
      pending: [...pending],
      countedAt: this.#clock.now().toISOString(),
    };
    this.#uncounted.note(await this.#client.replaceStatus({ ...report, status }, signal));
  }

  /**
   * Writes a day's report if its uncounted work or its emails changed; if `emails` is undefined, they are left
   * unchanged. Retries once if the report has changed: another controller may believe it is the leader. Does nothing
   * when the account no longer exists.
   */
  async update(account: string, day: string, emails?: DayEmails): Promise<void> {
    await this.exclusively(account, async () => {
      try {
        await this.#update(account, day, emails);
      } catch (error) {
        if (!isApiError(error, 'Conflict')) throw error;
        await this.#update(account, day, emails);
      }
    });
  }

  async #update(account: string, day: string, emails: DayEmails | undefined): Promise<void> {
    const report = await this.#findUnlessGone(account, day);
    if (!report) return;
    this.#uncounted.note(report);
    const { pending = [], emailsCounted = false } = report.status ?? {};
    const usage = usageOfReport(report);
    const known: DayEmails = { count: usage.emails, isFinal: emailsCounted };
    const { count, isFinal } = emailsCounted ? known : (emails ?? known);
    const isKnown = isFinal === known.isFinal && isSameCount(count, known.count);
    if (isKnown && this.#uncounted.isCurrent(formatKey(account, day))) return;
    await this.write(report, { usage: { ...usage, emails: count }, pending, emailsCounted: isFinal });
  }

  /**
   * Updates the uncounted work of all reports. A rejected report does not delay the others; in that case, the call
   * rejects at the end.
   */
  async updateUncounted(): Promise<void> {
    await forEachAccount(this.#uncounted.outdated().map(parseKey), ({ namespace = '', name }) =>
      this.update(namespace, name),
    );
  }

  /** Rereads all reports with uncounted work: another controller may have written them. */
  async recheck(): Promise<void> {
    this.#uncounted.forget();
    for await (const { metadata } of this.#client.listAll(UNCOUNTED))
      await this.update(metadata.namespace ?? '', metadata.name);
  }

  /**
   * Yields all accounts' reports with work that is counted but not confirmed deleted, including new reports without a
   * status.
   */
  async *unsettled(): AsyncGenerator<{ account: string; day: string }> {
    for await (const { metadata } of this.#client.listAll(PENDING))
      yield { account: metadata.namespace ?? '', day: metadata.name };
  }

  /** Returns undefined when the account no longer exists. */
  async #findUnlessGone(account: string, day: string): Promise<UsageReport | undefined> {
    try {
      return await this.findOrCreate(account, day);
    } catch (error) {
      const isGone = error instanceof KubernetesApiError && (error.code === 404 || isTerminating(error));
      if (isGone) return undefined;
      throw error;
    }
  }
}

/**
 * Runs the action for a few accounts concurrently. After a failure, the others continue unless the server is
 * unavailable or asks the client to retry later. In the end, rejects with the first failure.
 */
export async function forEachAccount<T>(
  items: Iterable<T>,
  action: (item: T) => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  await inParallel(items, CONCURRENT_ACCOUNTS, async (item) => {
    try {
      await action(item);
    } catch (error) {
      if (!(error instanceof KubernetesApiError) || error.retryable) throw error;
      errors.push(error);
    }
  });
  if (errors.length > 0) throw errors[0];
}

/** Whether the two counts are equal. */
export function isSameCount(one: EmailCount, other: EmailCount): boolean {
  return one.live === other.live && one.test === other.test;
}

function isTerminating({ details }: KubernetesApiError): boolean {
  return details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') ?? false;
}

/** Returns the first day whose reports are kept: `2024-10-01` in November 2026. */
export function firstKeptDay(now: Date): string {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - REPORTS_KEPT_MONTHS, 1))
    .toISOString()
    .slice(0, 10);
}

/** Deletes all accounts' reports for older days; returns their number. The client may read metadata only. */
export async function deleteExpiredReports(
  client: Pick<ResourceClient<KubernetesObject>, 'listAll' | 'deleteExactly'>,
  now: Date,
): Promise<number> {
  const first = firstKeptDay(now);
  let deleted = 0;
  for await (const report of client.listAll()) {
    if (report.metadata.name >= first) continue;
    await client.deleteExactly(report);
    deleted += 1;
  }
  return deleted;
}

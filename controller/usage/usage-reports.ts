import type { PendingWork, UsageReport, UsageReportStatus } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import { isApiError } from '@trifold/platform/kubernetes/client/api-error.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { totalOf, type UsageCounters } from '@trifold/platform/records/usage/usage-counters.ts';

/** Change of a report, written in one write. */
export interface ReportChange {
  readonly usage: UsageCounters;
  readonly pending: readonly PendingWork[];
  readonly emailsCounted: boolean;
}

/**
 * The usage reports on the API server. A report is read before each change, and the server rejects the change when the
 * report has changed since.
 */
export class UsageReports {
  readonly #client: ResourceClient<UsageReport>;
  readonly #clock: Clock;

  constructor(client: ResourceClient<UsageReport>, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
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

  /** Rejects with a Conflict when the report has changed since it was read. */
  async write(report: UsageReport, change: ReportChange, signal?: AbortSignal): Promise<void> {
    const { usage, pending, emailsCounted } = change;
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
      pendingCount: pending.length,
      pending: [...pending],
      countedAt: this.#clock.now().toISOString(),
    };
    await this.#client.replaceStatus({ ...report, status }, signal);
  }

  /**
   * Yields the reports with work that is counted and not confirmed gone, of all accounts; includes new reports without
   * a status.
   */
  async *unsettled(signal?: AbortSignal): AsyncGenerator<{ account: string; day: string }> {
    let next: string | undefined;
    do {
      const page = await this.#client.list({
        fieldSelector: 'status.pendingCount!=0',
        limit: 100,
        ...(next !== undefined && { continue: next }),
        ...(signal && { signal }),
      });
      for (const { metadata } of page.items) yield { account: metadata.namespace ?? '', day: metadata.name };
      next = page.continue;
    } while (next !== undefined);
  }
}

import { USAGE_REPORT, type UsageReport } from '@trifold/crds';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { readAsOf } from '@trifold/platform/records/usage/as-of.ts';
import {
  addUsage,
  uncountedOfReport,
  usageOfReport,
  type UsageCounters,
} from '@trifold/platform/records/usage/usage-counters.ts';

/** Usage of an account. */
export interface AccountUsage {
  /** By day; days without usage are absent. */
  readonly days: ReadonlyMap<string, UsageCounters>;
  /** Time in ISO 8601 up to which finished work is included; null before a controller has run. */
  readonly asOf: string | null;
}

export interface UsageReaderOptions {
  readonly kubernetes: KubernetesClient;
  readonly store: Pick<ObjectStore, 'read'>;
}

/** Reads the usage of an account from its reports, which the controller keeps up to date. */
export class UsageReader {
  readonly #reports: ResourceClient<UsageReport>;
  readonly #store: UsageReaderOptions['store'];

  constructor({ kubernetes, store }: UsageReaderOptions) {
    this.#reports = kubernetes.resource(USAGE_REPORT);
    this.#store = store;
  }

  /** One list is a consistent snapshot, so nothing is counted twice. */
  async read(account: string): Promise<AccountUsage> {
    // Before the reports, which may be newer but not older.
    const asOf = await readAsOf(this.#store);
    const days = new Map<string, UsageCounters>();
    for await (const report of this.#reports.listAll({ namespace: account }))
      days.set(report.metadata.name, addUsage(usageOfReport(report), uncountedOfReport(report)));
    return { days, asOf };
  }
}

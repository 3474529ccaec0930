import { NAMESPACE, USAGE_REPORT, type KubernetesObject } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { Controller, type ControllerOptions } from '@trifold/platform/kubernetes/controller/controller.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { Metrics } from '@trifold/platform/service/metrics.ts';
import { WorkIndex } from '@trifold/platform/records/documents/work-index.ts';
import { writeAsOf } from '@trifold/platform/records/usage/stored-totals.ts';
import { reportUnreadable } from '@trifold/platform/records/usage/email-totals.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { ControllerConfig } from '../config.ts';
import { Periodic } from '@trifold/platform/service/periodic.ts';
import { EmailAccounting } from './email-accounting.ts';
import type { CountedKind } from './finished-work.ts';
import { UncountedWork } from './uncounted-work.ts';
import { UsageAccounting } from './usage-accounting.ts';
import { deleteExpiredReports, UsageReports } from './usage-reports.ts';

export interface UsageDependencies {
  readonly kubernetes: KubernetesClient;
  readonly store: ObjectStore;
  readonly kinds: readonly CountedKind[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly config: Pick<ControllerConfig, 'usageIntervalMs' | 'collectionIntervalMs'>;
  /** Options that all controllers of the process share. */
  readonly shared: Pick<ControllerOptions, 'clock' | 'logger' | 'metrics' | 'backoff'>;
}

/** Accounts processed at once. */
const CONCURRENCY = 2;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Counts the usage of accounts and keeps their reports up to date (docs/adr/0031-usage-from-reports-alone.md). Runs on the
 * leader only; nothing runs before `start`, which requires that the caches of work have synced.
 */
export class Usage {
  readonly accounting: UsageAccounting;
  readonly #controller: Controller;
  readonly #updates: Periodic;
  readonly #upkeep: Periodic;
  readonly #reports: UsageReports;
  readonly #emails: EmailAccounting;
  readonly #names: ResourceClient<KubernetesObject>;
  readonly #store: ObjectStore;
  readonly #clock: Clock;
  #isResumed = false;
  #collectedAt = Number.NEGATIVE_INFINITY;

  constructor(dependencies: UsageDependencies) {
    const { kubernetes, store, kinds, clock, logger, metrics, config, shared } = dependencies;
    const unreadable = reportUnreadable(
      logger,
      metrics.counter({
        name: 'trifold_controller_unreadable_email_counts_total',
        help: 'Readings of an object with counts of emails that holds none.',
      }),
    );
    const client = kubernetes.resource(USAGE_REPORT);
    this.#names = client.metadataOnly();
    this.#store = store;
    this.#clock = clock;
    this.#reports = new UsageReports(client, new UncountedWork(kinds), clock);
    this.#emails = new EmailAccounting({
      reports: this.#reports,
      accounts: () => accountsByUid(kubernetes),
      store,
      unreadable,
      clock,
      logger,
    });
    this.accounting = new UsageAccounting({
      reports: this.#reports,
      kinds,
      index: new WorkIndex(store),
      clock,
      intervalMs: config.usageIntervalMs,
      enqueue: (key) => this.#controller.enqueue(key),
    });
    this.#controller = new Controller({
      ...shared,
      name: 'usage',
      concurrency: CONCURRENCY,
      reconciler: this.accounting,
    });
    this.#updates = new Periodic({
      name: 'usage',
      intervalMs: config.usageIntervalMs,
      clock,
      logger,
      run: () => this.#update(),
    });
    this.#upkeep = new Periodic({
      name: 'usage-upkeep',
      intervalMs: config.collectionIntervalMs,
      clock,
      logger,
      run: () => this.#keepUp(),
    });
  }

  start(): void {
    this.#controller.start();
    this.#updates.start();
    this.#upkeep.start();
  }

  async stop(graceMs: number): Promise<void> {
    await Promise.all([this.#updates.stop(), this.#upkeep.stop(), this.#controller.stop(graceMs)]);
  }

  /** Brings all reports up to date. A failure leaves `as_of` behind. */
  async #update(): Promise<void> {
    const now = this.#clock.now();
    try {
      await this.#emails.updateCurrent();
    } finally {
      await this.#reports.updateUncounted();
    }
    await writeAsOf(this.#store, now);
  }

  async #keepUp(): Promise<void> {
    if (!this.#isResumed) {
      for await (const { account, day } of this.#reports.unsettled()) this.accounting.resume(account, day);
      this.#isResumed = true;
    }
    await this.#reports.recheck();
    await this.#emails.updatePast();
    const now = this.#clock.monotonicMs();
    if (now - this.#collectedAt < DAY_MS) return;
    await deleteExpiredReports(this.#names, this.#clock.now());
    this.#collectedAt = now;
  }
}

/** Returns the names of all namespaces by their uid. */
async function accountsByUid(kubernetes: KubernetesClient): Promise<Map<string, string>> {
  const client = kubernetes.builtin<KubernetesObject>(NAMESPACE).metadataOnly();
  const names = new Map<string, string>();
  for await (const { metadata } of client.listAll()) names.set(metadata.uid, metadata.name);
  return names;
}

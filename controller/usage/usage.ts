import { NAMESPACE, USAGE_REPORT, type KubernetesObject, DAY_MS } from '@trifold/crds';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { reportUnreadable } from '@trifold/platform/records/usage/email-totals.ts';
import { writeAsOf, writeStoredBytes } from '@trifold/platform/records/usage/stored-totals.ts';
import { Periodic } from '@trifold/platform/async/periodic.ts';
import type { Caches } from '../caches.ts';
import type { ControllerContext, Process } from '../context.ts';
import { EmailAccounting } from './email-accounting.ts';
import { StoredBytesCounter } from './stored-bytes.ts';
import { UncountedWork } from './uncounted-work.ts';
import { deleteExpiredReports, UsageReports } from './usage-reports.ts';

interface Lister {
  list(): readonly KubernetesObject[];
}

/**
 * Keeps accounts' usage reports up to date (docs/adr/0031-usage-from-reports-alone.md), and counts what the accounts
 * store. Requires filled caches of finished work.
 */
export class Usage implements Process {
  readonly reports: UsageReports;
  readonly #context: ControllerContext;
  readonly #tasks: readonly Periodic[];
  readonly #emails: EmailAccounting;
  readonly #names: ResourceClient<KubernetesObject>;
  #collectedAt = Number.NEGATIVE_INFINITY;

  constructor(context: ControllerContext, caches: Caches) {
    const { kubernetes, store, clock, logger, metrics, config, shared } = context;
    const { usageIntervalMs, collectionIntervalMs } = config;
    const unreadable = reportUnreadable(
      logger,
      metrics.counter({
        name: 'trifold_controller_unreadable_email_counts_total',
        help: 'Email counts that could not be read.',
      }),
    );
    const client = kubernetes.resource(USAGE_REPORT);
    const reports = new UsageReports(client, new UncountedWork(caches), clock);
    const accounts = () => accountsByUid(kubernetes);
    this.#context = context;
    this.#names = client.metadataOnly();
    this.reports = reports;
    this.#emails = new EmailAccounting({ reports, accounts, store, unreadable, clock, logger });
    const task = (name: string, intervalMs: number, run: (signal: AbortSignal) => Promise<void>) =>
      new Periodic({ ...shared, name, intervalMs, run });
    const { jobs, batches } = caches;
    const work: Lister[] = [jobs.unfinished, jobs.finished, batches.unfinished, batches.finished];
    const counter = new StoredBytesCounter(store, () => work.flatMap((cache) => cache.list()));
    this.#tasks = [
      task('usage', usageIntervalMs, () => this.#update()),
      task('usage-upkeep', collectionIntervalMs, () => this.#keepUp()),
      task('stored-bytes', collectionIntervalMs, async (signal) => {
        const now = clock.now();
        const accounts = await counter.count(now, signal);
        await writeStoredBytes(store, { asOf: now.toISOString(), accounts });
      }),
    ];
  }

  start(): void {
    for (const task of this.#tasks) task.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.#tasks.map((task) => task.stop()));
  }

  /** Brings all reports up to date. After a failure, `as_of` is not advanced. */
  async #update(): Promise<void> {
    const { clock, store } = this.#context;
    const now = clock.now();
    try {
      await this.#emails.updateCurrent();
    } finally {
      await this.reports.updateUncounted();
    }
    await writeAsOf(store, now);
  }

  async #keepUp(): Promise<void> {
    const { clock } = this.#context;
    await this.reports.recheck();
    await this.#emails.updatePast();
    const now = clock.monotonicMs();
    if (now - this.#collectedAt < DAY_MS) return;
    await deleteExpiredReports(this.#names, clock.now());
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

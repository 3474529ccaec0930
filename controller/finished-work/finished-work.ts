import { BATCH, GENERATION_JOB, type Batch, type GenerationJob } from '@trifold/crds';
import type { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import { Controller } from '@trifold/platform/kubernetes/controller/controller.ts';
import { RequestSource } from '@trifold/platform/kubernetes/controller/request-source.ts';
import { WorkIndex } from '@trifold/platform/records/documents/work-index.ts';
import { Periodic } from '@trifold/platform/async/periodic.ts';
import type { Caches } from '../caches.ts';
import type { ControllerContext, Process } from '../context.ts';
import type { UsageReports } from '../usage/usage-reports.ts';
import type { Outbox } from '../webhooks/outbox.ts';
import { CountedKind } from './counted-kind.ts';
import { CountedDeletion } from './resource-deletion.ts';
import { finishedBatches } from './finished-batch-kind.ts';
import { finishedJobs } from './finished-job-kind.ts';
import type { FinishedKind } from './finished-kind.ts';
import { FinishedWorkLimit } from './finished-work-limit.ts';
import { FinishedWorkReconciler } from './finished-work-reconciler.ts';
import { isPastRetention, mayLeaveEarly } from './deletion-time.ts';

/** Most of the time is spent waiting for the store; deliveries must not wait for it. */
const CONCURRENCY = 32;
/** Number of accounts whose work is counted and deleted concurrently. */
const CONCURRENT_ACCOUNTS = 2;
/** Interval of the check for surplus finished work. */
const LIMIT_INTERVAL_MS = 1_000;

/**
 * Handles jobs and batches after they finish: stores their deliveries and records, then counts and deletes them.
 * Requires filled caches of finished work.
 */
export class FinishedWork implements Process {
  readonly limit: FinishedWorkLimit;
  readonly #processes: readonly Process[];

  constructor(context: ControllerContext, caches: Caches, reports: UsageReports, outbox: Outbox) {
    const { kubernetes, store, clock, config, shared } = context;
    const limit = new FinishedWorkLimit(config, clock);
    const isDue = (resource: GenerationJob | Batch) =>
      isPastRetention(resource, clock.now(), config.ttlSecondsAfterFinished) ||
      (limit.isSurplus(resource.metadata.uid) && mayLeaveEarly(resource));
    const clients = { jobs: kubernetes.resource(GENERATION_JOB), batches: kubernetes.resource(BATCH) };
    const jobs = finishedJobs({
      store,
      outbox,
      jobs: clients.jobs,
      keepFailedData: config.keepFailedData,
    });
    const batches = finishedBatches(store, outbox, clients.batches);
    const kinds = [
      new CountedKind({
        client: clients.jobs,
        metadata: clients.jobs.metadataOnly(),
        finished: jobs,
        isDue,
        cache: caches.jobs.finished,
      }),
      new CountedKind({ client: clients.batches, finished: batches, isDue, cache: caches.batches.finished }),
    ];
    const requests = new RequestSource();
    const index = new WorkIndex(store);
    const intervalMs = config.usageIntervalMs;
    const deletion = new CountedDeletion({ reports, kinds, index, clock, intervalMs, requests });
    const counting = { ...shared, name: 'usage', concurrency: CONCURRENT_ACCOUNTS, reconciler: deletion };
    const settling = { context, deletion, limit };
    this.limit = limit;
    this.#processes = [
      new Controller(counting).watches(requests),
      settlingController(settling, 'generation-job', jobs, caches.jobs.finished),
      settlingController(settling, 'batch', batches, caches.batches.finished),
      ...periodicTasks(settling),
    ];
  }

  start(): void {
    for (const process of this.#processes) process.start();
  }

  async stop(graceMs: number): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.stop(graceMs)));
  }
}

interface Settling {
  readonly context: ControllerContext;
  readonly deletion: CountedDeletion;
  readonly limit: FinishedWorkLimit;
}

function settlingController<R extends GenerationJob | Batch>(
  { context, deletion, limit }: Settling,
  name: string,
  kind: FinishedKind<R>,
  cache: Informer<R>,
): Controller {
  const { clock, config, shared } = context;
  const { ttlSecondsAfterFinished } = config;
  return new Controller({
    ...shared,
    name: `${name}-retention`,
    concurrency: CONCURRENCY,
    reconciler: new FinishedWorkReconciler({ deletion, cache, kind, limit, clock, ttlSecondsAfterFinished }),
  }).watches(cache);
}

function periodicTasks({ context: { config, shared }, deletion, limit }: Settling): Periodic[] {
  return [
    new Periodic({
      ...shared,
      name: 'finished-work-limit',
      intervalMs: LIMIT_INTERVAL_MS,
      run: async () => {
        for (const work of limit.sweep()) deletion.expire(work);
      },
    }),
    new Periodic({
      ...shared,
      name: 'pending-work',
      intervalMs: config.collectionIntervalMs,
      run: () => deletion.resume(),
    }),
  ];
}

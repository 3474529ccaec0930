import { BATCH, GENERATION_JOB, TEMPLATE, type Batch, type GenerationJob } from '@trifold/crds';
import { DataChecker } from '@trifold/platform/templating/checking/data-checker.ts';
import type { CheckPool } from '@trifold/platform/templating/checking/check-pool.ts';
import { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { controllerMetrics, Controller } from '@trifold/platform/kubernetes/controller/controller.ts';
import {
  EVENT,
  EventRecorder,
  type CoreEvent,
} from '@trifold/platform/kubernetes/controller/event-recorder.ts';
import { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { Metrics } from '@trifold/platform/service/metrics.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { RenderQueue } from '@trifold/platform/render-queue/port.ts';
import { RevisionStore } from '@trifold/platform/templating/revisions/revision.ts';
import { batchRowOf } from '@trifold/platform/records/documents/finished-batch.ts';
import { writeStoredBytes } from '@trifold/platform/records/usage/stored-totals.ts';
import { usageOfBatch, usageOfJob } from '@trifold/platform/records/usage/work-usage.ts';
import type { ControllerConfig } from './config.ts';
import { batchCleanup } from './retention/batch-cleanup.ts';
import { deleteExpiredObjects } from './retention/expired-objects.ts';
import { indexRowOfJob, jobCleanup } from './retention/job-cleanup.ts';
import { FinishedWorkLimit } from './retention/finished-work-limit.ts';
import { Periodic } from '@trifold/platform/service/periodic.ts';
import { isPastRetention, mayLeaveEarly } from './retention/retention-time.ts';
import { countStoredBytes } from './retention/stored-bytes.ts';
import { deleteUnusedHistories } from './retention/unused-histories.ts';
import { UnusedSources } from './retention/unused-sources.ts';
import { BatchReconciler } from './work/batch/batch-reconciler.ts';
import { createTrackedBatches } from './work/batch/tracked-batches.ts';
import { documentMetrics } from './work/document-metrics.ts';
import { GenerationJobReconciler } from './work/generation-job/generation-job-reconciler.ts';
import { JobInput } from './work/generation-job/job-input.ts';
import { TemplatePinning } from './work/generation-job/template-pinning.ts';
import { createTrackedJobs, jobPriority, type TrackedJob } from './work/generation-job/tracked-jobs.ts';
import { reducedBatch, reducedJob } from './work/reduced-work.ts';
import { Work } from './work/work.ts';
import { TemplateHistoryReconciler } from './templates/template-history-reconciler.ts';
import { TemplateReconciler } from './templates/template-reconciler.ts';
import { countedKind } from './usage/finished-work.ts';
import { Usage } from './usage/usage.ts';
import { Webhooks, type Outbound } from './webhooks/webhooks.ts';

/** Maximum number of jobs that are reconciled at a time. */
const JOB_CONCURRENCY = 16;

export interface ControllersDependencies {
  readonly kubernetes: KubernetesClient;
  readonly store: ObjectStore;
  readonly queue: RenderQueue;
  /** Checks templates and data. Its creator stops it after the controllers. */
  readonly checkPool: CheckPool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: ControllerConfig;
  readonly metrics: Metrics;
  /** Client that sends webhooks. @default built from the configuration */
  readonly outbound?: Outbound;
}

/** All controllers, started and stopped as one. */
export interface Controllers {
  /**
   * Fills the caches of unfinished work, templates and endpoints, keeps them current, and writes nothing; a standby goes
   * no further. Resolves when they are filled. Idempotent.
   */
  warm(): Promise<void>;
  /**
   * Warms the caches, then reconciles. Resolves when unfinished jobs are being worked on: each of them is looked up in
   * the queue and in the object store, whichever process dispatched it. Finished work is read after that.
   */
  start(): Promise<void>;
  /** Starts nothing new and gives in-flight work `graceMs` to end. Unfinished jobs continue after the next start. */
  stop(graceMs: number): Promise<void>;
  /** Whether the caches hold the unfinished work of the API server. */
  readonly isWarm: boolean;
  /** Whether unfinished jobs are being worked on. */
  readonly ready: boolean;
}

/** Templates are not urgent; low concurrency leaves capacity for the jobs that people wait for. */
const TEMPLATE_CONCURRENCY = 4;
/** Low, because each worker handles up to a hundred items, and single documents need capacity. */
const BATCH_CONCURRENCY = 4;
/** Interval at which surplus finished work is looked for. */
const LIMIT_INTERVAL_MS = 1_000;
/** Interval at which the public key of webhooks is published, if that failed or somebody removed it. */
const PUBLICATION_INTERVAL_MS = 60_000;
const FIRST_RETRY_MS = 20;

/** Creates the controllers. Nothing runs before `start`. */
export function createControllers(dependencies: ControllersDependencies): Controllers {
  return new RunningControllers(dependencies);
}

type Cache = Pick<Informer<GenerationJob>, 'start' | 'synced' | 'hasSynced' | 'stop'>;

class RunningControllers implements Controllers {
  readonly #queue: RenderQueue;
  readonly #work: readonly Pick<Work<GenerationJob, TrackedJob>, 'begin' | 'noteOutcome'>[];
  /** Caches without which no document can be generated. */
  readonly #present: readonly Cache[];
  /** Caches of finished work and of the log of deliveries, which may be long. Only the leader fills them. */
  readonly #past: readonly Cache[];
  readonly #controllers: readonly Controller[];
  readonly #retention: readonly Controller[];
  readonly #events: EventRecorder;
  readonly #collection: Periodic;
  readonly #storage: Periodic;
  readonly #limit: Periodic;
  readonly #publication: Periodic;
  readonly #usage: Usage;
  readonly #webhooks: Webhooks;
  #unsubscribe: (() => void) | undefined;
  #ready = false;
  #stopped = false;

  constructor(dependencies: ControllersDependencies) {
    const { kubernetes, store, queue, clock, config } = dependencies;
    const logger = dependencies.logger.child({ service: 'controller' });
    const templates = kubernetes.resource(TEMPLATE);
    const templateCache = new Informer({ client: templates, clock, logger });
    const revisions = new RevisionStore(store);
    const checker = new TemplateChecker(dependencies.checkPool);
    const dataChecker = new DataChecker(dependencies.checkPool);
    const input = new JobInput(store, revisions, dataChecker);
    const pinning = new TemplatePinning({ templates, store, revisions, checker, input, dataChecker });
    const trackedJobs = createTrackedJobs();
    const trackedBatches = createTrackedBatches();
    const unfinished = () => trackedJobs.openDocuments + trackedBatches.openDocuments;
    const metrics = documentMetrics(dependencies.metrics, unfinished);
    const client = kubernetes.builtin<CoreEvent>(EVENT);
    const events = new EventRecorder({ client, component: 'trifold-controller', clock, logger });

    const shared = {
      clock,
      logger,
      metrics: controllerMetrics(dependencies.metrics),
      // After an outage of the store or the queue, a retry comes no later than a resync.
      backoff: { baseMs: FIRST_RETRY_MS, capMs: config.resyncMs },
    };
    this.#webhooks = new Webhooks({
      ...dependencies,
      logger,
      events,
      shared,
      config: config.webhooks,
    });
    const webhooks = this.#webhooks;
    const limit = new FinishedWorkLimit({ limits: config, clock, expire: (work) => accounting.expire(work) });
    const isDue = (resource: GenerationJob | Batch) =>
      isPastRetention(resource, clock.now(), config.ttlSecondsAfterFinished) ||
      (limit.isSurplus(resource.metadata.uid) && mayLeaveEarly(resource));
    const kinds = [
      countedKind({
        client: kubernetes.resource(GENERATION_JOB),
        metadata: kubernetes.resource(GENERATION_JOB).metadataOnly(),
        usageOf: usageOfJob,
        isDue,
        indexList: 'documents',
        rowOf: indexRowOfJob,
        cache: () => jobs.cache.finished,
      }),
      countedKind({
        client: kubernetes.resource(BATCH),
        usageOf: usageOfBatch,
        isDue,
        indexList: 'batches',
        rowOf: batchRowOf,
        cache: () => batches.cache.finished,
      }),
    ];
    this.#usage = new Usage({ ...dependencies, kinds, logger, shared });
    const { accounting } = this.#usage;
    const services = { ...dependencies, logger, metrics, events, accounting, limit, webhooks, shared };
    const jobs = new Work(services, {
      kind: GENERATION_JOB,
      name: 'generation-job',
      concurrency: JOB_CONCURRENCY,
      priorityOf: jobPriority,
      tracked: trackedJobs,
      reducedWhenFinished: reducedJob,
      reconcilerOf: (parts) => {
        const { carriedDataBytes } = queue;
        return new GenerationJobReconciler({ ...parts, carriedDataBytes, input, pinning, limit });
      },
      cleanupOf: () => jobCleanup(store, webhooks),
    });
    const batches = new Work(services, {
      kind: BATCH,
      name: 'batch',
      concurrency: BATCH_CONCURRENCY,
      priorityOf: () => 'batch',
      tracked: trackedBatches,
      reducedWhenFinished: reducedBatch,
      reconcilerOf: (parts) => new BatchReconciler(parts),
      cleanupOf: (client) => batchCleanup({ store, batches: client, webhooks }),
    });
    webhooks.watchSubjects({ jobs: jobs.cache, batches: batches.cache });
    const templateController = new Controller({
      ...shared,
      name: 'template',
      concurrency: TEMPLATE_CONCURRENCY,
      reconciler: new TemplateReconciler({
        templates,
        cache: templateCache,
        store,
        checker,
        events,
        clock,
      }),
    }).watches(templateCache);
    const historyController = new Controller({
      ...shared,
      name: 'template-history',
      concurrency: TEMPLATE_CONCURRENCY,
      reconciler: new TemplateHistoryReconciler({
        cache: templateCache,
        store,
        clock,
        keptVersions: config.templateVersions,
      }),
    }).watches(templateCache);

    this.#queue = queue;
    this.#events = events;
    this.#work = [jobs, batches];
    this.#present = [jobs.cache.unfinished, batches.cache.unfinished, templateCache, webhooks.endpoints];
    this.#past = [jobs.cache.finished, batches.cache.finished, webhooks.deliveries];
    this.#controllers = [jobs.controller, templateController, historyController, batches.controller];
    this.#retention = [jobs.retention, batches.retention];
    this.#limit = new Periodic({
      name: 'finished-work-limit',
      intervalMs: LIMIT_INTERVAL_MS,
      clock,
      logger,
      run: async () => limit.sweep(),
    });
    this.#publication = new Periodic({
      name: 'publication-of-the-webhook-key',
      intervalMs: PUBLICATION_INTERVAL_MS,
      clock,
      logger,
      run: () => webhooks.publishKey(),
    });
    this.#storage = new Periodic({
      name: 'stored-bytes',
      intervalMs: config.collectionIntervalMs,
      clock,
      logger,
      run: async (signal) => {
        const asOf = clock.now().toISOString();
        await writeStoredBytes(store, { asOf, accounts: await countStoredBytes(store, signal) });
      },
    });
    const unusedSources = new UnusedSources({ store, templates, cache: templateCache, logger });
    this.#collection = new Periodic({
      name: 'garbage-collection',
      intervalMs: config.collectionIntervalMs,
      clock,
      logger,
      run: async () => {
        const expired = await deleteExpiredObjects(store, clock.now(), logger);
        const sources = await unusedSources.collect(clock.now());
        const versions = await deleteUnusedHistories({
          store,
          templates: templates.metadataOnly(),
          cache: templateCache,
        });
        const objects = { ...expired, sources, versions };
        if (Object.values(objects).some((deleted) => deleted > 0))
          logger.info(objects, 'deleted expired objects');
      },
    });
  }

  get ready(): boolean {
    return this.#ready;
  }

  get isWarm(): boolean {
    return this.#present.every((cache) => cache.hasSynced);
  }

  async warm(): Promise<void> {
    for (const cache of this.#present) cache.start();
    await Promise.all(this.#present.map((cache) => cache.synced()));
  }

  async start(): Promise<void> {
    await this.warm();
    if (this.#stopped) return;
    for (const work of this.#work) work.begin();
    this.#unsubscribe = this.#queue.onFinished((taskId, outcome) => {
      for (const work of this.#work) work.noteOutcome(taskId, outcome);
    });
    for (const controller of this.#controllers) controller.start();
    this.#collection.start();
    this.#publication.start();
    this.#ready = true;
    void this.#follow();
  }

  /** Starts what follows the end of documents, once finished work is known. */
  async #follow(): Promise<void> {
    for (const cache of this.#past) cache.start();
    try {
      await Promise.all(this.#past.map((cache) => cache.synced()));
    } catch {
      // Stopped before that.
      return;
    }
    if (this.#stopped) return;
    for (const part of [this.#usage, ...this.#retention, this.#webhooks, this.#limit, this.#storage])
      part.start();
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    this.#ready = false;
    const periodic = [this.#collection, this.#storage, this.#limit, this.#publication].map((task) =>
      task.stop(),
    );
    const parts = [...this.#controllers, ...this.#retention, this.#usage, this.#webhooks];
    await Promise.all(parts.map((part) => part.stop(graceMs)));
    this.#unsubscribe?.();
    await Promise.all([
      ...periodic,
      this.#events.stop(),
      ...[...this.#present, ...this.#past].map((cache) => cache.stop()),
    ]);
  }
}

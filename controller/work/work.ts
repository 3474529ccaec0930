import type { Batch, GenerationJob, KindDefinition } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { KubernetesClient, ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { Controller, type ControllerOptions } from '@trifold/platform/kubernetes/controller/controller.ts';
import type { EventRecorder } from '@trifold/platform/kubernetes/controller/event-recorder.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { RenderOutcome, RenderQueue } from '@trifold/platform/render-queue/port.ts';
import type { Priority } from '@trifold/platform/scheduling/priority.ts';
import type { ControllerConfig } from '../config.ts';
import type { FinishedWorkLimit } from '../retention/finished-work-limit.ts';
import { RetentionReconciler, type WorkCleanup } from '../retention/retention-reconciler.ts';
import { REPORT_INDEX, reportKeys } from '../usage/finished-work.ts';
import type { UsageAccounting } from '../usage/usage-accounting.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import { AttemptEngine } from './attempt-engine.ts';
import { DispatchWindow } from './dispatch-window.ts';
import type { DocumentMetrics } from './document-metrics.ts';
import type { TrackedIndex, TrackedWork } from './tracked-work.ts';
import { WorkCache } from './work-cache.ts';
import type { WorkDependencies, WorkReconciler } from './work-reconciler.ts';

/** Services that jobs and batches share. */
export interface WorkServices {
  readonly kubernetes: KubernetesClient;
  readonly store: ObjectStore;
  readonly queue: RenderQueue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: ControllerConfig;
  readonly metrics: DocumentMetrics;
  readonly events: Pick<EventRecorder, 'warn'>;
  /** Counts finished work and deletes it. */
  readonly accounting: Pick<UsageAccounting, 'expire' | 'forget'>;
  /** Bounds finished work by number. */
  readonly limit: Pick<FinishedWorkLimit, 'note' | 'forget'>;
  readonly webhooks: Pick<Webhooks, 'subscriptions' | 'deliverJobEvents' | 'deliverBatchEvents'>;
  /** Options that all controllers of the process share. */
  readonly shared: Pick<ControllerOptions, 'clock' | 'logger' | 'metrics' | 'backoff'>;
}

export interface WorkOptions<R extends GenerationJob | Batch, T extends TrackedWork> {
  readonly kind: KindDefinition<R>;
  /** Names the controllers in logs and metrics. */
  readonly name: string;
  readonly concurrency: number;
  readonly priorityOf: (resource: R) => Priority;
  readonly tracked: TrackedIndex<R, T>;
  /** Reduces a finished object to what its retention needs. */
  readonly reducedWhenFinished: (resource: R) => R;
  readonly reconcilerOf: (dependencies: WorkDependencies<R, T>) => WorkReconciler<R, T>;
  readonly cleanupOf: (client: ResourceClient<R>) => WorkCleanup<R>;
}

/**
 * Maximum number of asynchronous documents, and of items of batches, in the render queue. Enough for a hundred renderers:
 * each works on four, and takes the next ones at once.
 */
const MOST_DISPATCHED = 500;
/** Low, because finished work is not urgent, and unfinished documents need capacity. */
const RETENTION_CONCURRENCY = 4;

/** The controllers of jobs or of batches and their cache. Their owner starts and stops them. */
export class Work<R extends GenerationJob | Batch, T extends TrackedWork> {
  readonly cache: WorkCache<R>;
  /** Takes unfinished work to its end. */
  readonly controller: Controller;
  /** Deletes finished work. Starts once the cache of finished work is filled. */
  readonly retention: Controller;
  readonly #tracked: TrackedIndex<R, T>;

  constructor(services: WorkServices, options: WorkOptions<R, T>) {
    const { clock, logger, config, shared, webhooks } = services;
    const { name, concurrency, priorityOf, tracked } = options;
    const client = services.kubernetes.resource(options.kind);
    const { reducedWhenFinished } = options;
    const cleanup = options.cleanupOf(client);
    const finishedIndexes = {
      [REPORT_INDEX]: (resource: R) => reportKeys(resource, cleanup.usageOf(resource)),
    };
    const cache = new WorkCache<R>({ client, clock, logger, reducedWhenFinished, finishedIndexes });
    const engine = new AttemptEngine(services);
    const { subscriptions } = webhooks;
    const window = new DispatchWindow(MOST_DISPATCHED, (key) => this.controller.enqueue(key));
    const reconciler = options.reconcilerOf({
      ...services,
      client,
      cache,
      tracked,
      engine,
      window,
      subscriptions,
    });
    const retention = new RetentionReconciler<R>({ ...services, ...config, cache: cache.finished, cleanup });
    this.#tracked = tracked;
    this.cache = cache;
    this.controller = new Controller({
      ...shared,
      name,
      concurrency,
      reconciler,
      priorityOf: (key) => {
        const resource = cache.unfinished.get(key.namespace, key.name);
        return resource && priorityOf(resource);
      },
    }).watches(cache.unfinished);
    this.retention = new Controller({
      ...shared,
      name: `${name}-retention`,
      concurrency: RETENTION_CONCURRENCY,
      reconciler: retention,
    }).watches(cache.finished);
  }

  /** Takes over the existing unfinished objects. Looks up every document, whichever process dispatched it. */
  begin(): void {
    for (const resource of this.cache.unfinished.list()) this.#tracked.track(resource, true);
  }

  /** Records an outcome from the queue if the task belongs to one of these objects. */
  noteOutcome(taskId: string, outcome: RenderOutcome): void {
    const key = this.#tracked.noteOutcome(taskId, outcome);
    if (key) this.controller.enqueue(key);
  }
}

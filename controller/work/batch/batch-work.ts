import { BATCH, isFinished, type Batch } from '@trifold/crds';
import type { Clock } from '@trifold/platform/service/clock.ts';
import type { KubernetesClient } from '@trifold/platform/kubernetes/client/client.ts';
import { Controller, type ControllerOptions } from '@trifold/platform/kubernetes/controller/controller.ts';
import type { EventRecorder } from '@trifold/platform/kubernetes/controller/event-recorder.ts';
import { Informer } from '@trifold/platform/kubernetes/cache/informer.ts';
import type { Logger } from '@trifold/platform/service/logging.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import type { RenderOutcome, RenderQueue } from '@trifold/platform/render-queue/port.ts';
import { usageOfBatch } from '@trifold/platform/records/usage/work-usage.ts';
import type { ControllerConfig } from '../../config.ts';
import type { DocumentMetrics } from '../document-metrics.ts';
import { StoredResults } from '../stored-results.ts';
import { countedKind, type CountedKind } from '../../usage/finished-work.ts';
import type { UsageAccounting } from '../../usage/usage-accounting.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { BatchItems } from './batch-items.ts';
import { BatchReconciler } from './batch-reconciler.ts';
import {
  BatchRetentionReconciler,
  isBatchPastRetention,
} from '../../retention/batch-retention-reconciler.ts';
import { slimWhenFinished } from './slim-batch.ts';
import type { TrackedBatches } from './tracked-batches.ts';

export interface BatchWorkOptions {
  readonly kubernetes: KubernetesClient;
  readonly store: ObjectStore;
  readonly queue: RenderQueue;
  readonly tracked: TrackedBatches;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: ControllerConfig;
  readonly metrics: DocumentMetrics;
  readonly events: Pick<EventRecorder, 'warn'>;
  /** Counts finished batches and deletes them. */
  readonly accounting: Pick<UsageAccounting, 'expire' | 'forget'>;
  readonly webhooks: Pick<Webhooks, 'subscriptions' | 'tellOfBatch'>;
  /** Options that all controllers of the process share. */
  readonly shared: Pick<ControllerOptions, 'clock' | 'logger' | 'metrics' | 'backoff'>;
}

/** Low, because each worker handles up to a hundred items, and single documents need capacity. */
const CONCURRENCY = 4;

/** Returns batches as a kind of work for usage accounting. */
export function countedBatches(
  kubernetes: KubernetesClient,
  { clock, config }: Pick<BatchWorkOptions, 'clock' | 'config'>,
): CountedKind {
  return countedKind({
    client: kubernetes.resource(BATCH),
    usageOf: usageOfBatch,
    isDue: (batch) => isBatchPastRetention(batch, clock.now(), config.ttlSecondsAfterFinished),
  });
}

/** The controllers of batches and their cache. Their owner starts and stops them. */
export class BatchWork {
  readonly informer: Informer<Batch>;
  readonly controllers: readonly Controller[];
  readonly #tracked: TrackedBatches;
  readonly #controller: Controller;

  constructor(options: BatchWorkOptions) {
    const { kubernetes, store, queue, tracked, clock, logger, config, shared, accounting, webhooks } =
      options;
    const batches = kubernetes.resource(BATCH);
    const cache = new Informer({ client: batches, clock, logger, transform: slimWhenFinished });
    const results = new StoredResults(store);
    const items = new BatchItems({ queue, store, results, clock, config });
    this.#tracked = tracked;
    this.informer = cache;
    this.#controller = new Controller({
      ...shared,
      name: 'batch',
      concurrency: CONCURRENCY,
      reconciler: new BatchReconciler({
        ...options,
        batches,
        cache,
        items,
        subscriptions: webhooks.subscriptions,
      }),
    }).watches(cache);
    const retention = new Controller({
      ...shared,
      name: 'batch-retention',
      concurrency: CONCURRENCY,
      reconciler: new BatchRetentionReconciler({
        accounting,
        batches,
        cache,
        store,
        clock,
        outbox: webhooks,
        ...config,
      }),
    }).watches(cache);
    this.controllers = [this.#controller, retention];
  }

  /** Takes over the existing unfinished batches. Looks up every item, whichever process dispatched it. */
  begin(): void {
    for (const batch of this.informer.list()) {
      if (!isFinished(batch)) this.#tracked.track(batch, true);
    }
  }

  /** Records an outcome from the queue if the task belongs to a batch. */
  noteOutcome(taskId: string, outcome: RenderOutcome): void {
    const key = this.#tracked.noteOutcome(taskId, outcome);
    if (key) this.#controller.enqueue(key);
  }
}

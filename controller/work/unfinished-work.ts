import { BATCH, GENERATION_JOB, TEMPLATE, type Batch, type GenerationJob } from '@trifold/crds';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import { Controller } from '@trifold/platform/kubernetes/controller/controller.ts';
import type { ResourceClient } from '@trifold/platform/kubernetes/client/client.ts';
import { RequestSource } from '@trifold/platform/kubernetes/controller/request-source.ts';
import type { RenderOutcome } from '@trifold/platform/render-queue/port.ts';
import type { Priority } from '@trifold/platform/scheduling/priority.ts';
import { DataChecker } from '@trifold/platform/templating/checking/data-checker.ts';
import { TemplateChecker } from '@trifold/platform/templating/checking/template-checker.ts';
import { RevisionStore } from '@trifold/platform/templating/revisions/revision.ts';
import type { Caches } from '../caches.ts';
import type { ControllerContext, Process } from '../context.ts';
import type { FinishedWorkLimit } from '../finished-work/finished-work-limit.ts';
import type { Subscriptions } from '../webhooks/events/subscriptions.ts';
import { AttemptEngine } from './attempt-engine.ts';
import { BatchKind } from './batch/batch-kind.ts';
import { createTrackedBatches } from './batch/tracked-batches.ts';
import { DispatchWindow } from './dispatch-window.ts';
import { documentMetrics } from './document-metrics.ts';
import { JobKind } from './generation-job/job-kind.ts';
import { JobInput } from './generation-job/job-input.ts';
import { TemplatePinning } from './generation-job/template-pinning.ts';
import { createTrackedJobs, jobPriority, type TrackedJob } from './generation-job/tracked-jobs.ts';
import type { TrackedIndex, TrackedWork } from './tracked-work.ts';
import type { WorkCache } from './work-cache.ts';
import type { WorkKind } from './work-kind.ts';
import { WorkReconciler } from './work-reconciler.ts';

/** Maximum number of jobs reconciled concurrently. */
const JOB_CONCURRENCY = 16;
/** Low, because each worker handles up to a hundred items and single documents need capacity. */
const BATCH_CONCURRENCY = 4;
/**
 * Maximum number of asynchronous documents, and of batch items, in the render queue. Enough for a hundred renderers:
 * each works on four documents and takes the next ones immediately.
 */
const MAX_DISPATCHED = BOUNDS.dispatchedDocuments.limit.value;

/** Drives unfinished jobs and batches to completion. Requires filled caches of unfinished work. */
export class UnfinishedWork implements Process {
  readonly #context: ControllerContext;
  readonly #kinds: readonly UnfinishedKind[];
  #unsubscribe: (() => void) | undefined;

  constructor(
    context: ControllerContext,
    caches: Caches,
    subscriptions: Subscriptions,
    limit: FinishedWorkLimit,
  ) {
    const { kubernetes, queue } = context;
    const jobs = createTrackedJobs();
    const batches = createTrackedBatches();
    const metrics = documentMetrics(context.metrics, () => jobs.openDocuments + batches.openDocuments);
    const services = { ...context, ...inputServices(context), metrics, subscriptions, limit };
    const engine = new AttemptEngine(context);
    this.#context = context;
    this.#kinds = [
      new Kind<GenerationJob, TrackedJob>(context, engine, {
        name: 'generation-job',
        concurrency: JOB_CONCURRENCY,
        priorityOf: jobPriority,
        kind: new JobKind({ ...services, carriedDataBytes: queue.carriedDataBytes }),
        client: kubernetes.resource(GENERATION_JOB),
        cache: caches.jobs,
        tracked: jobs,
      }),
      new Kind(context, engine, {
        name: 'batch',
        concurrency: BATCH_CONCURRENCY,
        priorityOf: () => 'batch',
        kind: new BatchKind(services),
        client: kubernetes.resource(BATCH),
        cache: caches.batches,
        tracked: batches,
      }),
    ];
  }

  /** Takes over the existing unfinished objects. Looks up every document, whichever process dispatched it. */
  start(): void {
    for (const kind of this.#kinds) kind.takeOver();
    this.#unsubscribe = this.#context.queue.onFinished((taskId, outcome) => {
      for (const kind of this.#kinds) kind.noteOutcome(taskId, outcome);
    });
    for (const { controller } of this.#kinds) controller.start();
  }

  async stop(graceMs: number): Promise<void> {
    await Promise.all(this.#kinds.map(({ controller }) => controller.stop(graceMs)));
    this.#unsubscribe?.();
  }
}

type UnfinishedKind = Pick<Kind<GenerationJob, TrackedWork>, 'takeOver' | 'noteOutcome' | 'controller'>;

interface KindOptions<R extends GenerationJob | Batch, T extends TrackedWork> {
  /** Name of the controller in logs and metrics. */
  readonly name: string;
  readonly concurrency: number;
  readonly priorityOf: (resource: R) => Priority;
  readonly kind: WorkKind<R, T>;
  readonly client: ResourceClient<R>;
  readonly cache: WorkCache<R>;
  readonly tracked: TrackedIndex<R, T>;
}

/** The unfinished jobs, or the unfinished batches. */
class Kind<R extends GenerationJob | Batch, T extends TrackedWork> {
  readonly controller: Controller;
  readonly #cache: WorkCache<R>;
  readonly #tracked: TrackedIndex<R, T>;
  readonly #requests = new RequestSource();

  constructor(context: ControllerContext, engine: AttemptEngine, options: KindOptions<R, T>) {
    const { name, concurrency, priorityOf, cache, tracked } = options;
    this.#cache = cache;
    this.#tracked = tracked;
    const window = new DispatchWindow(MAX_DISPATCHED, this.#requests);
    this.controller = new Controller({
      ...context.shared,
      name,
      concurrency,
      reconciler: new WorkReconciler({ ...context, ...options, engine, window }),
      priorityOf: (key) => {
        const resource = cache.unfinished.get(key.namespace, key.name);
        return resource && priorityOf(resource);
      },
    })
      .watches(cache.unfinished)
      .watches(this.#requests);
  }

  takeOver(): void {
    for (const resource of this.#cache.unfinished.list()) this.#tracked.track(resource, true);
  }

  /** Records an outcome from the queue if the task belongs to one of these objects. */
  noteOutcome(taskId: string, outcome: RenderOutcome): void {
    const key = this.#tracked.noteOutcome(taskId, outcome);
    if (key) this.#requests.enqueue(key);
  }
}

function inputServices({ kubernetes, store, checkPool }: ControllerContext) {
  const revisions = new RevisionStore(store);
  const dataChecker = new DataChecker(checkPool);
  const input = new JobInput({ store, revisions, dataChecker, jobs: kubernetes.resource(GENERATION_JOB) });
  const checker = new TemplateChecker(checkPool);
  const templates = kubernetes.resource(TEMPLATE);
  const pinning = new TemplatePinning({ templates, store, revisions, checker, input, dataChecker });
  return { input, pinning, revisions, checker };
}

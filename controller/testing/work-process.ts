import type { Batch, GenerationJob } from '@trifold/crds';
import type { Clock } from '@trifold/platform/async/clock.ts';
import type { ObjectKey } from '@trifold/platform/kubernetes/client/object-key.ts';
import type { ObjectStore } from '@trifold/platform/object-store/port.ts';
import { createLogger } from '@trifold/platform/process/logging.ts';
import { Metrics } from '@trifold/platform/process/metrics.ts';
import { InProcessQueue } from '@trifold/platform/render-queue/in-process/in-process-queue.ts';
import type { RenderOutcome, RenderTask } from '@trifold/platform/render-queue/port.ts';
import { loadControllerConfig } from '../config.ts';
import { AttemptEngine } from '../work/attempt-engine.ts';
import { DispatchWindow } from '../work/dispatch-window.ts';
import { documentMetrics } from '../work/document-metrics.ts';
import type { TrackedIndex, TrackedWork } from '../work/tracked-work.ts';
import type { WorkKind } from '../work/work-kind.ts';
import { WorkReconciler } from '../work/work-reconciler.ts';
import type { FakeResourceClient } from './fake-resource-client.ts';

const { signal } = new AbortController();

interface WorkProcessOptions<R extends GenerationJob | Batch, T extends TrackedWork> {
  readonly store: ObjectStore;
  readonly clock: Clock;
  readonly client: FakeResourceClient<R>;
  readonly tracked: TrackedIndex<R, T>;
  readonly kindOf: (shared: SharedParts) => WorkKind<R, T>;
  /** Objects that exist when the process starts. */
  readonly inherited: readonly R[];
  /** Number of documents that the renderer renders concurrently. */
  readonly concurrency: number;
  readonly carriedDataBytes?: number;
  readonly maxDispatched?: number;
}

type SharedParts = ReturnType<typeof sharedParts>;

function sharedParts(store: ObjectStore, clock: Clock, metrics: Metrics, openDocuments: () => number) {
  const told: string[] = [];
  return {
    store,
    clock,
    logger: createLogger({ level: 'silent', name: 'test' }),
    subscriptions: { deliverTo: () => undefined },
    metrics: documentMetrics(metrics, openDocuments),
    told,
    events: {
      warn: (_object: object, reason: string, message: string) => void told.push(`${reason}: ${message}`),
    },
  };
}

/** One controller process with its memory and its queue, on top of state that outlives it. */
export class WorkProcess<R extends GenerationJob | Batch, T extends TrackedWork> {
  readonly tracked: TrackedIndex<R, T>;
  readonly queue: InProcessQueue;
  readonly metrics = new Metrics();
  readonly tasks: RenderTask[] = [];
  readonly events: readonly string[];
  /** Names of the objects that the window has woken. */
  readonly woken: string[] = [];
  /** Number of documents being rendered. */
  rendering = 0;
  readonly #reconciler: WorkReconciler<R, T>;
  readonly #concurrency: number;

  constructor(options: WorkProcessOptions<R, T>) {
    const { store, clock, client, tracked, inherited, carriedDataBytes = 0, maxDispatched = 100 } = options;
    this.#concurrency = options.concurrency;
    this.tracked = tracked;
    this.queue = new InProcessQueue({ clock, carriedDataBytes });
    for (const resource of inherited) tracked.track(resource, true);
    const shared = sharedParts(store, clock, this.metrics, () => tracked.openDocuments);
    this.events = shared.told;
    const config = loadControllerConfig({});
    this.#reconciler = new WorkReconciler<R, T>({
      kind: options.kindOf(shared),
      client,
      cache: client,
      tracked,
      engine: new AttemptEngine({ queue: this.queue, store, clock, config }),
      window: new DispatchWindow(maxDispatched, { enqueue: ({ name }) => this.woken.push(name) }),
      clock,
      config,
      events: shared.events,
    });
    this.queue.onFinished((id, outcome) => void tracked.noteOutcome(id, outcome));
  }

  get taskIds(): string[] {
    return this.tasks.map(({ id }) => id);
  }

  reconcile(key: ObjectKey): Promise<unknown> {
    return this.#reconciler.reconcile(key, signal);
  }

  /** Starts a renderer that runs `render` for each task. */
  render(render: (task: RenderTask) => Promise<RenderOutcome>): void {
    this.queue.work(
      async (task) => {
        this.tasks.push(task);
        this.rendering += 1;
        return render(task).finally(() => (this.rendering -= 1));
      },
      { concurrency: this.#concurrency },
    );
  }
}

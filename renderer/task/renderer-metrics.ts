import type { Metrics } from '@trifold/platform/service/metrics.ts';
import type { RenderOutcome, TaskHandler } from '@trifold/platform/render-queue/port.ts';

const STAGES = ['queuedMs', 'mergeMs', 'printMs', 'storeMs'] as const;

/** Metrics of a renderer. */
export class RendererMetrics {
  readonly #tasks;
  readonly #seconds;
  readonly #pages;

  constructor(metrics: Metrics) {
    this.#tasks = metrics.counter({
      name: 'trifold_renderer_tasks_total',
      help: 'Tasks finished, by outcome: completed, or the code of the failure.',
      labelNames: ['outcome'],
    });
    this.#seconds = metrics.histogram({
      name: 'trifold_renderer_stage_seconds',
      help: 'Time of completed tasks by stage: queued, merge, print, store.',
      labelNames: ['stage'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    });
    this.#pages = metrics.counter({
      name: 'trifold_renderer_pages_total',
      help: 'Pages of completed documents.',
    });
  }

  /** Returns the handler with metrics. */
  observing(handler: TaskHandler): TaskHandler {
    return async (task, signal) => {
      const outcome = await handler(task, signal);
      this.#observe(outcome);
      return outcome;
    };
  }

  #observe(outcome: RenderOutcome): void {
    if (outcome.status === 'failed') {
      this.#tasks.inc({ outcome: outcome.failure.code });
      return;
    }
    this.#tasks.inc({ outcome: 'completed' });
    this.#pages.inc(outcome.result.pages);
    for (const stage of STAGES) {
      this.#seconds.observe({ stage: stage.slice(0, -2) }, outcome.result.timings[stage] / 1000);
    }
  }
}

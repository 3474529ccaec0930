import type { Metrics } from '@trifold/platform/process/metrics.ts';
import type { TaskHandler } from '@trifold/platform/render-queue/port.ts';

const STAGES = ['queuedMs', 'mergeMs', 'printMs', 'storeMs'] as const;

/** Wraps the handler to record the renderer's metrics. */
export function withMetrics(metrics: Metrics, handler: TaskHandler): TaskHandler {
  const tasks = metrics.counter({
    name: 'trifold_renderer_tasks_total',
    help: 'Finished tasks, by outcome: completed or the failure code.',
    labelNames: ['outcome'],
  });
  const seconds = metrics.histogram({
    name: 'trifold_renderer_stage_seconds',
    help: 'Time that completed tasks spent in each stage: queued, merge, print, store.',
    labelNames: ['stage'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  });
  const pages = metrics.counter({
    name: 'trifold_renderer_pages_total',
    help: 'Pages of completed PDF documents.',
  });
  return async (task, signal) => {
    const outcome = await handler(task, signal);
    tasks.inc({ outcome: outcome.status === 'failed' ? outcome.failure.code : outcome.status });
    if (outcome.status === 'failed') return outcome;
    pages.inc(outcome.result.pages);
    for (const stage of STAGES) {
      seconds.observe({ stage: stage.slice(0, -2) }, outcome.result.timings[stage] / 1000);
    }
    return outcome;
  };
}

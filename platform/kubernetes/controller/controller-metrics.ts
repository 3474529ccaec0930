import type { Metrics } from '../../service/metrics.ts';

export type ReconcileOutcome =
  | 'success'
  | 'requeue_after'
  | 'conflict'
  | 'error'
  | 'terminal_error'
  | 'aborted';

/** Metrics of controllers. All controllers of a process share one instance. */
export interface ControllerMetrics {
  reconciled(controller: string, outcome: ReconcileOutcome, seconds: number): void;
  observeQueue(controller: string, length: () => number): void;
}

/** Counts reconciles by outcome, measures their duration and reports the number of waiting objects. */
export function controllerMetrics(metrics: Metrics): ControllerMetrics {
  const lengths = new Map<string, () => number>();
  const total = metrics.counter({
    name: 'trifold_controller_reconcile_total',
    help: 'Reconciles by outcome.',
    labelNames: ['controller', 'result'],
  });
  const duration = metrics.histogram({
    name: 'trifold_controller_reconcile_duration_seconds',
    help: 'Time of one reconcile.',
    labelNames: ['controller'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60],
  });
  metrics.gauge({
    name: 'trifold_controller_queue_length',
    help: 'Objects that wait for a reconcile.',
    labelNames: ['controller'],
    collect() {
      for (const [controller, length] of lengths) this.set({ controller }, length());
    },
  });
  return {
    reconciled(controller, result, seconds) {
      total.inc({ controller, result });
      duration.observe({ controller }, seconds);
    },
    observeQueue: (controller, length) => void lengths.set(controller, length),
  };
}

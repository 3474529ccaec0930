import type { GenerationJob } from '@trifold/crds';
import { createdAtOf } from '@trifold/platform/records/documents/accepted-work.ts';
import type { Metrics } from '@trifold/platform/process/metrics.ts';

export interface DocumentMetrics {
  finished(job: GenerationJob): void;
  /** Records a batch item whose final result was just written; `code` is set if it failed. */
  itemFinished(code: string | undefined): void;
}

/**
 * Counts documents by outcome, including items of batches, and shows how many are unfinished. Documents with their own
 * job are timed from acceptance to completion. Batch items wait behind them and would distort the times.
 */
export function documentMetrics(metrics: Metrics, unfinished: () => number): DocumentMetrics {
  const total = metrics.counter({
    name: 'trifold_documents_total',
    help: 'Finished documents, by outcome and error code.',
    labelNames: ['outcome', 'code'],
  });
  const duration = metrics.histogram({
    name: 'trifold_document_duration_seconds',
    help: 'Time from accepting a document to finishing it, excluding batch items.',
    labelNames: ['outcome'],
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  });
  metrics.gaugeOf({ name: 'trifold_unfinished_jobs', help: 'Unfinished documents.' }, unfinished);
  return {
    finished(job) {
      const outcome = job.status?.phase === 'Completed' ? 'completed' : 'failed';
      total.inc({ outcome, code: job.status?.error?.code ?? '' });
      const ended = Date.parse(job.status?.finishedAt ?? '');
      duration.observe({ outcome }, Math.max(0, ended - createdAtOf(job).getTime()) / 1000);
    },
    itemFinished(code) {
      total.inc({ outcome: code === undefined ? 'completed' : 'failed', code: code ?? '' });
    },
  };
}

import type { GenerationJob } from '@trifold/crds';
import { createdAtOf } from '@trifold/platform/records/documents/job-facts.ts';
import type { Metrics } from '@trifold/platform/service/metrics.ts';

/** What the controller tells of documents. */
export interface DocumentMetrics {
  /** The job has just reached its last phase. */
  finished(job: GenerationJob): void;
  /** The end of a batch's item has just been written; with a code if it failed. */
  itemFinished(code: string | undefined): void;
}

/**
 * Counts documents by outcome, items of batches among them, and shows how many are under way. Those with a job of their
 * own are timed from acceptance to the end; items of batches wait behind them and would hide how they fare.
 */
export function documentMetrics(metrics: Metrics, unfinished: () => number): DocumentMetrics {
  const total = metrics.counter({
    name: 'trifold_documents_total',
    help: 'Documents that reached their end, by outcome and error code.',
    labelNames: ['outcome', 'code'],
  });
  const duration = metrics.histogram({
    name: 'trifold_document_duration_seconds',
    help: 'Time from acceptance of a document to its end, without the items of batches.',
    labelNames: ['outcome'],
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  });
  metrics.gauge({
    name: 'trifold_unfinished_jobs',
    help: 'Accepted documents that have not reached their end.',
    collect() {
      this.set(unfinished());
    },
  });
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

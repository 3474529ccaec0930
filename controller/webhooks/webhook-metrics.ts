import { EVENT_TYPES, type DeliveryAttempt } from '@trifold/crds';
import type { Metrics } from '@trifold/platform/process/metrics.ts';

const OUTCOMES = ['delivered', 'exhausted', 'endpoint_deleted', 'superseded'] as const;

const BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export type WebhookMetrics = ReturnType<typeof webhookMetrics>;

/** State that is read on each scrape. */
interface WebhookGauges {
  readonly pending: () => number;
  readonly running: () => number;
  readonly spooled: () => number;
  /**
   * Failure duration of the longest-failing endpoint, up to its last attempt, in milliseconds; 0 if none is failing.
   */
  readonly failingMs: () => number;
}

/** Counts and times attempts and deliveries. */
export function webhookMetrics(metrics: Metrics) {
  const attempts = metrics.counter({
    name: 'trifold_webhook_attempts_total',
    help: 'Attempts to deliver an event, by outcome and error code.',
    labelNames: ['outcome', 'code'],
  });
  const attemptDuration = metrics.histogram({
    name: 'trifold_webhook_attempt_duration_seconds',
    help: 'Duration of one attempt, from the DNS lookup to the response.',
    labelNames: ['outcome'],
    buckets: BUCKETS,
  });
  const deliveries = metrics.counter({
    name: 'trifold_webhook_deliveries_total',
    help: 'Finished deliveries, by event type and outcome.',
    labelNames: ['event', 'outcome'],
  });
  // Each series exists from the start, because the first increment of a series that appears later is not visible.
  for (const event of EVENT_TYPES) {
    for (const outcome of OUTCOMES) deliveries.inc({ event, outcome }, 0);
  }
  const latency = metrics.histogram({
    name: 'trifold_webhook_latency_seconds',
    help: 'Time from an event to its delivery, for events delivered on the first attempt.',
    buckets: BUCKETS,
  });
  const expired = metrics.counter({
    name: 'trifold_webhook_spool_expired_total',
    help: 'Spooled events that were dropped because of their age.',
  });
  return {
    attempted({ error, durationMs }: DeliveryAttempt): void {
      const outcome = error ? 'failed' : 'delivered';
      attempts.inc({ outcome, code: error?.code ?? '' });
      attemptDuration.observe({ outcome }, durationMs / 1000);
    },
    /** `sinceEventMs`: time from the event to its delivery, only if the first attempt succeeded. */
    ended(event: string, outcome: (typeof OUTCOMES)[number], sinceEventMs?: number): void {
      deliveries.inc({ event, outcome });
      if (sinceEventMs !== undefined) latency.observe(Math.max(0, sinceEventMs) / 1000);
    },
    /** Records spooled events that expired. */
    expired(count: number): void {
      expired.inc(count);
    },
  };
}

/** Exposes pending deliveries. */
export function webhookGauges(
  metrics: Metrics,
  { pending, running, spooled, failingMs }: WebhookGauges,
): void {
  const pendingHelp = 'Deliveries waiting for an attempt or its outcome.';
  metrics.gaugeOf({ name: 'trifold_webhook_pending', help: pendingHelp }, pending);
  metrics.gaugeOf({ name: 'trifold_webhook_attempts_running', help: 'Attempts in flight.' }, running);
  const failingHelp =
    'Time from the first failed attempt to the last, for the endpoint that has been failing longest and had an attempt within the last day.';
  metrics.gaugeOf({ name: 'trifold_webhook_failing_seconds', help: failingHelp }, () => failingMs() / 1000);
  const spooledHelp = 'Events waiting in the object store because too many deliveries are pending.';
  metrics.gaugeOf({ name: 'trifold_webhook_spooled', help: spooledHelp }, spooled);
}

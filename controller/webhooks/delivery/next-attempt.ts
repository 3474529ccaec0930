import type { WebhookDelivery } from '@trifold/crds';

/**
 * The wait before each attempt, in milliseconds; the first one counts from the delivery's creation. The setting
 * TRIFOLD_WEBHOOK_RETRY_SCHEDULE (platform/settings/webhook-retry-schedule.ts) contains them and has a default.
 */
export type RetrySchedule = readonly number[];

/**
 * Returns the time of the next attempt. Before the first attempt, the schedule starts at the delivery's creation, which
 * the API server records in whole seconds; a first wait of 0 means no wait.
 */
export function dueAt({ metadata, status }: WebhookDelivery, schedule: RetrySchedule): number {
  const next = Date.parse(status?.nextAttemptAt ?? '');
  if (!Number.isNaN(next)) return next;
  const [firstWait = 0] = schedule;
  return firstWait === 0 ? -Infinity : Date.parse(metadata.creationTimestamp) + firstWait;
}

/**
 * Returns the time of the attempt after this many failed ones; undefined after the last. `retryAfterMs`: wait requested
 * by the receiver, which can only postpone the attempt.
 */
export function nextAttemptAt(
  { spec }: WebhookDelivery,
  schedule: RetrySchedule,
  { failed, retryAfterMs, now }: { failed: number; retryAfterMs: number; now: Date },
): Date | undefined {
  const waitMs = spec.once ? undefined : schedule[failed];
  return waitMs === undefined ? undefined : new Date(now.getTime() + Math.max(waitMs, retryAfterMs));
}

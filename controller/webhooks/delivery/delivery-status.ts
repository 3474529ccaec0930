import {
  MOST_ATTEMPTS,
  retryOf,
  withCondition,
  type Condition,
  type DeliveryAttempt,
  type DeliveryError,
  type WebhookDelivery,
  type WebhookDeliveryStatus,
} from '@trifold/crds';
import type { WebhooksConfig } from '../config.ts';

/** Why a delivery fails without another attempt. */
export type GivenUp = 'EndpointDeleted' | 'Superseded';

/** Outcome of an attempt, and the delay that its receiver asks for. */
export interface AttemptOutcome {
  readonly attempt: DeliveryAttempt;
  readonly retryAfterMs?: number;
}

const GIVEN_UP: Readonly<Record<GivenUp, DeliveryError>> = {
  EndpointDeleted: { code: 'endpoint_deleted', message: 'the endpoint was deleted before it was delivered' },
  Superseded: { code: 'superseded', message: 'a later event of the batch takes its place' },
};

/**
 * Returns the time of the next attempt. Before the first attempt, the schedule counts from the creation of the
 * delivery, which the API server records in whole seconds; a first wait of 0 means no wait.
 */
export function dueAt({ metadata, status }: WebhookDelivery, schedule: readonly number[]): number {
  const next = Date.parse(status?.nextAttemptAt ?? '');
  if (!Number.isNaN(next)) return next;
  const [firstWait = 0] = schedule;
  return firstWait === 0 ? -Infinity : Date.parse(metadata.creationTimestamp) + firstWait;
}

/** Returns the status after an attempt. */
export function attemptedStatus(
  delivery: WebhookDelivery,
  { attempt, retryAfterMs = 0 }: AttemptOutcome,
  schedule: readonly number[],
  now: Date,
): WebhookDeliveryStatus {
  const noted = notedOf(delivery, attempt);
  const { attemptCount } = noted;
  if (!attempt.error) return deliveredStatus(delivery, noted, now);
  const waitMs = delivery.spec.once ? undefined : schedule[attemptCount];
  if (waitMs === undefined) return exhaustedStatus(delivery, noted, attempt.error, now);
  const nextAttemptAt = new Date(now.getTime() + Math.max(waitMs, retryAfterMs)).toISOString();
  const message = `attempt ${attemptCount} failed: ${attempt.error.message}; the next one is at ${nextAttemptAt}`;
  return {
    ...kept(delivery),
    ...noted,
    ...observed(delivery, [{ type: 'Delivered', status: 'False', reason: 'Retrying', message }], now),
    phase: 'Pending',
    nextAttemptAt,
  };
}

/**
 * Returns the status without the answer to the last attempt, which a server may reject; time and error of the attempt
 * stay.
 */
export function withBareAttempt(whole: WebhookDeliveryStatus): WebhookDeliveryStatus {
  const { lastStatus: _, attempts = [], ...status } = whole;
  const bare = attempts.slice(-1).map(({ status: _status, answer: _answer, ...attempt }) => attempt);
  return { ...status, attempts: [...attempts.slice(0, -1), ...bare] };
}

/** Returns the status of a delivery that fails without another attempt. */
export function givenUpStatus(delivery: WebhookDelivery, why: GivenUp, now: Date): WebhookDeliveryStatus {
  const error = GIVEN_UP[why];
  const { attempts, attemptCount, lastStatus } = delivery.status ?? {};
  return {
    ...kept(delivery),
    ...(attempts && { attempts }),
    attemptCount: attemptCount ?? 0,
    ...(lastStatus !== undefined && { lastStatus }),
    lastError: error,
    ...observed(delivery, [{ type: 'Delivered', status: 'False', reason: why, message: error.message }], now),
    phase: 'Failed',
    finishedAt: now.toISOString(),
    ...heededRetry(delivery),
  };
}

/** Returns the status of a failed delivery for which one more attempt is requested. */
export function retriedStatus(delivery: WebhookDelivery, now: Date): WebhookDeliveryStatus {
  const { finishedAt: _, ...status } = delivery.status ?? {};
  const message = 'it was asked for one more attempt';
  return {
    ...status,
    ...observed(delivery, [{ type: 'Delivered', status: 'False', reason: 'RetryRequested', message }], now),
    phase: 'Pending',
    nextAttemptAt: now.toISOString(),
    ...heededRetry(delivery),
  };
}

/** Returns how long a settled delivery is still kept, in milliseconds; an end in the future counts as now. */
export function keptFor(
  { metadata, status }: WebhookDelivery,
  { keepDeliveredMs, keepFailedMs }: Pick<WebhooksConfig, 'keepDeliveredMs' | 'keepFailedMs'>,
  now: Date,
): number {
  const ended = Date.parse(status?.finishedAt ?? metadata.creationTimestamp);
  const keepMs = status?.phase === 'Delivered' ? keepDeliveredMs : keepFailedMs;
  return Math.min(ended, now.getTime()) + keepMs - now.getTime();
}

type Noted = Pick<WebhookDeliveryStatus, 'attempts' | 'lastStatus' | 'lastError'> & {
  readonly attemptCount: number;
};

function notedOf({ status }: WebhookDelivery, attempt: DeliveryAttempt): Noted {
  return {
    attempts: [...(status?.attempts ?? []), attempt].slice(-MOST_ATTEMPTS),
    attemptCount: (status?.attemptCount ?? 0) + 1,
    ...(attempt.status !== undefined && { lastStatus: attempt.status }),
    ...(attempt.error && { lastError: attempt.error }),
  };
}

function deliveredStatus(delivery: WebhookDelivery, noted: Noted, now: Date): WebhookDeliveryStatus {
  const message = `the endpoint answered ${noted.lastStatus}`;
  return {
    ...kept(delivery),
    ...noted,
    ...observed(
      delivery,
      [
        { type: 'Delivered', status: 'True', reason: 'Answered', message },
        { type: 'Exhausted', status: 'False', reason: 'Delivered', message },
      ],
      now,
    ),
    phase: 'Delivered',
    finishedAt: now.toISOString(),
    ...heededRetry(delivery),
  };
}

function exhaustedStatus(
  delivery: WebhookDelivery,
  noted: Noted,
  error: DeliveryError,
  now: Date,
): WebhookDeliveryStatus {
  const message = `attempt ${noted.attemptCount} was the last: ${error.message}`;
  return {
    ...kept(delivery),
    ...noted,
    ...observed(
      delivery,
      [
        { type: 'Delivered', status: 'False', reason: 'NotDelivered', message },
        { type: 'Exhausted', status: 'True', reason: 'NoAttemptLeft', message },
      ],
      now,
    ),
    phase: 'Failed',
    finishedAt: now.toISOString(),
    ...heededRetry(delivery),
  };
}

/** Returns what every status keeps. */
function kept({ status }: WebhookDelivery): Pick<WebhookDeliveryStatus, 'retry'> {
  return status?.retry === undefined ? {} : { retry: status.retry };
}

/** Records the requested retry: a request from before the end starts no other round after it. */
function heededRetry(delivery: WebhookDelivery): Pick<WebhookDeliveryStatus, 'retry'> {
  const retry = retryOf(delivery);
  return retry === undefined ? {} : { retry };
}

function observed(
  { metadata, status }: WebhookDelivery,
  conditions: readonly Omit<Condition, 'lastTransitionTime' | 'observedGeneration'>[],
  now: Date,
): { observedGeneration: number; conditions: Condition[] } {
  const observedGeneration = metadata.generation;
  const next = conditions.reduce(
    (list, condition) => withCondition(list, { ...condition, observedGeneration }, now),
    status?.conditions ?? [],
  );
  return { observedGeneration, conditions: next };
}

import {
  MAX_ATTEMPTS,
  retryOf,
  type DeliveryAttempt,
  type DeliveryError,
  type WebhookDelivery,
  type WebhookDeliveryStatus,
} from '@trifold/crds';
import { observed, type Observation } from '@trifold/platform/kubernetes/controller/observed.ts';
import type { WebhooksConfig } from '../config.ts';
import { nextAttemptAt, type RetrySchedule } from './next-attempt.ts';

/** Reason to fail a delivery without another attempt. */
export type GivenUp = 'EndpointDeleted' | 'Superseded';

/** Outcome of an attempt, and the delay requested by the receiver. */
export interface AttemptOutcome {
  readonly attempt: DeliveryAttempt;
  readonly retryAfterMs?: number;
}

const GIVEN_UP: Readonly<Record<GivenUp, DeliveryError>> = {
  EndpointDeleted: { code: 'endpoint_deleted', message: 'the endpoint was deleted before delivery' },
  Superseded: { code: 'superseded', message: 'a later event for the batch replaced this one' },
};

/** Returns the status after an attempt. */
export function attemptedStatus(
  delivery: WebhookDelivery,
  { attempt, retryAfterMs = 0 }: AttemptOutcome,
  schedule: RetrySchedule,
  now: Date,
): WebhookDeliveryStatus {
  const { status: lastStatus, error } = attempt;
  const { attempts = [], attemptCount: before = 0, retry } = delivery.status ?? {};
  const attemptCount = before + 1;
  const log = {
    attempts: [...attempts, attempt].slice(-MAX_ATTEMPTS),
    attemptCount,
    ...(lastStatus !== undefined && { lastStatus }),
    ...(error && { lastError: error }),
  };
  if (!error) {
    const message = `the endpoint returned ${lastStatus}`;
    const delivered: Observation = { type: 'Delivered', status: 'True', reason: 'Answered', message };
    const exhausted: Observation = { type: 'Exhausted', status: 'False', reason: 'Delivered', message };
    return { ...log, ...endedStatus(delivery, 'Delivered', [delivered, exhausted], now) };
  }
  const next = nextAttemptAt(delivery, schedule, { failed: attemptCount, retryAfterMs, now });
  if (!next) {
    const message = `attempt ${attemptCount} was the last: ${error.message}`;
    const delivered: Observation = { type: 'Delivered', status: 'False', reason: 'NotDelivered', message };
    const exhausted: Observation = { type: 'Exhausted', status: 'True', reason: 'NoAttemptLeft', message };
    return { ...log, ...endedStatus(delivery, 'Failed', [delivered, exhausted], now) };
  }
  const at = next.toISOString();
  const message = `attempt ${attemptCount} failed: ${error.message}; next attempt at ${at}`;
  return {
    ...log,
    ...retryMember(retry),
    ...observed(delivery, [{ type: 'Delivered', status: 'False', reason: 'Retrying', message }], now),
    phase: 'Pending',
    nextAttemptAt: at,
  };
}

/**
 * Returns the status without the response to the last attempt, which a server may reject; the attempt's time and error
 * are kept.
 */
export function withBareAttempt(whole: WebhookDeliveryStatus): WebhookDeliveryStatus {
  const { lastStatus: _, attempts = [], ...status } = whole;
  const bare = attempts.slice(-1).map(({ status: _status, answer: _answer, ...attempt }) => attempt);
  return { ...status, attempts: [...attempts.slice(0, -1), ...bare] };
}

/** Returns the status of a delivery that fails without another attempt. */
export function givenUpStatus(delivery: WebhookDelivery, why: GivenUp, now: Date): WebhookDeliveryStatus {
  const lastError = GIVEN_UP[why];
  const { attempts, attemptCount = 0, lastStatus } = delivery.status ?? {};
  const { message } = lastError;
  return {
    ...(attempts && { attempts }),
    attemptCount,
    ...(lastStatus !== undefined && { lastStatus }),
    lastError,
    ...endedStatus(delivery, 'Failed', [{ type: 'Delivered', status: 'False', reason: why, message }], now),
  };
}

/** Returns the status of a failed or waiting delivery for which an attempt is requested. */
export function retriedStatus(delivery: WebhookDelivery, now: Date): WebhookDeliveryStatus {
  const { finishedAt: _, ...status } = delivery.status ?? {};
  const message = 'one more attempt was requested';
  return {
    ...status,
    ...observed(delivery, [{ type: 'Delivered', status: 'False', reason: 'RetryRequested', message }], now),
    phase: 'Pending',
    nextAttemptAt: now.toISOString(),
    ...handledRetry(delivery),
  };
}

/** Returns the remaining retention of a settled delivery, in milliseconds; an end time in the future counts as now. */
export function keptFor(
  { metadata, status }: WebhookDelivery,
  { keepDeliveredMs, keepFailedMs }: Pick<WebhooksConfig, 'keepDeliveredMs' | 'keepFailedMs'>,
  now: Date,
): number {
  const ended = Date.parse(status?.finishedAt ?? metadata.creationTimestamp);
  const keepMs = status?.phase === 'Delivered' ? keepDeliveredMs : keepFailedMs;
  return Math.min(ended, now.getTime()) + keepMs - now.getTime();
}

function endedStatus(
  delivery: WebhookDelivery,
  phase: 'Delivered' | 'Failed',
  conditions: readonly Observation[],
  now: Date,
): WebhookDeliveryStatus {
  const finishedAt = now.toISOString();
  return { ...observed(delivery, conditions, now), phase, finishedAt, ...handledRetry(delivery) };
}

/** Records the requested retry, so that a request from before the end does not start another round after it. */
function handledRetry(delivery: WebhookDelivery): Pick<WebhookDeliveryStatus, 'retry'> {
  return retryMember(retryOf(delivery) ?? delivery.status?.retry);
}

function retryMember(retry: string | undefined): Pick<WebhookDeliveryStatus, 'retry'> {
  return retry === undefined ? {} : { retry };
}

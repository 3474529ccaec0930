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

/** Why a delivery is given up without another attempt. */
export type GivenUp = 'EndpointDeleted' | 'Superseded';

/** How an attempt went, and how long its receiver asks to be left alone. */
export interface AttemptOutcome {
  readonly attempt: DeliveryAttempt;
  readonly retryAfterMs?: number;
}

const GIVEN_UP: Readonly<Record<GivenUp, DeliveryError>> = {
  EndpointDeleted: { code: 'endpoint_deleted', message: 'the endpoint was deleted before it was delivered' },
  Superseded: { code: 'superseded', message: 'a later event of the batch takes its place' },
};

/**
 * When the next attempt is due. Of a delivery that had none the schedule counts from its creation, which the API server
 * knows in whole seconds: a first wait of none is none.
 */
export function dueAt({ metadata, status }: WebhookDelivery, schedule: readonly number[]): number {
  const next = Date.parse(status?.nextAttemptAt ?? '');
  if (!Number.isNaN(next)) return next;
  const [firstWait = 0] = schedule;
  return firstWait === 0 ? -Infinity : Date.parse(metadata.creationTimestamp) + firstWait;
}

/** The status after an attempt. */
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

/** The same without what was answered to the last attempt, which a server may refuse: when it was and why it failed. */
export function withBareAttempt(whole: WebhookDeliveryStatus): WebhookDeliveryStatus {
  const { lastStatus: _, attempts = [], ...status } = whole;
  const bare = attempts.slice(-1).map(({ status: _status, answer: _answer, ...attempt }) => attempt);
  return { ...status, attempts: [...attempts.slice(0, -1), ...bare] };
}

/** The status of a delivery for which nothing more is done. */
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

/** The status of a failed delivery of which somebody wants one more attempt. */
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

/** For how long a settled delivery is still kept, in milliseconds; what ends in the future ended now. */
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

/** What stays whatever happens. */
function kept({ status }: WebhookDelivery): Pick<WebhookDeliveryStatus, 'retry'> {
  return status?.retry === undefined ? {} : { retry: status.retry };
}

/** What was asked for before the end does not begin another round after it. */
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

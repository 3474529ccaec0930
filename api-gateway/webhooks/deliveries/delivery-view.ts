import {
  isRetryAsked,
  timeOfId,
  type DeliveryAttempt,
  type DeliveryError,
  type WebhookDelivery,
} from '@trifold/crds';
import type { DeliveryEntry, DeliveryState, DeliveryView } from './delivery-body.ts';

const STATES = { Pending: 'pending', Delivered: 'delivered', Failed: 'failed' } as const;

/** Returns the list view of a delivery. */
export function deliveryEntryOf(delivery: WebhookDelivery): DeliveryEntry {
  return { ...commonOf(delivery), attempts: delivery.status?.attemptCount ?? 0, ...timesOf(delivery) };
}

/** Returns the full view of a delivery. */
export function deliveryViewOf(delivery: WebhookDelivery): DeliveryView {
  const { spec, status = {} } = delivery;
  const state = stateOf(delivery);
  return {
    ...commonOf(delivery),
    attempts: (status.attempts ?? []).map(attemptOf),
    ...timesOf(delivery),
    url: spec.url ?? null,
    error: state === 'delivered' ? null : errorOf(status.lastError),
    finished_at: state === 'pending' ? null : (status.finishedAt ?? null),
    payload: spec.event.payload,
  };
}

/** A failed delivery with a requested retry is pending. */
export function stateOf(delivery: WebhookDelivery): DeliveryState {
  const state = STATES[delivery.status?.phase ?? 'Pending'];
  return state === 'failed' && isRetryAsked(delivery) ? 'pending' : state;
}

/**
 * Time of the event: the time in the delivery's ID. A delivery created manually may have a name without a time and an
 * invalid event time, such as one 99 hours off UTC; then its creation time is used.
 */
export function createdAtOf({ metadata, spec }: WebhookDelivery): Date {
  const time = timeOfId(metadata.name) ?? new Date(spec.event.createdAt);
  return Number.isNaN(time.getTime()) ? new Date(metadata.creationTimestamp) : time;
}

function commonOf(delivery: WebhookDelivery) {
  const { metadata, spec } = delivery;
  return {
    id: metadata.name,
    event_id: spec.event.id,
    event_type: spec.event.type,
    subject: spec.subject?.name ?? null,
    endpoint: spec.endpointRef?.name ?? null,
    status: stateOf(delivery),
  };
}

function timesOf(delivery: WebhookDelivery) {
  const next = delivery.status?.phase === 'Pending' ? delivery.status.nextAttemptAt : undefined;
  return { next_attempt_at: next ?? null, created_at: createdAtOf(delivery).toISOString() };
}

function attemptOf({ deliveryId, at, durationMs, status, error, answer }: DeliveryAttempt) {
  return {
    id: deliveryId,
    at,
    duration_ms: durationMs,
    status: status ?? null,
    error: errorOf(error),
    answer: answer ?? null,
  };
}

function errorOf(error: DeliveryError | undefined) {
  return error ? { code: error.code, message: error.message } : null;
}

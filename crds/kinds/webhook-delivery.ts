import { Type, type Static } from 'typebox';
import { exactlyOneOf, immutableMembers } from '../schema/cel.ts';
import { ConditionList, ObservedGeneration } from '../conditions.ts';
import { EndpointRef } from './deliver-to.ts';
import { derivedId } from '../ids.ts';
import { EndpointUrl } from '../schema/endpoint-url.ts';
import { encodeEvent, EVENT_TYPES, type WebhookEvent } from '../events.ts';
import { Failure } from '../schema/failure.ts';
import { defineKind } from '../schema/kind.ts';
import type { Draft, Resource } from '../schema/resource.ts';
import { Count, StringEnum, Timestamp, WorkRef } from '../schema/schema.ts';

/**
 * Annotation: a new value requests one more attempt for a failed delivery, or brings the next attempt of a waiting one
 * forward.
 */
export const RETRY_ANNOTATION = 'trifold.dev/retry';

/** Maximum length of this annotation's value in the status, in characters. */
const MAX_RETRY_LENGTH = 256;

/** Maximum length of an event as JSON, in characters; actual events are far smaller. */
export const MAX_PAYLOAD_LENGTH = 32 * 1024;

/** Maximum number of attempts kept; if manual retries exceed it, the latest are kept. */
export const MAX_ATTEMPTS = 32;

/** Maximum number of characters kept from a response body (interface-choices: the first 1 KiB). */
export const MAX_RESPONSE_LENGTH = 1024;

export const WebhookDeliverySpec = Type.Object(
  {
    event: Type.Object(
      {
        id: Type.String({ minLength: 1, maxLength: 63, description: 'ID of the event (evt-…).' }),
        type: StringEnum(EVENT_TYPES, { description: 'Event type.' }),
        createdAt: Timestamp({ description: 'Time of the event.' }),
        payload: Type.String({
          minLength: 2,
          maxLength: MAX_PAYLOAD_LENGTH,
          description: 'Request body; the same bytes on every attempt.',
        }),
      },
      { description: 'The event.' },
    ),
    endpointRef: Type.Optional(EndpointRef),
    url: Type.Optional(
      EndpointUrl({ description: 'Callback URL of one request; its notifications are not signed.' }),
    ),
    subject: Type.Optional(WorkRef('Subject of the event.')),
    sequence: Type.Optional(
      Count(
        'Position among the events for one subject. Those events are delivered one at a time, and a later event replaces an undelivered batch.progress.',
      ),
    ),
    once: Type.Optional(
      Type.Boolean({ description: 'Whether the delivery is attempted only once, as in an endpoint test.' }),
    ),
  },
  { description: 'Event and destination. Immutable.' },
);
export type WebhookDeliverySpec = Static<typeof WebhookDeliverySpec>;

/** Reason why an attempt failed: a stable code for programs and a sentence for users. */
export const DeliveryError = Failure(1024, 'Reason for the failure.');
export type DeliveryError = Static<typeof DeliveryError>;

export const DeliveryAttempt = Type.Object(
  {
    deliveryId: Type.String({
      minLength: 1,
      maxLength: 63,
      description: 'X-Trifold-Delivery-ID of this attempt (dlv-…).',
    }),
    at: Timestamp({ description: 'Start of the attempt.' }),
    durationMs: Count('Duration in milliseconds.'),
    status: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 999,
        description: 'HTTP status of the response, if there was one.',
      }),
    ),
    error: Type.Optional(DeliveryError),
    answer: Type.Optional(
      Type.String({ maxLength: MAX_RESPONSE_LENGTH, description: 'First 1 KiB of the response.' }),
    ),
  },
  { description: 'One attempt. If `error` is absent, the attempt succeeded.' },
);
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

export const WebhookDeliveryStatus = Type.Object(
  {
    observedGeneration: Type.Optional(ObservedGeneration),
    phase: Type.Optional(
      StringEnum(['Pending', 'Delivered', 'Failed'], {
        description: 'State of the delivery. If it is absent, the delivery is pending.',
      }),
    ),
    conditions: Type.Optional(ConditionList()),
    attempts: Type.Optional(
      Type.Array(DeliveryAttempt, {
        maxItems: MAX_ATTEMPTS,
        description: 'Latest attempts, oldest first.',
        'x-kubernetes-list-type': 'atomic',
      }),
    ),
    attemptCount: Type.Optional(Count('Number of attempts.')),
    lastStatus: Type.Optional(Type.Integer({ description: 'HTTP status of the last attempt.' })),
    lastError: Type.Optional(DeliveryError),
    nextAttemptAt: Type.Optional(
      Timestamp({ description: 'Time of the next attempt while the delivery is pending.' }),
    ),
    finishedAt: Type.Optional(Timestamp({ description: 'Time of delivery or of the final failure.' })),
    retry: Type.Optional(
      Type.String({
        maxLength: MAX_RETRY_LENGTH,
        description: 'Last processed value of the trifold.dev/retry annotation.',
      }),
    ),
  },
  { description: 'Progress of the delivery.' },
);
export type WebhookDeliveryStatus = Static<typeof WebhookDeliveryStatus>;

export type WebhookDelivery = Resource<WebhookDeliverySpec, WebhookDeliveryStatus>;

export const WEBHOOK_DELIVERY = defineKind<WebhookDeliverySpec, WebhookDeliveryStatus>({
  kind: 'WebhookDelivery',
  plural: 'webhookdeliveries',
  singular: 'webhookdelivery',
  shortNames: ['whd'],
  description: 'One event for one destination, with its attempts. The spec is immutable.',
  spec: WebhookDeliverySpec,
  status: WebhookDeliveryStatus,
  columns: [
    { name: 'Event', type: 'string', jsonPath: '.spec.event.type' },
    { name: 'Endpoint', type: 'string', jsonPath: '.spec.endpointRef.name' },
    { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
    { name: 'Attempts', type: 'integer', jsonPath: '.status.attemptCount' },
    {
      name: 'Status',
      type: 'integer',
      jsonPath: '.status.lastStatus',
      description: 'HTTP status of the last response.',
    },
    { name: 'Error', type: 'string', jsonPath: '.status.lastError.code' },
    // Not of type date: kubectl shows dates as an age, and this time is in the future.
    { name: 'Next Attempt', type: 'string', jsonPath: '.status.nextAttemptAt' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Subject', type: 'string', jsonPath: '.spec.subject.name', priority: 1 },
    { name: 'URL', type: 'string', jsonPath: '.spec.url', description: 'URL of a callback.', priority: 1 },
    { name: 'Message', type: 'string', jsonPath: '.status.lastError.message', priority: 1 },
  ],
  selectableFields: ['.spec.event.type', '.spec.endpointRef.name', '.status.phase'],
  rules: [
    { path: ['spec'], rule: exactlyOneOf('endpointRef', 'url') },
    {
      path: ['spec'],
      rule: immutableMembers('event', 'endpointRef', 'url', 'subject', 'sequence', 'once'),
    },
  ],
});

/** Destination of an event: an endpoint, with a signature, or the callback of one request. */
export type Destination = { readonly endpointRef: EndpointRef } | { readonly url: string };

/** Returns the deterministic name of an event's delivery to a destination; names sort by event time. */
export function deliveryNameOf(event: Pick<WebhookEvent, 'id' | 'createdAt'>, to: Destination): string {
  const destination = 'url' in to ? 'callback' : to.endpointRef.uid;
  return derivedId('whd', event.createdAt, `${event.id} ${destination}`);
}

/** Returns the delivery of an event to a destination. Creating it a second time fails with AlreadyExists. */
export function deliveryOf(
  account: string,
  event: WebhookEvent,
  to: Destination,
  details: Pick<WebhookDeliverySpec, 'subject' | 'sequence' | 'once'> = {},
): Draft<WebhookDelivery> {
  return {
    metadata: { name: deliveryNameOf(event, to), namespace: account },
    spec: {
      event: {
        id: event.id,
        type: event.type,
        createdAt: event.createdAt.toISOString(),
        payload: encodeEvent(event),
      },
      ...to,
      ...details,
    },
  };
}

/** Returns the retry request as recorded in `status.retry`; undefined if there is none. */
export function retryOf({ metadata }: WebhookDelivery): string | undefined {
  // The API server replaces lone surrogates.
  return metadata.annotations?.[RETRY_ANNOTATION]?.slice(0, MAX_RETRY_LENGTH).toWellFormed();
}

/** Whether a retry was requested and has not been handled yet. */
export function isRetryAsked(delivery: WebhookDelivery): boolean {
  const asked = retryOf(delivery);
  return asked !== undefined && asked !== delivery.status?.retry;
}

/** Whether the delivery has ended, unless a retry is requested. */
export function isSettled({ status }: WebhookDelivery): boolean {
  return status?.phase === 'Delivered' || status?.phase === 'Failed';
}

import { Type, type Static } from 'typebox';
import { exactlyOneOf, immutableMembers } from '../schema/cel.ts';
import { ConditionList, ObservedGeneration } from '../conditions.ts';
import { EndpointRef } from './deliver-to.ts';
import { derivedId } from '../derived-id.ts';
import { EndpointUrl } from '../schema/endpoint-url.ts';
import { encodeEvent, EVENT_TYPES, type WebhookEvent } from '../events.ts';
import { Failure } from '../schema/failure.ts';
import { defineKind } from '../schema/kind.ts';
import type { Draft, Resource } from '../schema/resource.ts';
import { StringEnum, Timestamp } from '../schema/schema.ts';

/** Annotation: a new value asks for one more attempt of a delivery that has failed. */
export const RETRY_ANNOTATION = 'trifold.dev/retry';

/** Characters of its value that are remembered as heeded. */
const LONGEST_RETRY = 256;

/** Characters an event may have as JSON; what is in one is bounded far below. */
export const LONGEST_PAYLOAD = 32 * 1024;

/** Attempts that are kept; of more, by manual retries, the latest. */
export const MOST_ATTEMPTS = 32;

/** Characters of an answer that are kept (interface-choices: the first 1 KiB). */
export const LONGEST_ANSWER = 1024;

export const DELIVERY_PHASES = ['Pending', 'Delivered', 'Failed'] as const;
export type DeliveryPhase = (typeof DELIVERY_PHASES)[number];

export const WebhookDeliverySpec = Type.Object(
  {
    event: Type.Object(
      {
        id: Type.String({ minLength: 1, maxLength: 63, description: 'Id of the event: evt-….' }),
        type: StringEnum(EVENT_TYPES, { description: 'Type of the event.' }),
        createdAt: Timestamp({ description: 'Time of the event.' }),
        payload: Type.String({
          minLength: 2,
          maxLength: LONGEST_PAYLOAD,
          description: 'Body of the request: the same bytes on every attempt.',
        }),
      },
      { description: 'What is told.' },
    ),
    endpointRef: Type.Optional(EndpointRef),
    url: Type.Optional(EndpointUrl({ description: 'Callback of one request; it is not signed.' })),
    subject: Type.Optional(
      Type.Object(
        {
          kind: Type.String({ minLength: 1, maxLength: 63, description: 'GenerationJob or Batch.' }),
          name: Type.String({ minLength: 1, maxLength: 253, description: 'Name.' }),
          uid: Type.String({ minLength: 1, maxLength: 64, description: 'Its uid.' }),
        },
        { description: 'What the event tells of.' },
      ),
    ),
    place: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Place among the events of its subject that are told in order: one at a time, and a later one takes the place of a batch.progress that is not delivered.',
      }),
    ),
    once: Type.Optional(
      Type.Boolean({ description: 'Whether there is one attempt only, as for a test of an endpoint.' }),
    ),
  },
  { description: 'What is delivered to whom. It cannot be changed.' },
);
export type WebhookDeliverySpec = Static<typeof WebhookDeliverySpec>;

/** Why an attempt failed: a stable code for programs and a sentence for people. */
export const DeliveryError = Failure(1024, 'Why it failed.');
export type DeliveryError = Static<typeof DeliveryError>;

export const DeliveryAttempt = Type.Object(
  {
    deliveryId: Type.String({
      minLength: 1,
      maxLength: 63,
      description: 'X-Trifold-Delivery-ID of this attempt: dlv-….',
    }),
    at: Timestamp({ description: 'Start of the attempt.' }),
    durationMs: Type.Integer({ minimum: 0, description: 'Duration in milliseconds.' }),
    status: Type.Optional(
      Type.Integer({
        minimum: 100,
        maximum: 999,
        description: 'HTTP status of the answer, if there was one.',
      }),
    ),
    error: Type.Optional(DeliveryError),
    answer: Type.Optional(
      Type.String({ maxLength: LONGEST_ANSWER, description: 'First 1 KiB of the answer.' }),
    ),
  },
  { description: 'One attempt. Without `error` it succeeded.' },
);
export type DeliveryAttempt = Static<typeof DeliveryAttempt>;

export const WebhookDeliveryStatus = Type.Object(
  {
    observedGeneration: Type.Optional(ObservedGeneration),
    phase: Type.Optional(
      StringEnum(DELIVERY_PHASES, {
        description: 'Whether it was delivered; pending when left out. A failed one can be retried.',
      }),
    ),
    conditions: Type.Optional(ConditionList()),
    attempts: Type.Optional(
      Type.Array(DeliveryAttempt, {
        maxItems: MOST_ATTEMPTS,
        description: 'Every attempt, the latest last.',
        'x-kubernetes-list-type': 'atomic',
      }),
    ),
    attemptCount: Type.Optional(Type.Integer({ minimum: 0, description: 'Number of attempts.' })),
    lastStatus: Type.Optional(Type.Integer({ description: 'HTTP status of the last attempt.' })),
    lastError: Type.Optional(DeliveryError),
    nextAttemptAt: Type.Optional(
      Timestamp({ description: 'When the next attempt is due; while it is pending.' }),
    ),
    finishedAt: Type.Optional(Timestamp({ description: 'Time of the delivery or of the final failure.' })),
    retry: Type.Optional(
      Type.String({
        maxLength: LONGEST_RETRY,
        description: 'Value of the annotation trifold.dev/retry that was heeded.',
      }),
    ),
  },
  { description: 'What came of it so far.' },
);
export type WebhookDeliveryStatus = Static<typeof WebhookDeliveryStatus>;

export type WebhookDelivery = Resource<WebhookDeliverySpec, WebhookDeliveryStatus>;

export const WEBHOOK_DELIVERY = defineKind<WebhookDeliverySpec, WebhookDeliveryStatus>({
  kind: 'WebhookDelivery',
  plural: 'webhookdeliveries',
  singular: 'webhookdelivery',
  shortNames: ['whd'],
  description: 'One event on its way to one destination, and the log of it. The spec cannot be changed.',
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
      description: 'HTTP status of the last answer.',
    },
    { name: 'Error', type: 'string', jsonPath: '.status.lastError.code' },
    // Not a date: kubectl shows how long ago those were, and this one is to come.
    { name: 'Next Attempt', type: 'string', jsonPath: '.status.nextAttemptAt' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Subject', type: 'string', jsonPath: '.spec.subject.name', priority: 1 },
    { name: 'URL', type: 'string', jsonPath: '.spec.url', description: 'Of a callback.', priority: 1 },
    { name: 'Message', type: 'string', jsonPath: '.status.lastError.message', priority: 1 },
  ],
  selectableFields: ['.spec.event.type', '.spec.endpointRef.name', '.status.phase'],
  rules: [
    { path: ['spec'], rule: exactlyOneOf('endpointRef', 'url') },
    {
      path: ['spec'],
      rule: immutableMembers('event', 'endpointRef', 'url', 'subject', 'place', 'once'),
    },
  ],
});

/** Where an event goes: to an endpoint, signed, or to the callback of one request. */
export type Destination = { readonly endpointRef: EndpointRef } | { readonly url: string };

/** What a delivery is beside event and destination. */
export type DeliveryDetails = Pick<WebhookDeliverySpec, 'subject' | 'place' | 'once'>;

/** Name of the delivery of an event to a destination: always the same, in the order of the events' times. */
export function deliveryNameOf(event: Pick<WebhookEvent, 'id' | 'createdAt'>, to: Destination): string {
  const destination = 'url' in to ? 'callback' : to.endpointRef.uid;
  return derivedId('whd', event.createdAt, `${event.id} ${destination}`);
}

/** The delivery of an event to a destination. Created twice, the second is refused with AlreadyExists. */
export function deliveryOf(
  account: string,
  event: WebhookEvent,
  to: Destination,
  details: DeliveryDetails = {},
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

/** What asks for one more attempt, as `status.retry` remembers it; undefined when nothing does, or ever did. */
export function retryOf({ metadata }: WebhookDelivery): string | undefined {
  // Half a character is kept by the API server as another one.
  return metadata.annotations?.[RETRY_ANNOTATION]?.slice(0, LONGEST_RETRY).toWellFormed();
}

/** Whether somebody asks for one more attempt, and was not heeded yet. */
export function isRetryAsked(delivery: WebhookDelivery): boolean {
  const asked = retryOf(delivery);
  return asked !== undefined && asked !== delivery.status?.retry;
}

/** Whether there is nothing more to be done for it, unless somebody asks for a retry. */
export function isSettled({ status }: WebhookDelivery): boolean {
  return status?.phase === 'Delivered' || status?.phase === 'Failed';
}

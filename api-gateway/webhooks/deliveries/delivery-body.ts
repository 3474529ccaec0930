import { EVENT_TYPES, StringEnum, Timestamp } from '@trifold/crds';
import { Type, type Static } from 'typebox';
import { pageOf, pageQuery } from '../../server/pagination/page.ts';

/** States of a delivery. */
export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Query of GET /v1/webhooks/deliveries. */
export const DeliveryQuery = Type.Object(
  {
    ...pageQuery,
    event: Type.Optional(StringEnum(EVENT_TYPES, { description: 'Only events of this type.' })),
    status: Type.Optional(StringEnum(DELIVERY_STATES, { description: 'Only those of this status.' })),
    state: Type.Optional(
      StringEnum(DELIVERY_STATES, {
        description: 'Alias of `status`. No entry matches if the two differ.',
      }),
    ),
    endpoint: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 253,
        description: 'Only those to this endpoint: `account`, or the id of a hook.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type DeliveryQuery = Static<typeof DeliveryQuery>;

const DeliveryError = Type.Object(
  {
    code: Type.String({ description: 'For programs.', examples: ['http_error'] }),
    message: Type.String({ description: 'For people.' }),
  },
  { title: 'DeliveryError', description: 'Why an event was not delivered.' },
);

const common = {
  id: Type.String({ description: 'Id of the delivery.' }),
  event_id: Type.String({ description: 'Id of the event, the same for every endpoint.' }),
  event_type: StringEnum(EVENT_TYPES, { description: 'What happened.' }),
  endpoint: Type.Union([Type.String(), Type.Null()], {
    description: '`account`, or the id of a hook; null for the webhook_url of one document.',
  }),
  status: StringEnum(DELIVERY_STATES, { description: 'Whether it was delivered.' }),
};
const shared = {
  next_attempt_at: Type.Union([Timestamp(), Type.Null()], {
    description: 'When the next attempt is due; null when there is none, or it is due now.',
  }),
  created_at: Timestamp({ description: 'When it happened.' }),
};

/** A delivery in the list. */
export const DeliveryEntry = Type.Object(
  {
    ...common,
    attempts: Type.Integer({ minimum: 0, description: 'How many attempts there were.' }),
    ...shared,
  },
  { title: 'DeliveryEntry', description: 'One event on its way to one destination.' },
);
export type DeliveryEntry = Static<typeof DeliveryEntry>;

/** A page of the log. */
export const DeliveryPage = pageOf(DeliveryEntry, 'DeliveryList');
export type DeliveryPage = Static<typeof DeliveryPage>;

const DeliveryAttempt = Type.Object(
  {
    id: Type.String({ description: 'X-Trifold-Delivery-ID of the attempt.' }),
    at: Timestamp({ description: 'When it began.' }),
    duration_ms: Type.Integer({ minimum: 0, description: 'Milliseconds it took.' }),
    status: Type.Union([Type.Integer(), Type.Null()], {
      description: 'HTTP status of the answer, if there was one.',
    }),
    error: Type.Union([DeliveryError, Type.Null()]),
    answer: Type.Union([Type.String(), Type.Null()], {
      description: 'What the answer said: its first 1 KiB.',
    }),
  },
  { title: 'DeliveryAttempt', description: 'One attempt; without an error it succeeded.' },
);

/** One delivery in full. */
export const DeliveryView = Type.Object(
  {
    ...common,
    attempts: Type.Array(DeliveryAttempt, {
      description: 'The attempts, the latest last; the latest 32 of more.',
    }),
    ...shared,
    url: Type.Union([Type.String(), Type.Null()], {
      description: 'The webhook_url of one document; null for an endpoint.',
    }),
    error: Type.Union([DeliveryError, Type.Null()]),
    finished_at: Type.Union([Timestamp(), Type.Null()], {
      description: 'When it was delivered or given up.',
    }),
    payload: Type.String({ description: 'Body of the request, the same bytes on every attempt.' }),
  },
  { title: 'Delivery', description: 'One event on its way to one destination, with every attempt.' },
);
export type DeliveryView = Static<typeof DeliveryView>;

import { EVENT_TYPES, StringEnum, Timestamp, MAX_RETRIES } from '@trifold/crds';
import { Type, type Static } from 'typebox';
import { nullable } from '../../server/http/route-schemas.ts';
import { pageOf, pageQuery } from '../../server/pagination/page.ts';

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

const filters = {
  event: Type.Optional(StringEnum(EVENT_TYPES, { description: 'Only events of this type.' })),
  endpoint: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 253,
      description: 'Only deliveries to this endpoint: `account`, or the ID of a hook.',
    }),
  ),
};

/** Query of GET /v1/webhooks/deliveries. */
export const DeliveryQuery = Type.Object(
  {
    ...pageQuery,
    ...filters,
    subject: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 253,
        description: 'Only deliveries of events about this document or batch.',
      }),
    ),
    status: Type.Optional(StringEnum(DELIVERY_STATES, { description: 'Only entries with this status.' })),
    state: Type.Optional(
      StringEnum(DELIVERY_STATES, {
        description: 'Alias for `status`. If the two differ, no entries match.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type DeliveryQuery = Static<typeof DeliveryQuery>;

/** Body of POST /v1/webhooks/deliveries/retry. */
export const RetryBody = Type.Object(
  {
    ...filters,
    since: Type.Optional(Timestamp({ description: 'Only events created at this time or later.' })),
    cursor: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: '`next_cursor` from the previous response, sent with the same filters.',
      }),
    ),
  },
  {
    title: 'RetryDeliveriesRequest',
    additionalProperties: false,
    default: {},
    examples: [{ endpoint: 'account', event: 'document.completed', since: '2026-11-21T10:00:00Z' }],
  },
);
export type RetryBody = Static<typeof RetryBody>;

/** Response to POST /v1/webhooks/deliveries/retry. */
export const RetriedDeliveries = Type.Object(
  {
    retried: Type.Integer({
      minimum: 0,
      maximum: MAX_RETRIES,
      description: 'Number of deliveries that this request retries.',
    }),
    has_more: Type.Boolean({ description: 'Whether more deliveries match.' }),
    next_cursor: nullable(Type.String(), '`cursor` for the next request; null if no more deliveries match.'),
  },
  { title: 'RetriedDeliveries', description: 'Result of retrying several deliveries.' },
);
export type RetriedDeliveries = Static<typeof RetriedDeliveries>;

const DeliveryError = Type.Object(
  {
    code: Type.String({
      description: 'Stable error code that programs can rely on.',
      examples: ['http_error'],
    }),
    message: Type.String({ description: 'Human-readable message.' }),
  },
  { title: 'DeliveryError', description: 'Reason for the failure.' },
);

const common = {
  id: Type.String({ description: 'ID of the delivery.' }),
  event_id: Type.String({ description: 'ID of the event, the same for every endpoint.' }),
  event_type: StringEnum(EVENT_TYPES, { description: 'Event type.' }),
  subject: nullable(
    Type.String(),
    'ID of the document or batch that the event is about; null for a test event.',
  ),
  endpoint: nullable(
    Type.String(),
    '`account`, or the ID of a hook; null for the `webhook_url` of a document.',
  ),
  status: StringEnum(DELIVERY_STATES, { description: 'Delivery status.' }),
};
const shared = {
  next_attempt_at: nullable(
    Timestamp(),
    'Time of the next attempt; null if there is none, or before the first attempt.',
  ),
  created_at: Timestamp({ description: 'Time of the event.' }),
};

/** A delivery in the list. */
export const DeliveryEntry = Type.Object(
  {
    ...common,
    attempts: Type.Integer({ minimum: 0, description: 'Number of attempts.' }),
    ...shared,
  },
  { title: 'DeliveryEntry', description: 'One event for one endpoint.' },
);
export type DeliveryEntry = Static<typeof DeliveryEntry>;

export const EXAMPLE_ENTRY: DeliveryEntry = {
  id: 'whd-01m7yrrscg5t7w9y1a3c5e7g9j',
  event_id: 'evt-01m7yrrscg989h59512f7j35hs',
  event_type: 'document.completed',
  subject: 'gen-01m7yr47s8mf3c9w2k5hq7x4tz',
  endpoint: 'account',
  status: 'failed',
  attempts: 7,
  next_attempt_at: null,
  created_at: '2026-11-21T09:59:59.120Z',
};

/** A page of the log. */
export const DeliveryPage = pageOf(DeliveryEntry, 'DeliveryList');
export type DeliveryPage = Static<typeof DeliveryPage>;

const DeliveryAttempt = Type.Object(
  {
    id: Type.String({ description: 'X-Trifold-Delivery-ID of the attempt.' }),
    at: Timestamp({ description: 'Start of the attempt.' }),
    duration_ms: Type.Integer({ minimum: 0, description: 'Duration in milliseconds.' }),
    status: nullable(Type.Integer(), 'HTTP status of the response, if there was one.'),
    error: Type.Union([DeliveryError, Type.Null()]),
    answer: nullable(Type.String(), 'First 1 KiB of the response.'),
  },
  { title: 'DeliveryAttempt', description: 'One attempt. If `error` is null, the attempt succeeded.' },
);

/** One delivery in full. */
export const DeliveryView = Type.Object(
  {
    ...common,
    attempts: Type.Array(DeliveryAttempt, {
      description: 'The latest 32 attempts, oldest first.',
    }),
    ...shared,
    url: nullable(Type.String(), '`webhook_url` of the document; null for an endpoint.'),
    error: Type.Union([DeliveryError, Type.Null()]),
    finished_at: nullable(Timestamp(), 'Time of delivery or of the final failure.'),
    payload: Type.String({ description: 'Request body; the same bytes on every attempt.' }),
  },
  { title: 'Delivery', description: 'One event for one endpoint, with its attempts.' },
);
export type DeliveryView = Static<typeof DeliveryView>;

const HTTP_ERROR = { code: 'http_error', message: 'the endpoint returned 503' };

/** Most attempts and most of the payload are left out. */
export const EXAMPLE_DELIVERY: DeliveryView = {
  ...EXAMPLE_ENTRY,
  attempts: [
    {
      id: 'dlv-01m7yrrsd0b2d4f6h8k0n2q4s6',
      at: '2026-11-22T20:31:02.114Z',
      duration_ms: 41,
      status: 503,
      error: HTTP_ERROR,
      answer: 'closed',
    },
  ],
  url: null,
  error: HTTP_ERROR,
  finished_at: '2026-11-22T20:31:02.155Z',
  payload: '{"id":"evt-01m7yrrscg989h59512f7j35hs","type":"document.completed"}',
};

export const EXAMPLE_RETRIED: RetriedDeliveries = { retried: 312, has_more: false, next_cursor: null };

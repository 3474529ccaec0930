import { Type, type Static, type TSchema } from 'typebox';
import { derivedId } from './ids.ts';
import { JobError } from './kinds/work.ts';
import { ClientMetadata } from './schema/client-metadata.ts';
import { MAX_WARNINGS } from './limits.ts';
import { DocumentWarning } from './schema/document-warning.ts';
import { Count, StringEnum, Timestamp } from './schema/schema.ts';

/** Version of the envelope and its data (`api_version`). */
export const EVENT_API_VERSION = '2026-11-01';

/** Types that an endpoint can subscribe to (interface, "Event types"). */
export const SUBSCRIBABLE_EVENTS = [
  'document.completed',
  'document.failed',
  'batch.progress',
  'batch.completed',
  'batch.failed',
] as const;
export type SubscribableEvent = (typeof SUBSCRIBABLE_EVENTS)[number];

/** Types sent to the `webhook_url` of a single request. */
export const CALLBACK_EVENTS = ['generation.completed', 'generation.failed'] as const;

/** Test event that an account sends to check its endpoint. */
export const TEST_EVENT = 'webhook.test';

/** All event types. */
export const EVENT_TYPES = [...SUBSCRIBABLE_EVENTS, ...CALLBACK_EVENTS, TEST_EVENT] as const;
export type EventType = (typeof EVENT_TYPES)[number];

const metadata = Type.Optional(ClientMetadata({ description: 'The `metadata` from the request, if any.' }));

/** The ID of a saved template. */
function TemplateId(description: string) {
  return Type.Union([Type.String(), Type.Null()], {
    description: `${description}; null if the request contained the template.`,
  });
}

/** Data of document.completed and generation.completed. */
export const CompletedDocumentData = Type.Object(
  {
    id: Type.String({ description: 'ID of the document.' }),
    status: Type.Literal('completed'),
    template_id: TemplateId('Template for the document'),
    file_url: Type.String({ description: 'Path of the file, relative to the base URL.' }),
    status_url: Type.String({ description: 'Path of the status, relative to the base URL.' }),
    file_size: Count('File size in bytes.'),
    render_time_ms: Count('Rendering time in milliseconds.'),
    expires_at: Timestamp({ description: 'Time at which the file is deleted.' }),
    warnings: Type.Optional(
      Type.Array(DocumentWarning, {
        maxItems: MAX_WARNINGS,
        description: 'Possible problems in the document; absent if there are none.',
      }),
    ),
    metadata,
  },
  { title: 'CompletedDocumentData' },
);
export type CompletedDocumentData = Static<typeof CompletedDocumentData>;

/** Data of document.failed and generation.failed. */
export const FailedDocumentData = Type.Object(
  {
    id: Type.String({ description: 'ID of the document.' }),
    status: Type.Literal('failed'),
    template_id: TemplateId('Template for the document'),
    status_url: Type.String({ description: 'Path of the status, relative to the base URL.' }),
    error: JobError,
    created_at: Timestamp({ description: 'Time at which the request was accepted.' }),
    metadata,
  },
  { title: 'FailedDocumentData' },
);
export type FailedDocumentData = Static<typeof FailedDocumentData>;

/** Data of batch events. */
export const BatchEventData = Type.Object(
  {
    id: Type.String({ description: 'ID of the batch.' }),
    status: StringEnum(['processing', 'completed', 'failed'], { description: 'Status of the batch.' }),
    template_id: TemplateId('Template for the items'),
    total: Type.Integer({ minimum: 1, description: 'Number of items.' }),
    completed: Count('Number of completed items.'),
    failed: Count('Number of failed items.'),
    status_url: Type.String({ description: 'Path of the status, relative to the base URL.' }),
    metadata,
  },
  { title: 'BatchEventData' },
);
export type BatchEventData = Static<typeof BatchEventData>;

/** Data of webhook.test. */
export const TestEventData = Type.Object(
  {
    endpoint: Type.String({
      description: 'ID of the tested endpoint; `account` for the account webhook.',
    }),
  },
  { title: 'TestEventData' },
);
export type TestEventData = Static<typeof TestEventData>;

/** Data schema of each event type. */
export const EVENT_DATA = {
  'document.completed': CompletedDocumentData,
  'document.failed': FailedDocumentData,
  'batch.progress': BatchEventData,
  'batch.completed': BatchEventData,
  'batch.failed': BatchEventData,
  'generation.completed': CompletedDocumentData,
  'generation.failed': FailedDocumentData,
  'webhook.test': TestEventData,
} satisfies Record<EventType, TSchema>;

/** An event to deliver. */
export interface WebhookEvent<T extends EventType = EventType> {
  /** `evt-…`; identical for all deliveries and attempts. */
  readonly id: string;
  readonly type: T;
  /** Time of the event. */
  readonly createdAt: Date;
  readonly data: Static<(typeof EVENT_DATA)[T]>;
}

/**
 * Returns the ID of an object's event with the given type. It is derived from the object and time, so that a crash
 * cannot create a second event, even though nothing is stored. `number` distinguishes events of the same type.
 */
export function eventIdOf(type: EventType, about: { uid: string; at: Date; number?: number }): string {
  return derivedId('evt', about.at, `${about.uid} ${type} ${about.number ?? 0}`);
}

/**
 * Encodes the body of the request that delivers the event (interface, "Envelope"): compact JSON with fields in a fixed
 * order.
 */
export function encodeEvent({ id, type, createdAt, data }: WebhookEvent): string {
  return JSON.stringify({
    id,
    type,
    created_at: createdAt.toISOString(),
    api_version: EVENT_API_VERSION,
    data,
  });
}

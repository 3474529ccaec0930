import {
  EVENT_API_VERSION,
  EVENT_DATA,
  EVENT_TYPES,
  toJsonSchema,
  type EventType,
  SECRET_OVERLAP,
} from '@trifold/crds';
import type { JsonObject, NamedSchemas } from './components.ts';

const SUMMARIES: Readonly<Record<EventType, string>> = {
  'document.completed': 'A document was generated.',
  'document.failed': 'A document could not be generated.',
  'batch.progress': 'A batch has made progress.',
  'batch.completed': 'A batch has finished. Some of its items may have failed.',
  'batch.failed': 'A batch has finished. Every item failed.',
  'generation.completed': 'A document requested with `webhook_url` was generated. Not signed.',
  'generation.failed': 'A document requested with `webhook_url` could not be generated. Not signed.',
  'webhook.test': 'The account sent a test event. Not retried.',
};

const HEADERS = {
  'X-Trifold-Signature':
    'Hexadecimal HMAC-SHA256 of `<timestamp>.<raw body>` keyed with the endpoint secret. Absent on `generation.*`.',
  'X-Trifold-Signature-Previous': `The same signature with the previous secret, for ${SECRET_OVERLAP} after a rotation.`,
  'X-Trifold-Timestamp': 'Unix time of the attempt, in seconds.',
  'X-Trifold-Event': 'Event type.',
  'X-Trifold-Delivery-ID': 'Identifier of the attempt.',
} as const;

/** The operation that sets an event's URL, and the field of the operation's body. */
function subscriptionOf(type: EventType): { readonly operationId: string; readonly field: string } {
  return type.startsWith('generation.')
    ? { operationId: 'createDocument', field: 'webhook_url' }
    : { operationId: 'saveWebhookSettings', field: 'url' };
}

/**
 * Returns the requests that the service sends because of an operation (interface, "Events"), one for each event type.
 * Every event is a callback of a single operation, because client generators define its operationId once per
 * occurrence. They cannot read `webhooks` (OpenAPI 3.1): their clients lack the schemas that are used only there.
 */
export function callbacksOf(operationId: string, schemas: NamedSchemas): JsonObject {
  const callbacks = EVENT_TYPES.flatMap((type) => {
    const { operationId: subscription, field } = subscriptionOf(type);
    if (subscription !== operationId) return [];
    return [[type, { [`{$request.body#/${field}}`]: { post: operation(type, schemas) } }]];
  });
  return callbacks.length === 0 ? {} : { callbacks: Object.fromEntries(callbacks) as JsonObject };
}

function operation(type: EventType, schemas: NamedSchemas): JsonObject {
  return {
    operationId: `on${pascalCase(type)}`,
    summary: SUMMARIES[type],
    tags: ['Webhooks'],
    security: [],
    parameters: Object.entries(HEADERS).map(([name, description]) => ({
      name,
      in: 'header',
      description,
      schema: { type: 'string' },
    })),
    requestBody: {
      required: true,
      content: { 'application/json': { schema: schemas.refer(envelope(type)) } },
    },
    responses: {
      '2XX': {
        description:
          'The receiver accepted the event. The service retries after any other response, or after 30 seconds without a response.',
      },
    },
  };
}

function envelope(type: EventType): JsonObject {
  return {
    title: `${pascalCase(type)}Event`,
    description: SUMMARIES[type],
    type: 'object',
    required: ['id', 'type', 'created_at', 'api_version', 'data'],
    properties: {
      id: {
        type: 'string',
        description:
          'Identifier of the event. An event may be delivered more than once: use the identifier to deduplicate.',
      },
      type: { type: 'string', const: type },
      created_at: { type: 'string', format: 'date-time' },
      api_version: { type: 'string', const: EVENT_API_VERSION },
      data: toJsonSchema(EVENT_DATA[type]),
    },
  };
}

function pascalCase(type: EventType): string {
  const words = type.split('.');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

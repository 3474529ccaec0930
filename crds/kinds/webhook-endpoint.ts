import { Type, type Static } from 'typebox';
import { immutableMembers } from '../schema/cel.ts';
import { ConditionList, ObservedGeneration } from '../conditions.ts';
import { EndpointUrl } from '../schema/endpoint-url.ts';
import { SUBSCRIBABLE_EVENTS } from '../events.ts';
import { defineKind, READY } from '../schema/kind.ts';
import type { Resource } from '../schema/resource.ts';
import { Count, StringEnum, Timestamp } from '../schema/schema.ts';

/** Name of the account webhook's endpoint: one URL per account (interface, "Limits"). */
export const ACCOUNT_ENDPOINT = 'account';

/** Origin of an endpoint: `none` is the account webhook, the others are hook destinations. */
export const ENDPOINT_SOURCES = ['none', 'zapier', 'make'] as const;

const sealedMembers = {
  keyId: Type.String({
    pattern: '^[0-9a-f]{16}$',
    description: 'ID of the public key: the first 16 hexadecimal digits of its SHA-256.',
  }),
  ciphertext: Type.String({
    minLength: 1,
    maxLength: 4096,
    description: 'Encapsulated key and ciphertext (HPKE, RFC 9180) in base64.',
  }),
};

/** A signing secret that only the controller can read. */
export const SealedSecret = Type.Object(sealedMembers, {
  description:
    'Signing secret, encrypted for the controller, this account and this name. Write it with `trifold webhooks seal`.',
});
export type SealedSecret = Static<typeof SealedSecret>;

export const WebhookEndpointSpec = Type.Object(
  {
    url: EndpointUrl({
      description: 'Destination for the events. HTTPS, unless the deployment allows HTTP.',
    }),
    events: Type.Optional(
      Type.Array(StringEnum(SUBSCRIBABLE_EVENTS), {
        maxItems: 32,
        description: 'Event types to deliver. Default: all.',
        'x-kubernetes-list-type': 'set',
      }),
    ),
    sealedSecret: SealedSecret,
    previousSealedSecret: Type.Optional(
      Type.Object(
        {
          ...sealedMembers,
          until: Timestamp({ description: 'Time after which events are no longer signed with it.' }),
        },
        { description: 'Secret from before the rotation, used for X-Trifold-Signature-Previous.' },
      ),
    ),
    source: Type.Optional(
      StringEnum(ENDPOINT_SOURCES, {
        default: 'none',
        description:
          'Platform that registered the endpoint; `none` for the account webhook and other endpoints.',
      }),
    ),
  },
  { description: 'Destination and event types.' },
);
export type WebhookEndpointSpec = Static<typeof WebhookEndpointSpec>;

export const WebhookEndpointStatus = Type.Object(
  {
    observedGeneration: Type.Optional(ObservedGeneration),
    conditions: Type.Optional(ConditionList()),
    lastDelivery: Type.Optional(
      Type.Object(
        {
          at: Timestamp({ description: 'Start of the attempt.' }),
          delivered: Type.Boolean({ description: 'Whether the endpoint accepted the event.' }),
          status: Type.Optional(
            Type.Integer({ description: 'HTTP status of the response, if there was one.' }),
          ),
          code: Type.Optional(Type.String({ maxLength: 64, description: 'Error code.' })),
          durationMs: Count('Duration in milliseconds.'),
        },
        { description: 'Last finished attempt.' },
      ),
    ),
    failures: Type.Optional(
      Count('Number of failed attempts since the last success or the last change of the URL.'),
    ),
    failingSince: Type.Optional(Timestamp({ description: 'Time of the first of these failures.' })),
    pending: Type.Optional(Count('Number of deliveries waiting for an attempt; can lag by a few seconds.')),
    spooled: Type.Optional(
      Count('Number of events waiting in the object store because too many deliveries are pending.'),
    ),
  },
  { description: 'State of the endpoint.' },
);
export type WebhookEndpointStatus = Static<typeof WebhookEndpointStatus>;

export type WebhookEndpoint = Resource<WebhookEndpointSpec, WebhookEndpointStatus>;

export const WEBHOOK_ENDPOINT = defineKind<WebhookEndpointSpec, WebhookEndpointStatus>({
  kind: 'WebhookEndpoint',
  plural: 'webhookendpoints',
  singular: 'webhookendpoint',
  shortNames: ['whe'],
  description: 'A destination for signed events. The endpoint named account is the account webhook.',
  spec: WebhookEndpointSpec,
  status: WebhookEndpointStatus,
  columns: [
    { name: 'URL', type: 'string', jsonPath: '.spec.url' },
    { name: 'Ready', type: 'string', jsonPath: `${READY}.status` },
    { name: 'Reason', type: 'string', jsonPath: `${READY}.reason` },
    { name: 'Pending', type: 'integer', jsonPath: '.status.pending' },
    {
      name: 'Spooled',
      type: 'integer',
      jsonPath: '.status.spooled',
      description: 'Events waiting in the object store.',
    },
    { name: 'Last', type: 'date', jsonPath: '.status.lastDelivery.at', description: 'Last attempt.' },
    {
      name: 'Failing',
      type: 'date',
      jsonPath: '.status.failingSince',
      description: 'Time since the first failure.',
    },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Source', type: 'string', jsonPath: '.spec.source', priority: 1 },
    { name: 'Events', type: 'string', jsonPath: '.spec.events', priority: 1 },
    {
      name: 'Key',
      type: 'string',
      jsonPath: '.spec.sealedSecret.keyId',
      description: 'Public key with which the secret is encrypted.',
      priority: 1,
    },
    { name: 'Message', type: 'string', jsonPath: `${READY}.message`, priority: 1 },
  ],
  rules: [{ path: ['spec'], rule: immutableMembers('source') }],
});

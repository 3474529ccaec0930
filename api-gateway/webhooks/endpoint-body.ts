import {
  ENDPOINT_SOURCES,
  MAX_ENDPOINT_URL_LENGTH,
  StringEnum,
  SUBSCRIBABLE_EVENTS,
  Timestamp,
  SECRET_OVERLAP,
} from '@trifold/crds';
import { Type, type Static } from 'typebox';
import { nullable } from '../server/http/route-schemas.ts';
import { pageOf } from '../server/pagination/page.ts';

/** Platforms that register destinations. */
export const HOOK_SOURCES = ENDPOINT_SOURCES.filter((source) => source !== 'none');
export type HookSource = (typeof HOOK_SOURCES)[number];

const destination = {
  url: Type.String({
    minLength: 1,
    maxLength: MAX_ENDPOINT_URL_LENGTH,
    description:
      'URL that receives events. By default, it must use HTTPS and point to a public address. It must not contain a user name, password or fragment.',
  }),
  events: Type.Optional(
    Type.Array(StringEnum(SUBSCRIBABLE_EVENTS), {
      minItems: 1,
      uniqueItems: true,
      description: 'Event types to receive. Default: all.',
    }),
  ),
};

/** Body of POST /v1/webhooks/settings (interface, "Account webhooks"). */
export const SettingsBody = Type.Object(
  {
    ...destination,
    rotate_secret: Type.Optional(
      Type.Boolean({
        description: `Whether to generate a new secret. For ${SECRET_OVERLAP}, events are also signed with the previous one.`,
      }),
    ),
  },
  {
    title: 'WebhookSettingsRequest',
    additionalProperties: false,
    examples: [
      { url: 'https://hooks.example.com/trifold', events: ['document.completed', 'batch.completed'] },
    ],
  },
);
export type SettingsBody = Static<typeof SettingsBody>;

/** Body of POST /v1/hooks (interface, "Hook destinations"). */
export const HookBody = Type.Object(
  {
    source: StringEnum(HOOK_SOURCES, { description: 'Platform of the hook.' }),
    ...destination,
  },
  {
    title: 'HookRequest',
    additionalProperties: false,
    examples: [{ source: 'zapier', url: 'https://hooks.zapier.example/1/abc' }],
  },
);
export type HookBody = Static<typeof HookBody>;

/** Health of an endpoint. */
export const ENDPOINT_STATES = ['pending', 'active', 'failing', 'unusable'] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];

const shown = {
  url: Type.String({ description: 'URL that receives events.' }),
  events: Type.Array(StringEnum(SUBSCRIBABLE_EVENTS), {
    description: 'Event types that the endpoint receives.',
  }),
  status: StringEnum(ENDPOINT_STATES, {
    description:
      '`failing`: at least three attempts in a row have failed. `unusable`: nothing can be sent. `pending`: a change has not taken effect yet.',
  }),
  message: nullable(Type.String(), 'Description of the status.'),
  failing_since: nullable(Timestamp(), 'Time of the first failure since the last success.'),
  last_delivery: nullable(
    Type.Object({
      at: Timestamp({ description: 'Start of the attempt.' }),
      delivered: Type.Boolean({ description: 'Whether the response was 2xx.' }),
      status: nullable(Type.Integer(), 'HTTP status of the response, if there was one.'),
      duration_ms: Type.Integer({ minimum: 0, description: 'Duration in milliseconds.' }),
    }),
    'The last finished attempt; can lag by a few seconds.',
  ),
  pending: Type.Integer({
    minimum: 0,
    description: 'Number of pending deliveries; can lag by a few seconds.',
  }),
  spooled: Type.Integer({
    minimum: 0,
    description:
      'Number of events waiting in the object store because too many deliveries are pending. These events are not listed yet. Can lag by a few seconds.',
  }),
  previous_secret_until: nullable(
    Timestamp(),
    'Time after which events are no longer signed with the previous secret.',
  ),
  created_at: Timestamp({ description: 'Time of creation.' }),
  updated_at: Timestamp({ description: 'Time of the last change through `/v1`, or else the creation time.' }),
};
const ofHook = {
  id: Type.String({ description: 'ID.' }),
  source: StringEnum(HOOK_SOURCES, { description: 'Platform of the hook.' }),
};
const secret = Type.String({
  description: 'Secret that signs deliveries. It is shown only once.',
  examples: ['whsec_…'],
});

/** The account's endpoint. */
export const SettingsView = Type.Object(shown, {
  title: 'WebhookSettings',
  description: 'The account webhook.',
});
export type SettingsView = Static<typeof SettingsView>;

export const SettingsPage = pageOf(SettingsView, 'WebhookList');

/** Response to POST /v1/webhooks/settings. */
export const SavedSettings = Type.Object(
  { ...shown, secret: Type.Optional(secret) },
  {
    title: 'SavedWebhookSettings',
    description: 'The settings, with the secret if the service generated one.',
  },
);

export const EXAMPLE_SETTINGS: SettingsView = {
  url: 'https://hooks.example.com/trifold',
  events: ['document.completed', 'batch.completed'],
  status: 'active',
  message: 'the last attempt succeeded',
  failing_since: null,
  last_delivery: { at: '2026-11-21T09:59:59.120Z', delivered: true, status: 204, duration_ms: 38 },
  pending: 0,
  spooled: 0,
  previous_secret_until: null,
  created_at: '2026-11-20T14:02:11.000Z',
  updated_at: '2026-11-20T14:02:11.000Z',
};

const NOT_YET_USED = { status: 'pending', message: null, last_delivery: null } as const;

export const EXAMPLE_SAVED_SETTINGS: Static<typeof SavedSettings> = {
  ...EXAMPLE_SETTINGS,
  ...NOT_YET_USED,
  secret: 'whsec_…',
};

/** A hook destination. */
export const HookView = Type.Object(
  { ...ofHook, ...shown },
  { title: 'Hook', description: "An additional endpoint for the account's events." },
);
export type HookView = Static<typeof HookView>;

/** Response to the creation of a hook destination; the only one with the secret. */
export const CreatedHook = Type.Object(
  { ...ofHook, ...shown, secret },
  { title: 'CreatedHook', description: 'A hook with its secret, which is shown only once.' },
);

export const EXAMPLE_HOOK: HookView = {
  id: 'hook-01m7ypz3k5q8s1v4x7z0b3d6f9',
  source: 'zapier',
  ...EXAMPLE_SETTINGS,
  url: 'https://hooks.zapier.example/1/abc',
  events: [...SUBSCRIBABLE_EVENTS],
};

export const EXAMPLE_CREATED_HOOK: Static<typeof CreatedHook> = {
  ...EXAMPLE_HOOK,
  ...NOT_YET_USED,
  secret: 'whsec_…',
};

export const HookPage = pageOf(HookView, 'HookList');

/** Response to POST /v1/webhooks/settings/test. */
export const TestResult = Type.Object(
  {
    delivered: Type.Boolean({ description: 'Whether the endpoint responded with 2xx.' }),
    status: nullable(Type.Integer(), 'HTTP status of the response, if there was one.'),
    duration_ms: Type.Integer({ minimum: 0, description: 'Duration in milliseconds.' }),
    error: nullable(
      Type.Object({
        code: Type.String({
          description: 'Stable error code that programs can rely on.',
          examples: ['connection_refused'],
        }),
        message: Type.String({ description: 'Human-readable message.' }),
      }),
      'Reason for the failure.',
    ),
  },
  { title: 'WebhookTestResult', description: 'Result of a test event.' },
);
export type TestResult = Static<typeof TestResult>;

export const EXAMPLE_TEST_RESULT: TestResult = { delivered: true, status: 204, duration_ms: 38, error: null };

import {
  ENDPOINT_SOURCES,
  LONGEST_ENDPOINT_URL,
  StringEnum,
  SUBSCRIBABLE_EVENTS,
  Timestamp,
} from '@trifold/crds';
import { Type, type Static } from 'typebox';
import { pageOf } from '../server/pagination/page.ts';

/** Platforms that register destinations. */
export const HOOK_SOURCES = ENDPOINT_SOURCES.filter((source) => source !== 'none');
export type HookSource = (typeof HOOK_SOURCES)[number];

const destination = {
  url: Type.String({
    minLength: 1,
    maxLength: LONGEST_ENDPOINT_URL,
    description: 'Where events are posted to: HTTPS, a public address, no user, password or fragment.',
  }),
  events: Type.Optional(
    Type.Array(StringEnum(SUBSCRIBABLE_EVENTS), {
      minItems: 1,
      uniqueItems: true,
      description: 'Types of events to be told of; all of them when left out.',
    }),
  ),
};

/** Body of POST /v1/webhooks/settings (interface, "Account webhooks"). */
export const SettingsBody = Type.Object(
  {
    ...destination,
    rotate_secret: Type.Optional(
      Type.Boolean({
        description: 'Whether there is to be a new secret. The one before signs as well for 24 hours.',
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
    source: StringEnum(HOOK_SOURCES, { description: 'The platform that the destination is of.' }),
    ...destination,
  },
  {
    title: 'HookRequest',
    additionalProperties: false,
    examples: [{ source: 'zapier', url: 'https://hooks.zapier.example/1/abc' }],
  },
);
export type HookBody = Static<typeof HookBody>;

const nullable = <const T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

/** Health of an endpoint. */
export const ENDPOINT_STATES = ['pending', 'active', 'failing', 'unusable'] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];

const shown = {
  url: Type.String({ description: 'Where events are posted to.' }),
  events: Type.Array(StringEnum(SUBSCRIBABLE_EVENTS), { description: 'What it is told of.' }),
  status: StringEnum(ENDPOINT_STATES, {
    description:
      '`failing`: the last attempts failed and are retried. `unusable`: nothing can be sent. `pending`: a change is not in force yet.',
  }),
  message: nullable(Type.String(), 'The status in words.'),
  failing_since: nullable(Timestamp(), 'When the first of the failures since the last success was.'),
  last_delivery: nullable(
    Type.Object({
      at: Timestamp({ description: 'When it began.' }),
      delivered: Type.Boolean({ description: 'Whether it was answered with 2xx.' }),
      status: nullable(Type.Integer(), 'HTTP status of the answer, if there was one.'),
      duration_ms: Type.Integer({ minimum: 0, description: 'Milliseconds it took.' }),
    }),
    'The attempt that ended last; behind by some seconds.',
  ),
  pending: Type.Integer({ minimum: 0, description: 'Deliveries that wait; behind by some seconds.' }),
  spooled: Type.Integer({
    minimum: 0,
    description:
      'Events that wait until fewer deliveries do, and are not in the list yet; behind by some seconds.',
  }),
  previous_secret_until: nullable(Timestamp(), 'Until when the secret before signs as well.'),
  created_at: Timestamp(),
  updated_at: Timestamp(),
};
const ofHook = {
  id: Type.String({ description: 'Its id.' }),
  source: StringEnum(HOOK_SOURCES, { description: 'The platform that it is of.' }),
};
const secret = Type.String({
  description: 'What deliveries are signed with, shown this once.',
  examples: ['whsec_…'],
});

/** The account's endpoint. */
export const SettingsView = Type.Object(shown, {
  title: 'WebhookSettings',
  description: 'Where the account is told what happens.',
});
export type SettingsView = Static<typeof SettingsView>;

/** Response to POST /v1/webhooks/settings. */
export const SavedSettings = Type.Object(
  { ...shown, secret: Type.Optional(secret) },
  { title: 'SavedWebhookSettings', description: 'The settings, with the secret when one was made.' },
);
export type SavedSettings = Static<typeof SavedSettings>;

/** A hook destination. */
export const HookView = Type.Object(
  { ...ofHook, ...shown },
  { title: 'Hook', description: 'Another destination of the events of the account.' },
);
export type HookView = Static<typeof HookView>;

/** Response to the creation of a hook destination; the only one with the secret. */
export const CreatedHook = Type.Object(
  { ...ofHook, ...shown, secret },
  { title: 'CreatedHook', description: 'A hook destination, as it is answered once.' },
);
export type CreatedHook = Static<typeof CreatedHook>;

/** A page of the list. */
export const HookPage = pageOf(HookView, 'HookList');
export type HookPage = Static<typeof HookPage>;

/** Response to POST /v1/webhooks/settings/test. */
export const TestResult = Type.Object(
  {
    delivered: Type.Boolean({ description: 'Whether the endpoint answered with 2xx.' }),
    status: nullable(Type.Integer(), 'HTTP status of the answer, if there was one.'),
    duration_ms: Type.Integer({ minimum: 0, description: 'Milliseconds it took.' }),
    error: nullable(
      Type.Object({
        code: Type.String({ description: 'For programs.', examples: ['connection_refused'] }),
        message: Type.String({ description: 'For people.' }),
      }),
      'Why it was not delivered.',
    ),
  },
  { title: 'WebhookTestResult', description: 'What came of a test event.' },
);
export type TestResult = Static<typeof TestResult>;

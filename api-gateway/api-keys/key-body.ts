import { KEY_MODES, SCOPES, StringEnum, Timestamp, type ApiKey } from '@trifold/crds';
import { Type, type Static } from 'typebox';
import { nullable, ShownName } from '../server/http/route-schemas.ts';
import { createdAtOf, pageOf } from '../server/pagination/page.ts';

/** Body of POST /v1/api-keys (interface, "API keys"; docs/interface-choices.md). */
export const NewKey = Type.Object(
  {
    name: ShownName,
    description: Type.Optional(Type.String({ maxLength: 2000, description: 'Description.' })),
    scopes: Type.Optional(
      Type.Array(StringEnum(SCOPES), {
        minItems: 1,
        uniqueItems: true,
        description: 'Scopes of the key, all of which the calling key must have. Default: all scopes.',
      }),
    ),
    type: Type.Optional(
      StringEnum(KEY_MODES, {
        description: 'Default: the type of the calling key. A test key can create only test keys.',
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'ApiKeyRequest',
    examples: [{ name: 'Invoices', scopes: ['templates:read', 'documents:generate'] }],
  },
);
export type NewKey = Static<typeof NewKey>;

const common = {
  id: Type.String({ description: 'ID of the key, not its secret value.' }),
  name: Type.String({ description: 'Name.' }),
  description: nullable(Type.String(), 'Description, or null.'),
  type: StringEnum(KEY_MODES, { description: 'Documents created with test keys have a watermark.' }),
  scopes: Type.Array(StringEnum(SCOPES), { description: 'Scopes of the key.' }),
};

/** A key as returned once, on creation. */
export const CreatedKey = Type.Object(
  {
    ...common,
    key: Type.String({ description: 'The secret value of the key. It is shown only once.' }),
    created_at: Timestamp({ description: 'Time of creation.' }),
  },
  { title: 'CreatedApiKey', description: 'An API key with its secret value, which is shown only once.' },
);
export type CreatedKey = Static<typeof CreatedKey>;

/** A key as returned afterwards. */
export const KeyView = Type.Object(
  {
    ...common,
    last_four: Type.String({ description: 'The last four characters of the key.' }),
    created_at: Timestamp({ description: 'Time of creation.' }),
    last_used_at: nullable(
      Timestamp(),
      'Time of last use, to the minute; null if the key has never been used.',
    ),
  },
  { title: 'ApiKey', description: 'An API key, without its secret value.' },
);
export type KeyView = Static<typeof KeyView>;

const EXAMPLE: Omit<KeyView, 'last_four' | 'created_at' | 'last_used_at'> = {
  id: 'key-01m7yr2b9c4e6g8j0m2p4r6t8v',
  name: 'Invoices',
  description: null,
  type: 'live',
  scopes: ['templates:read', 'documents:generate'],
};

export const EXAMPLE_CREATED_KEY: CreatedKey = {
  ...EXAMPLE,
  key: 'tf_live_…',
  created_at: '2026-11-21T09:57:31.000Z',
};

export const EXAMPLE_KEY: KeyView = {
  ...EXAMPLE,
  last_four: 'k3Qx',
  created_at: '2026-11-21T09:57:31.000Z',
  last_used_at: '2026-11-23T16:04:40.000Z',
};

export const KeyPage = pageOf(KeyView, 'ApiKeyList');

/** Returns the response to the request that created a key. */
export function createdView(resource: ApiKey, key: string): CreatedKey {
  return { ...commonView(resource), key, created_at: createdAtOf(resource).toISOString() };
}

/** Returns the view of a key, which does not contain the key itself. */
export function viewOf(resource: ApiKey): KeyView {
  return {
    ...commonView(resource),
    last_four: resource.spec.lastFour,
    created_at: createdAtOf(resource).toISOString(),
    last_used_at: resource.status?.lastUsedAt ?? null,
  };
}

function commonView({ metadata, spec }: ApiKey) {
  const { name, description = null, mode, scopes } = spec;
  return { id: metadata.name, name, description, type: mode, scopes: [...scopes] };
}

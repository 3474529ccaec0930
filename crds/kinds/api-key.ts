import { Type, type Static } from 'typebox';
import { immutableMembers } from '../schema/cel.ts';
import { defineKind } from '../schema/kind.ts';
import type { Resource } from '../schema/resource.ts';
import { Sha256, StringEnum, Timestamp } from '../schema/schema.ts';

/** Every scope that a key can have (interface, "Authentication"). */
export const SCOPES = [
  'templates:read',
  'templates:write',
  'documents:generate',
  'api-keys:read',
  'api-keys:write',
  'usage:read',
  'webhooks:read',
  'webhooks:write',
] as const;
export type Scope = (typeof SCOPES)[number];

export const KEY_MODES = ['live', 'test'] as const;
export type KeyMode = (typeof KEY_MODES)[number];

export const ApiKeySpec = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200, description: 'Display name.' }),
    description: Type.Optional(Type.String({ maxLength: 2000, description: 'Purpose of the key.' })),
    scopes: Type.Array(StringEnum(SCOPES), {
      maxItems: 32,
      description: 'Scopes of the key.',
      'x-kubernetes-list-type': 'set',
    }),
    mode: StringEnum(KEY_MODES, {
      description: 'Documents created with a test key have a watermark and are not billed.',
    }),
    sha256: Sha256({ description: 'SHA-256 of the key. The resource does not contain the key itself.' }),
    lastFour: Type.String({
      pattern: '^[A-Za-z0-9]{4}$',
      maxLength: 4,
      description: 'Last four characters of the key, to identify it.',
    }),
  },
  { description: 'Properties of the key.' },
);
export type ApiKeySpec = Static<typeof ApiKeySpec>;

export const ApiKeyStatus = Type.Object(
  {
    lastUsedAt: Type.Optional(
      Timestamp({ description: 'Time at which the key was last used; written at most once a minute.' }),
    ),
    signedOutAt: Type.Optional(
      Timestamp({ description: 'Time of the last sign-out, which ended all earlier sessions of the key.' }),
    ),
  },
  { description: 'Use of the key.' },
);
export type ApiKeyStatus = Static<typeof ApiKeyStatus>;

export type ApiKey = Resource<ApiKeySpec, ApiKeyStatus>;

export const API_KEY = defineKind<ApiKeySpec, ApiKeyStatus>({
  kind: 'ApiKey',
  plural: 'apikeys',
  singular: 'apikey',
  shortNames: ['ak'],
  description: 'A key of the HTTP API. The resource contains its hash, not the key.',
  spec: ApiKeySpec,
  status: ApiKeyStatus,
  columns: [
    { name: 'Name', type: 'string', jsonPath: '.spec.name' },
    { name: 'Mode', type: 'string', jsonPath: '.spec.mode' },
    { name: 'Ends With', type: 'string', jsonPath: '.spec.lastFour' },
    { name: 'Last Used', type: 'date', jsonPath: '.status.lastUsedAt' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Scopes', type: 'string', jsonPath: '.spec.scopes', priority: 1 },
  ],
  rules: [{ path: ['spec'], rule: immutableMembers('mode', 'sha256', 'lastFour') }],
});

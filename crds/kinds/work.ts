import { Type } from 'typebox';
import { KEY_MODES } from './api-key.ts';
import { ClientMetadata } from '../schema/client-metadata.ts';
import { StringEnum, Timestamp } from '../schema/schema.ts';

/** Number of attempts of a document that ended with their renderer, as a member of a status. */
export const LostAttempts = Type.Integer({
  minimum: 0,
  description:
    'Earlier attempts that were lost with their renderer, killed or out of memory. After one, the document is rendered alone.',
});

/**
 * Returns the spec members of every kind that creates files: its requester, metadata and retention. `what`: its name in
 * descriptions.
 */
export function workMembers(what: string) {
  return {
    mode: Type.Optional(
      StringEnum(KEY_MODES, {
        default: 'live',
        description: `Mode of the key; test puts a watermark on every page.`,
      }),
    ),
    keyId: Type.Optional(Type.String({ maxLength: 253, description: `ApiKey that created the ${what}.` })),
    clientMetadata: Type.Optional(
      ClientMetadata({
        'x-kubernetes-map-type': 'atomic',
        description: `Strings that the creator of the ${what} stored with it. The service shows them as \`metadata\`, but does not interpret them.`,
      }),
    ),
    expiresAt: Type.Optional(
      Timestamp({
        description: `Time at which the files of the ${what} expire. Default: 24 hours after creation.`,
      }),
    ),
    ttlSecondsAfterFinished: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400,
        description:
          'Seconds that the finished resource is kept. Default: the setting of the controller (600).',
      }),
    ),
  };
}

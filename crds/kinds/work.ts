import { Type } from 'typebox';
import { KEY_MODES } from './api-key.ts';
import { StringEnum, Timestamp } from '../schema/schema.ts';

/** Number of attempts of a document that ended with their renderer, as a member of a status. */
export const LostAttempts = Type.Integer({
  minimum: 0,
  description:
    'Attempts before this one that ended with their renderer, killed or out of memory. With one or more the document is rendered alone.',
});

/**
 * Returns the spec members of every kind that creates files: its requester and retention. `what`: its name in
 * descriptions.
 */
export function workMembers(what: string) {
  return {
    mode: Type.Optional(
      StringEnum(KEY_MODES, {
        default: 'live',
        description: `Kind of key the ${what} was made with; test puts a watermark on every page.`,
      }),
    ),
    keyId: Type.Optional(Type.String({ maxLength: 253, description: `ApiKey that made the ${what}.` })),
    expiresAt: Type.Optional(
      Timestamp({
        description: `When what the ${what} made stops being available; 24 hours after creation when left out.`,
      }),
    ),
    ttlSecondsAfterFinished: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 86_400,
        description: 'How long the finished resource is kept; the controller has a default of 600.',
      }),
    ),
  };
}

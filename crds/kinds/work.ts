import { Type } from 'typebox';
import { KEY_MODES } from './api-key.ts';
import { StringEnum, Timestamp } from '../schema/schema.ts';

/** Attempts of a document that its renderer did not survive, as a member of a status. */
export const LostAttempts = Type.Integer({
  minimum: 0,
  description:
    'Attempts before this one that ended with their renderer, killed or out of memory. With one or more the document is rendered alone.',
});

/** Members of the spec of whatever makes files: who asked for it, and how long it is kept. `what`: its name in texts. */
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

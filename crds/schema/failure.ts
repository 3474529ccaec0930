import { Type } from 'typebox';

/** Reason why something failed, as a status field: a stable code for programs and a sentence for users. */
export function Failure(maxMessageLength: number, description: string) {
  return Type.Object(
    {
      code: Type.String({
        maxLength: 64,
        pattern: '^[a-z][a-z0-9_]*$',
        description: 'Stable error code that programs can rely on.',
      }),
      message: Type.String({ maxLength: maxMessageLength, description: 'Human-readable message.' }),
    },
    { description },
  );
}

import { Type } from 'typebox';

/** Request header of operations that run once however often they are sent; read by idempotencyKeyOf. */
export const IdempotencyKey = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[!-~]([ -~]*[!-~])?$',
      description: 'The same request with the same key is carried out once within 24 hours.',
    }),
  ),
});

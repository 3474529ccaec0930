import { Type } from 'typebox';

/** Request header of what is made once, however often it is sent; read by idempotencyKeyOf. */
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

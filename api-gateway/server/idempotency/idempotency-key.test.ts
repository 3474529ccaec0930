import { expect, it } from 'vitest';
import { idempotencyKeyOf } from './idempotency-key.ts';

const read = (key: string) => idempotencyKeyOf({ 'idempotency-key': key });

it('The Idempotency-Key header is optional', () => {
  expect(idempotencyKeyOf({})).toBeUndefined();
});

it.each(['a', '8e03978e-40d5-43dd-bc93-6894a57f9324', '"quoted"', 'order 17, line 3', 'x'.repeat(255)])(
  'The Idempotency-Key header is used unchanged: %s',
  (key) => expect(read(key)).toBe(key),
);

it.each(['', ' ', ' a', 'a ', 'x'.repeat(256), 'caf\u00e9', 'a\tb', 'a\u007fb'])(
  'The Idempotency-Key header is rejected: %j',
  (key) => {
    expect(() => read(key)).toThrow(/1 to 255 printable ASCII characters/);
  },
);

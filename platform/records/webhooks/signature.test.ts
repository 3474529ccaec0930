import { expect, it } from 'vitest';
import { signatureOf } from './signature.ts';

// Computed with: printf '%s' '1795248000.{"id":"evt-1","name":"Łódź"}' | openssl dgst -sha256 -hmac whsec_test
const BODY = '{"id":"evt-1","name":"Łódź"}';
const KNOWN = '3aa5594b2f1d90961556e7f051bc3b7ba31426de92e8c9a97a4d7e2cdfcd92d4';

it('the signature is the HMAC-SHA256 of timestamp, dot and body in lowercase hexadecimal', () => {
  expect(signatureOf('whsec_test', 1_795_248_000, BODY)).toBe(KNOWN);
  expect(signatureOf('whsec_test', 1_795_248_000, Buffer.from(BODY))).toBe(KNOWN);
});

import { createHmac, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** Returns a new signing secret. */
export function generateSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

/**
 * Returns the value of X-Trifold-Signature: HMAC-SHA256 of `<unix seconds>.<raw body>` in lowercase hexadecimal digits
 * (interface, "Signature verification"). The key is the secret's text in UTF-8.
 */
export function signatureOf(secret: string, timestamp: number, body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

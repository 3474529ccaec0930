import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../errors/api-error.ts';

/**
 * 1 to 255 characters of printable ASCII, without leading or trailing spaces. The key is used unchanged, quotes
 * included.
 */
const KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/** Idempotency-Key of a request and fingerprint of its body. */
export interface RequestKey {
  /** The Idempotency-Key. */
  readonly key: string;
  /** `bodyFingerprint` of a body that is not completely in this process. */
  readonly fingerprint: string | undefined;
}

/** Returns the header Idempotency-Key; undefined without one. Throws ApiError `invalid_request` for an invalid key. */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && KEY.test(key)) return key;
  const message =
    'The header Idempotency-Key must hold 1 to 255 characters of printable ASCII, for instance a UUID.';
  throw new ApiError('invalid_request', message);
}

import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../errors/api-error.ts';

/** 1 to 255 characters of printable ASCII, spaces inside only. Quotes are part of the key: it is taken as it is. */
const KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/** What a request with an Idempotency-Key is recognized by. */
export interface RequestKey {
  /** The Idempotency-Key. */
  readonly key: string;
  /** `bodyFingerprint` of the body, for a body that is not all in this process. */
  readonly fingerprint: string | undefined;
}

/** What the header Idempotency-Key holds; undefined without one. Throws ApiError `invalid_request` for what is no key. */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && KEY.test(key)) return key;
  const message =
    'The header Idempotency-Key must hold 1 to 255 characters of printable ASCII, for instance a UUID.';
  throw new ApiError('invalid_request', message);
}

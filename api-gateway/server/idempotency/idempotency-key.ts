import { DOCUMENT_LIFETIME } from '@trifold/crds/retention.ts';
import type { FastifyRequest } from 'fastify';
import type { IncomingHttpHeaders } from 'node:http';
import { Type } from 'typebox';
import { bodyFingerprint } from '@trifold/platform/request-body/large-body.ts';
import { ApiError } from '../errors/api-error.ts';
import type { IdempotentRequest } from './request-records.ts';

/** Request header of operations that run only once, however often they are sent; read by idempotencyKeyOf. */
export const IdempotencyKey = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[!-~]([ -~]*[!-~])?$',
      description: `Within ${DOCUMENT_LIFETIME}, the service executes the same request with the same key only once.`,
    }),
  ),
});

/**
 * 1 to 255 characters of printable ASCII, without leading or trailing spaces. The key is used unchanged, quotes
 * included.
 */
const KEY = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/**
 * Returns the Idempotency-Key header, or undefined if there is none. Throws ApiError `invalid_request` for an invalid
 * key.
 */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && KEY.test(key)) return key;
  const message =
    'The Idempotency-Key header must have 1 to 255 printable ASCII characters, for example a UUID.';
  throw new ApiError('invalid_request', message);
}

/**
 * Returns the identity of a request with an Idempotency-Key, or undefined if it has no such header. Call it before
 * defaults are filled into the body. Throws ApiError `invalid_request` for an invalid key.
 */
export function knownRequest(
  request: Pick<FastifyRequest, 'headers' | 'caller' | 'method' | 'routeOptions' | 'bodyFingerprint'> & {
    readonly body: object;
  },
): IdempotentRequest | undefined {
  const key = idempotencyKeyOf(request.headers);
  if (key === undefined) return undefined;
  const { account, keyId } = request.caller;
  const route = `${request.method} ${request.routeOptions.url}`;
  return { account, keyId, route, key, bodySha256: request.bodyFingerprint ?? bodyFingerprint(request.body) };
}

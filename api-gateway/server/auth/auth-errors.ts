import type { Scope } from '@trifold/crds';
import { ApiError } from '../errors/api-error.ts';
import type { RequestErrorCode } from '@trifold/platform/service/error-codes.ts';
import type { Caller } from './caller.ts';

const FORM = 'Authorization: Bearer tf_live_… (or tf_test_…; 51 characters in all)';

/** 401: the request carries no credential that is valid here. `WWW-Authenticate` names the one that is: a key. */
export function unauthenticated(code: RequestErrorCode, message: string): ApiError {
  return new ApiError(code, message, { headers: { 'www-authenticate': 'Bearer realm="trifold"' } });
}

/** 401: the request carries no key. */
export function missingKey(): ApiError {
  return unauthenticated('missing_key', `The request carries no API key. Send the header ${FORM}.`);
}

/** 401: the credential is not an API key, or the key is not valid (any more). */
export function invalidKey(message: string): ApiError {
  const headers = { 'www-authenticate': 'Bearer realm="trifold", error="invalid_token"' };
  return new ApiError('invalid_key', message, { headers });
}

/** Message for an Authorization header without a Bearer key. */
export const NOT_A_KEY = `The Authorization header holds no API key. Its form is ${FORM}.`;

/** Message for a well-formed key that is unknown. */
export const UNKNOWN_KEY =
  'The API key is unknown or was revoked. Check that it was copied whole, or create a new key: a lost key cannot be recovered.';

/** 401: the key lacks a scope (interface, "Authentication" 6 and "Errors" 1). */
export function insufficientScope(required: Scope, caller: Caller): ApiError {
  return new ApiError('insufficient_scope', `This request requires the scope ${required}.`, {
    headers: {
      'www-authenticate': `Bearer realm="trifold", error="insufficient_scope", scope="${required}"`,
    },
    extra: {
      missingScopes: [required],
      yourScopes: [...caller.scopes],
      hint: `Use a key that has the scope ${required}, or create one with it; the scopes of a key cannot be changed.`,
    },
  });
}

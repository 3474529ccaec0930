import { ApiError } from '../errors/api-error.ts';
import type { RequestErrorCode } from '@trifold/platform/service/error-codes.ts';

/** 401: the request carries no credential that is valid here. `WWW-Authenticate` names the one that is: a key. */
export function unauthenticated(code: RequestErrorCode, message: string): ApiError {
  return new ApiError(code, message, { headers: { 'www-authenticate': 'Bearer realm="trifold"' } });
}

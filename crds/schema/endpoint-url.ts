import { Type } from 'typebox';
import { MAX_ENDPOINT_URL_LENGTH } from '../limits.ts';

/**
 * The URL of an endpoint or a callback. User and password are not allowed, because anyone who can read the resource
 * would see them.
 */
export function EndpointUrl(options: object = {}) {
  return Type.String({
    minLength: 8,
    maxLength: MAX_ENDPOINT_URL_LENGTH,
    pattern: '^https?://[^\\s/?#@]+([/?#]\\S*)?$',
    ...options,
  });
}

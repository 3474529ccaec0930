import { Type } from 'typebox';

/** Maximum characters of the URL of an endpoint or a callback. */
export const MAX_ENDPOINT_URL_LENGTH = 2048;

/** The URL of an endpoint or a callback. No user and password: everyone who can read the resource would see them. */
export function EndpointUrl(options: object = {}) {
  return Type.String({
    minLength: 8,
    maxLength: MAX_ENDPOINT_URL_LENGTH,
    pattern: '^https?://[^\\s/?#@]+([/?#]\\S*)?$',
    ...options,
  });
}

import { Type } from 'typebox';

/** Maximum characters of the URL of an endpoint or a callback. */
export const LONGEST_ENDPOINT_URL = 2048;

/** The URL of an endpoint or a callback. No user and password: everyone who can read the resource would see them. */
export function EndpointUrl(options: object = {}) {
  return Type.String({
    minLength: 8,
    maxLength: LONGEST_ENDPOINT_URL,
    pattern: '^https?://[^\\s/?#@]+([/?#]\\S*)?$',
    ...options,
  });
}

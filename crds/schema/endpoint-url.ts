import { Type } from 'typebox';

/** Characters the URL of an endpoint or a callback may have. */
export const LONGEST_ENDPOINT_URL = 2048;

/** The URL of an endpoint or a callback. No user and password: whoever reads the resource would read them. */
export function EndpointUrl(options: object = {}) {
  return Type.String({
    minLength: 8,
    maxLength: LONGEST_ENDPOINT_URL,
    pattern: '^https?://[^\\s/?#@]+([/?#]\\S*)?$',
    ...options,
  });
}

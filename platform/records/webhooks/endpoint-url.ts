import { MAX_ENDPOINT_URL_LENGTH } from '@trifold/crds';
import { OutboundError } from '../../outbound/outbound-error.ts';

/**
 * Parses the URL of an endpoint, hook or callback. Throws OutboundError for a scheme other than https (or http, where
 * the deployment allows it), a user name or password, a fragment, port 0, white space, or more than 2048 characters.
 */
export function parseEndpointUrl(text: string, { allowHttp }: { readonly allowHttp: boolean }): URL {
  const problem = problemOf(text);
  if (problem !== undefined) throw new OutboundError('url_invalid', problem);
  const url = new URL(text);
  if (url.protocol === 'http:' && !allowHttp) {
    throw new OutboundError(
      'http_not_allowed',
      'only https is allowed (for development, set TRIFOLD_WEBHOOK_ALLOW_HTTP=true)',
    );
  }
  return url;
}

function problemOf(text: string): string | undefined {
  if (text.length > MAX_ENDPOINT_URL_LENGTH)
    return `the URL must have at most ${MAX_ENDPOINT_URL_LENGTH} characters`;
  const authority = /^https?:\/\/([^/?#\\\s]+)/i.exec(text)?.[1];
  if (authority === undefined || /[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) {
    return 'it must be an absolute URL such as https://hooks.example.com/trifold';
  }
  // Any client that can read the resource would see them.
  if (authority.includes('@')) return 'the URL must not contain a user name or password';
  if (text.includes('#')) return 'the URL must not contain a fragment';
  if (new URL(text).port === '0') return 'port 0 is not allowed';
  return undefined;
}

import type { FastifyRequest } from 'fastify';
import { isLoopback } from '@trifold/platform/settings/setting-forms.ts';
import { ApiError, unauthenticated } from '../server/errors/api-error.ts';

/** Header that a session's requests carry unless they only read. A form cannot send it. */
const SESSION_HEADER = 'x-trifold-session';

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Throws ApiError 401 unless a page of this service sent the request (Fetch Metadata; for browsers without it, the
 * Origin header). A cookie proves who the user is, but not which page sent the request.
 */
export function requireSameOrigin({ method, headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? originOf(headers)?.host === headers.host : site === 'same-origin';
  if (!isOwn)
    throw crossSite(
      'Another site sent this request with a session cookie. Use the dashboard, or send an API key.',
    );
  if (!READS.has(method) && headers[SESSION_HEADER] === undefined) {
    throw crossSite(`A session request that changes data requires the ${SESSION_HEADER}: 1 header.`);
  }
}

/**
 * Returns whether the page that sent the request came over https. Throws ApiError: 401 for a page from another site,
 * 403 for one that came over plain http from another machine, because anyone on the network path could read the key.
 */
export function requireSafePage({ headers }: FastifyRequest): { readonly https: boolean } {
  const origin = originOf(headers);
  if (origin === undefined || origin.host !== headers.host) {
    throw crossSite('Sign in on a page of this service: the Origin header must name its address.');
  }
  if (origin.protocol === 'https:') return { https: true };
  if (isLoopback(origin.hostname)) return { https: false };
  throw new ApiError(
    'insecure_sign_in',
    `Over plain HTTP, others on the network could read the key. Open https://${origin.host} instead, or sign in on the machine that runs the service.`,
  );
}

function originOf({ origin }: FastifyRequest['headers']): URL | undefined {
  return origin !== undefined && URL.canParse(origin) ? new URL(origin) : undefined;
}

function crossSite(message: string): ApiError {
  return unauthenticated('cross_site_request', message);
}

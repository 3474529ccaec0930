import { KubernetesApiError } from '../client/api-error.ts';
import { WatchDecodeError } from './watch-stream.ts';

/** No server may send a client to sleep for longer than this. */
const LONGEST_RETRY_AFTER_MS = 5 * 60_000;

const EXPIRED_REASONS = new Set(['Expired', 'Gone']);

/** The version asked for is no longer kept (410), on the request or inside the stream. */
export function isExpired(error: unknown): boolean {
  return error instanceof KubernetesApiError && (error.code === 410 || EXPIRED_REASONS.has(error.reason));
}

/**
 * The version asked for is ahead of what the server has: it lags, or was restored from a backup. After the latter it
 * would hold back everything up to that version for ever, so the version has to be given up.
 */
function isAhead(error: KubernetesApiError): boolean {
  return (
    error.details?.causes?.some((cause) => cause.reason === 'ResourceVersionTooLarge') === true ||
    error.message.includes('Too large resource version')
  );
}

/** Refusals that say nothing about the version: credentials, permissions, slowness. */
const SAYS_NOTHING_OF_VERSION = new Set([401, 403, 408]);

/** After so many answers in a row that something went wrong inside the server, another version may go better. */
const SERVER_FAILURES_BEFORE_LIST = 5;

/**
 * Whether going on from the same version cannot be relied on. A lost connection alone costs no list, nor does an
 * overloaded server. `failures` counts this one and those before it.
 */
export function needsRelist(error: unknown, failures: number): boolean {
  if (error instanceof WatchDecodeError) return true;
  if (!(error instanceof KubernetesApiError)) return false;
  if (isExpired(error) || isAhead(error)) return true;
  if (error.retryable) return error.code >= 500 && failures >= SERVER_FAILURES_BEFORE_LIST;
  return !SAYS_NOTHING_OF_VERSION.has(error.code);
}

/** How long to wait: what the server asked for (Retry-After), if that is longer than the backoff. */
export function delayOf(error: unknown, backoffMs: number): number {
  const asked = error instanceof KubernetesApiError ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(backoffMs, Math.min(asked, LONGEST_RETRY_AFTER_MS));
}

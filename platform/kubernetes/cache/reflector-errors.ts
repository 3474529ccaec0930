import { KubernetesApiError } from '../client/api-error.ts';
import { WatchDecodeError } from './watch-stream.ts';

/** Maximum retry delay that a server may request. */
const MAX_RETRY_AFTER_MS = 5 * 60_000;

const EXPIRED_REASONS = new Set(['Expired', 'Gone']);

/** Whether the server no longer has the requested version (410), in the response or inside the stream. */
export function isExpired(error: unknown): boolean {
  return error instanceof KubernetesApiError && (error.code === 410 || EXPIRED_REASONS.has(error.reason));
}

/**
 * Whether the requested version is ahead of the server, which lags or was restored from a backup. After a restore the
 * server would withhold all changes up to that version, so the version must be discarded.
 */
function isAhead(error: KubernetesApiError): boolean {
  return error.details?.causes?.some((cause) => cause.reason === 'ResourceVersionTooLarge') === true;
}

/** Status codes that do not concern the version: credentials, permissions, timeouts. */
const SAYS_NOTHING_OF_VERSION = new Set([401, 403, 408]);

/** After this many consecutive server errors, the version may be the cause. */
const SERVER_FAILURES_BEFORE_LIST = 5;

/**
 * Whether the watch cannot resume from the same version. A lost connection or an overloaded server alone does not
 * require a list. `failures` includes this failure.
 */
export function needsRelist(error: unknown, failures: number): boolean {
  if (error instanceof WatchDecodeError) return true;
  if (!(error instanceof KubernetesApiError)) return false;
  if (isExpired(error) || isAhead(error)) return true;
  if (error.retryable) return error.code >= 500 && failures >= SERVER_FAILURES_BEFORE_LIST;
  return !SAYS_NOTHING_OF_VERSION.has(error.code);
}

/** Returns the delay before the next attempt: the server's Retry-After if it is longer than the backoff. */
export function delayOf(error: unknown, backoffMs: number): number {
  const asked = error instanceof KubernetesApiError ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(backoffMs, Math.min(asked, MAX_RETRY_AFTER_MS));
}

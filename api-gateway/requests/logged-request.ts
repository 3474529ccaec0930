import { timeOfId } from '@trifold/crds';
import { BOUNDS } from '@trifold/platform/bounds/bounds.ts';
import type { RequestEntry } from './request-view.ts';

/**
 * A request in the log, as it is stored: one line of JSON. Contains nothing that the client sent, except IDs. The
 * request's ID contains the time.
 */
export type LoggedRequest = Omit<RequestEntry, 'created_at' | 'key_name'>;

/** Maximum number of failed requests, and separately of successful writes, in an account's log. */
export const MAX_REQUESTS = BOUNDS.requestLog.limit.value;

/** Whether the request failed; otherwise, it was a successful write. */
export function isFailed({ status }: Pick<LoggedRequest, 'status'>): boolean {
  return status >= 400;
}

/** Returns the time of a request, in milliseconds since 1970. */
export function requestTime({ request_id }: Pick<LoggedRequest, 'request_id'>): number {
  return timeOfId(request_id)?.getTime() ?? Number.NaN;
}

/** Returns the requests in an object of the log. Skips lines that no gateway wrote. */
export function decodeRequests(body: string): LoggedRequest[] {
  return body.split('\n').flatMap((line) => decoded(line) ?? []);
}

function decoded(line: string): LoggedRequest | undefined {
  try {
    const request = JSON.parse(line) as LoggedRequest;
    return Number.isNaN(requestTime(request)) ? undefined : request;
  } catch {
    return undefined;
  }
}

/** Returns the latest requests of each kind, newest first, without duplicates. */
export function latestRequests(requests: readonly LoggedRequest[]): LoggedRequest[] {
  const byId = new Map(requests.map((request) => [request.request_id, request]));
  const sorted = [...byId.values()].sort((left, right) => (left.request_id < right.request_id ? 1 : -1));
  let [failed, writes] = [0, 0];
  return sorted.filter((request) => (isFailed(request) ? (failed += 1) : (writes += 1)) <= MAX_REQUESTS);
}

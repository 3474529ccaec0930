import { STATUS_CODES } from 'node:http';
import { ERROR_CODES, type RequestErrorCode } from '@trifold/platform/service/error-codes.ts';
import type { ErrorAt } from './route-documentation.ts';

/** Traits of a route that determine its implicit errors. */
export interface RouteTraits {
  /** Whether the route requires an API key. */
  readonly isGuarded: boolean;
  /** Whether the route reads a request body. */
  readonly readsBody: boolean;
  readonly errors: readonly (RequestErrorCode | ErrorAt)[];
}

const OF_EVERY_ROUTE: readonly RequestErrorCode[] = [
  'invalid_request',
  'request_timeout',
  'uri_too_long',
  'expectation_failed',
  'unknown_host',
  'too_many_downloads',
  'headers_too_large',
  'internal_error',
  'unavailable',
];
const WITH_KEY: readonly RequestErrorCode[] = [
  'missing_key',
  'invalid_key',
  'insufficient_scope',
  'rate_limited',
];
const WITH_BODY: readonly RequestErrorCode[] = [
  'invalid_json',
  'body_too_large',
  'unsupported_media_type',
  'too_many_uploads',
];

/** Returns the errors of a route by status, each as a Markdown sentence. */
export function errorsByStatus({ isGuarded, readsBody, errors }: RouteTraits): Map<number, string[]> {
  const all = [
    ...OF_EVERY_ROUTE,
    ...(isGuarded ? WITH_KEY : []),
    ...(readsBody ? WITH_BODY : []),
    ...errors,
  ].map((error) =>
    typeof error === 'string' ? { code: error, statusCode: ERROR_CODES[error].status } : error,
  );
  const byStatus = new Map<number, Set<string>>();
  for (const { code, statusCode } of all) {
    const sentences = byStatus.get(statusCode) ?? new Set();
    byStatus.set(statusCode, sentences.add(`\`${code}\`: ${ERROR_CODES[code].cause}`));
  }
  return new Map([...byStatus].map(([status, sentences]) => [status, [...sentences]]));
}

/** Returns the description of a status: its name and its sentences as a list. */
export function descriptionOf(status: number, sentences: readonly string[]): string {
  const list = sentences.map((sentence) => `- ${sentence}`);
  return [`${STATUS_CODES[status]}.`, '', ...list].join('\n');
}

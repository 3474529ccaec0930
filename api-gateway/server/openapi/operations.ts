import { STATUS_CODES } from 'node:http';
import type { FastifySchema, RouteOptions } from 'fastify';
import { toJsonSchema } from '@trifold/crds';
import { ERROR_CODES, type RequestErrorCode } from '@trifold/platform/errors/error-codes.ts';
import type { TSchema } from 'typebox';
import { requiresBody } from '../body/json-bodies.ts';
import type { JsonObject } from './components.ts';
import type { HeaderName } from './headers.ts';

/** An error whose status differs from the default for its code. */
interface ErrorAt {
  readonly code: RequestErrorCode;
  readonly statusCode: number;
}

declare module 'fastify' {
  interface FastifySchema {
    /**
     * This route's errors, in addition to the ones common to its kind of route. They are documented, not serialized.
     */
    errors?: readonly (RequestErrorCode | ErrorAt)[];
    /** Request headers that the handler itself reads and checks. */
    requestHeaders?: TSchema;
    /** Operations that take the response's ID, by response status. */
    links?: Readonly<Record<number, readonly string[]>>;
    /** Headers of successful responses, by status. */
    responseHeaders?: Readonly<Record<number, readonly HeaderName[]>>;
    /** JSON bodies of successful responses, by status. */
    responseExamples?: Readonly<Record<number, unknown>>;
  }
}

/** Route properties that the document needs. */
export interface DocumentedRoute {
  readonly operationId: string;
  /** Whether the route requires an API key. */
  readonly isGuarded: boolean;
  /** Whether the route reads a request body. */
  readonly readsBody: boolean;
  readonly errors: readonly (RequestErrorCode | ErrorAt)[];
  /** Whether a request without a body is invalid. */
  readonly requiresBody: boolean;
  readonly responseHeaders: Readonly<Record<number, readonly HeaderName[]>>;
  readonly responseExamples: Readonly<Record<number, unknown>>;
  readonly links: Readonly<Record<number, readonly string[]>>;
}

const DOCUMENTED = '/v1/';
const WITHOUT_BODY = ['GET', 'HEAD'];

/** Returns the route properties that determine its errors and headers. */
export function documentedRoute({ method, url, schema = {}, config }: RouteOptions): DocumentedRoute {
  const methods = [method].flat().map((name) => name.toUpperCase());
  return {
    operationId: schema.operationId ?? idOf(methods[0] ?? '', url),
    requiresBody: requiresBody(schema),
    isGuarded: config?.scope !== undefined,
    readsBody: methods.some((name) => !WITHOUT_BODY.includes(name)),
    errors: schema.errors ?? [],
    responseHeaders: schema.responseHeaders ?? {},
    responseExamples: schema.responseExamples ?? {},
    links: schema.links ?? {},
  };
}

/** Returns an ID for a route that has none: `getHooksId` for GET /v1/hooks/:id. */
function idOf(method: string, url: string): string {
  const words = url.split(/[^A-Za-z0-9]+/).filter((word) => word !== '' && word !== 'v1');
  const capitalized = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return method.toLowerCase() + capitalized.join('');
}

/** Returns a route's schema for @fastify/swagger, with its successful responses only. */
export function swaggerSchema(route: RouteOptions): FastifySchema {
  const { schema = {}, url, config } = route;
  if (!url.startsWith(DOCUMENTED)) return { hide: true };
  const { params, querystring, body, requestHeaders, summary, tags } = schema;
  const scope = config?.scope;
  const { operationId } = documentedRoute(route);
  const needs = scope === undefined ? 'Requires no API key.' : `Requires the \`${scope}\` scope.`;
  return {
    operationId,
    ...(summary !== undefined && { summary }),
    description: [schema.description, needs].filter((part) => part !== undefined).join('\n\n'),
    ...(tags && { tags }),
    security: scope === undefined ? [] : [{ apiKey: [scope] }],
    ...plain({ params, querystring, headers: requestHeaders, body }),
    response: plain((schema.response ?? {}) as Readonly<Record<string, unknown>>),
  };
}

/** Returns the defined schemas by name, without TypeBox's markers. */
function plain(schemas: Readonly<Record<string, unknown>>): JsonObject {
  const given = Object.entries(schemas).filter(([, schema]) => schema !== undefined);
  return Object.fromEntries(given.map(([name, schema]) => [name, toJsonSchema(schema as TSchema)]));
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
export function errorsByStatus({ isGuarded, readsBody, errors }: DocumentedRoute): Map<number, string[]> {
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

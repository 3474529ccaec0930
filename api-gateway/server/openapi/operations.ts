import type { FastifySchema, RouteOptions } from 'fastify';
import { toJsonSchema } from '@trifold/crds';
import type { TSchema } from 'typebox';
import { requiresBody } from '../body/default-body.ts';
import type { JsonObject } from './json.ts';
import type { HeaderName } from './headers.ts';
import type { RouteTraits } from './error-responses.ts';

/** Properties of a route that the document needs. */
export interface DocumentedRoute extends RouteTraits {
  readonly operationId: string;
  /** Whether a request without a body is invalid. */
  readonly requiresBody: boolean;
  readonly responseHeaders: Readonly<Record<number, readonly HeaderName[]>>;
  readonly links: Readonly<Record<number, readonly string[]>>;
}

const DOCUMENTED = '/v1/';
const WITHOUT_BODY = ['GET', 'HEAD'];

/** Returns the properties of a route that determine its errors and headers. */
export function documentedRoute({ method, url, schema = {}, config }: RouteOptions): DocumentedRoute {
  const methods = [method].flat().map((name) => name.toUpperCase());
  return {
    operationId: schema.operationId ?? idOf(methods[0] ?? '', url),
    requiresBody: requiresBody(schema),
    isGuarded: config?.scope !== undefined,
    readsBody: methods.some((name) => !WITHOUT_BODY.includes(name)),
    errors: schema.errors ?? [],
    responseHeaders: schema.responseHeaders ?? {},
    links: schema.links ?? {},
  };
}

/** Returns an id for a route without one: `getHooksId` for GET /v1/hooks/:id. */
function idOf(method: string, url: string): string {
  const words = url.split(/[^A-Za-z0-9]+/).filter((word) => word !== '' && word !== 'v1');
  const capitalized = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return method.toLowerCase() + capitalized.join('');
}

/** Returns a route's schema for @fastify/swagger, with its successful answers only. */
export function swaggerSchema(route: RouteOptions): FastifySchema {
  const { schema = {}, url, config } = route;
  if (!url.startsWith(DOCUMENTED)) return { hide: true };
  const { params, querystring, body, requestHeaders, summary, tags } = schema;
  const scope = config?.scope;
  const { operationId } = documentedRoute(route);
  const needs = scope === undefined ? 'Needs no API key.' : `Needs the scope \`${scope}\`.`;
  return {
    operationId,
    ...(summary !== undefined && { summary }),
    description: [schema.description, needs].filter((part) => part !== undefined).join('\n\n'),
    ...(tags && { tags }),
    security: scope === undefined ? [] : [{ apiKey: [scope] }],
    ...plain({ params, querystring, headers: requestHeaders, body }),
    response: answersOf(schema),
  };
}

/** Returns the schemas that are defined, by name and without TypeBox's own markers. */
function plain(schemas: Readonly<Record<string, unknown>>): JsonObject {
  const given = Object.entries(schemas).filter(([, schema]) => schema !== undefined);
  return Object.fromEntries(given.map(([name, schema]) => [name, toJsonSchema(schema as TSchema)]));
}

function answersOf({ response }: FastifySchema): JsonObject {
  return plain((response ?? {}) as Readonly<Record<string, unknown>>);
}

import { toJsonSchema } from '@trifold/crds';
import { ErrorBody, ScopeErrorBody } from '../errors/error-body.ts';
import {
  COMMON_HEADERS,
  ERROR_HEADERS,
  RATE_LIMIT_HEADERS,
  RESPONSE_HEADERS,
  type HeaderName,
} from './headers.ts';
import { isObject, NamedResponses, NamedSchemas, type JsonObject } from './components.ts';
import { descriptionOf, errorsByStatus, type DocumentedRoute } from './operations.ts';
import { callbacksOf } from './callbacks.ts';

/** Statuses of responses sent before the rate limit counts the request. */
const BEFORE_THE_LIMIT = [401, 408, 417, 421, 431];

/** Parts that are defined once for the whole document. */
interface Parts {
  readonly schemas: NamedSchemas;
  readonly answers: NamedResponses;
}

/**
 * Completes the document from @fastify/swagger: adds each route's errors and response headers, and names repeated
 * parts. Omits HEAD, which is GET without a body.
 */
export function completeDocument(
  document: JsonObject,
  routes: ReadonlyMap<string, DocumentedRoute>,
): JsonObject {
  const parts = { schemas: new NamedSchemas(), answers: new NamedResponses() };
  const components = document['components'] as JsonObject;
  for (const schema of Object.values(components['schemas'] as JsonObject)) parts.schemas.refer(schema);
  const paths = mapValues(document['paths'] as Record<string, Record<string, JsonObject>>, (item) => {
    const { head: _head, ...methods } = item;
    return mapValues(methods, (operation) => {
      const route = routes.get(String(operation['operationId']));
      return route ? completeOperation(operation, route, parts) : operation;
    });
  });
  return {
    ...document,
    paths,
    components: {
      ...components,
      headers: RESPONSE_HEADERS,
      responses: parts.answers.all(),
      schemas: parts.schemas.all(),
    },
  };
}

function completeOperation(operation: JsonObject, route: DocumentedRoute, parts: Parts): JsonObject {
  const { schemas } = parts;
  const { parameters, requestBody, responses, ...rest } = operation;
  return {
    ...rest,
    ...(Array.isArray(parameters) && {
      parameters: (parameters as JsonObject[]).map((parameter) => ({
        ...parameter,
        required: isRequired(parameter),
        ...(isMap(parameter) && { style: 'deepObject', explode: true }),
        schema: schemas.refer(parameter['schema']),
      })),
    }),
    ...(isObject(requestBody) && {
      requestBody: { ...withNames(requestBody, schemas), required: route.requiresBody },
    }),
    responses: completeResponses(responses as Record<string, JsonObject>, route, parts),
    ...callbacksOf(route.operationId, schemas),
  };
}

/** `metadata[order]=A-17` */
function isMap({ schema }: JsonObject): boolean {
  return isObject(schema) && schema['type'] === 'object';
}

/** A parameter with a default may be absent, although the handler always has its value. */
function isRequired({ required, schema }: JsonObject): boolean {
  return required === true && !(isObject(schema) && 'default' in schema);
}

/** Returns every response for a route, sorted by status. */
function completeResponses(
  given: Record<string, JsonObject>,
  route: DocumentedRoute,
  { schemas, answers }: Parts,
): JsonObject {
  const all = new Map(Object.entries(given).map(([status, response]) => [Number(status), response]));
  for (const [status, sentences] of errorsByStatus(route)) {
    const content = given[status]?.['content'] ?? { 'application/json': { schema: errorSchema(status) } };
    all.set(status, { description: descriptionOf(status, sentences), content });
  }
  const sorted = [...all].sort(([left], [right]) => left - right);
  const completed = sorted.map(([status, response]) => {
    const whole = {
      ...withExample(withNames(response, schemas), route.responseExamples[status]),
      headers: headersOf(status, route),
      ...linksOf(status, route),
    };
    return [status, answers.refer(status, whole)];
  });
  return Object.fromEntries(completed) as JsonObject;
}

function withExample(response: JsonObject, example: unknown): JsonObject {
  const { content } = response;
  if (example === undefined || !isObject(content)) return response;
  const json = content['application/json'] as JsonObject;
  return { ...response, content: { ...content, 'application/json': { example, ...json } } };
}

function errorSchema(status: number): unknown {
  const error = toJsonSchema(ErrorBody);
  return status === 401 ? { anyOf: [error, toJsonSchema(ScopeErrorBody)] } : error;
}

/** Replaces named schemas in a body or a response with references. */
function withNames(body: JsonObject, schemas: NamedSchemas): JsonObject {
  const { content } = body;
  if (!isObject(content)) return body;
  const media = mapValues(content as Record<string, JsonObject>, ({ schema, ...rest }) => ({
    ...rest,
    schema: schemas.refer(schema),
  }));
  return { ...body, content: media };
}

function headersOf(status: number, { isGuarded, responseHeaders }: DocumentedRoute): JsonObject {
  const names: HeaderName[] = [
    ...COMMON_HEADERS,
    ...(ERROR_HEADERS[status] ?? []),
    ...(responseHeaders[status] ?? []),
    ...(isGuarded && !BEFORE_THE_LIMIT.includes(status) ? RATE_LIMIT_HEADERS : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns links to the operations that take the response's ID. */
function linksOf(status: number, { links }: DocumentedRoute): JsonObject {
  const operations = links[status];
  if (!operations) return {};
  const parameters = { id: '$response.body#/id' };
  return {
    links: Object.fromEntries(operations.map((operationId) => [operationId, { operationId, parameters }])),
  };
}

function mapValues<Value, Result>(object: Record<string, Value>, change: (value: Value) => Result) {
  const changed = Object.entries(object).map(([name, value]) => [name, change(value)]);
  return Object.fromEntries(changed) as Record<string, Result>;
}

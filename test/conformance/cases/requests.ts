/** Shorthands for the steps of a case. They only build data. */
import type { Expectation, JsonObject, JsonValue, Step } from '../case.ts';

const API_VERSION = 'trifold.dev/v1alpha1';
export const DIGEST = 'a'.repeat(64);

type More = Partial<Omit<Step, 'method' | 'path' | 'body' | 'expect'>>;
type Body = JsonObject | readonly JsonValue[] | string;

export function object(kind: string, name: string, spec: JsonValue, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: API_VERSION, kind, metadata: { name, ...metadata }, spec };
}

export function template(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return object('Template', name, { displayName: 'Invoice', html: '<p></p>', ...spec }, metadata);
}

export function apiKey(name: string, spec: JsonObject = {}): JsonObject {
  const complete = { name: 'CI', scopes: ['templates:read'], mode: 'live', sha256: DIGEST, lastFour: 'abcd' };
  return object('ApiKey', name, { ...complete, ...spec });
}

export function generationJob(name: string, spec: JsonObject = {}): JsonObject {
  return object('GenerationJob', name, { templateRef: { name: 'invoice' }, data: {}, ...spec });
}

export function batch(name: string, spec: JsonObject = {}): JsonObject {
  const complete = {
    templateRef: { name: 'invoice' },
    revision: DIGEST,
    version: 1,
    itemsRef: { prefix: 'p/', size: 1 },
    total: 1,
  };
  return object('Batch', name, { ...complete, ...spec });
}

/** Creates and expects 201. */
export function made(path: string, body: JsonObject, more: More = {}): Step {
  return create(path, body, { code: 201 }, more);
}

export function create(path: string, body: Body, expect: Expectation, more: More = {}): Step {
  return { method: 'POST', path, body, expect, ...more };
}

export function replace(path: string, body: Body, expect: Expectation, more: More = {}): Step {
  return { method: 'PUT', path, body, expect, ...more };
}

export function get(path: string, expect: Expectation, more: More = {}): Step {
  return { method: 'GET', path, expect, ...more };
}

export function remove(path: string, expect: Expectation, body?: Body, more: More = {}): Step {
  return { method: 'DELETE', path, expect, ...(body !== undefined && { body }), ...more };
}

export function mergePatch(path: string, body: Body, expect: Expectation, more: More = {}): Step {
  return patch('application/merge-patch+json', path, body, { expect, ...more });
}

export function jsonPatch(path: string, body: Body, expect: Expectation, more: More = {}): Step {
  return patch('application/json-patch+json', path, body, { expect, ...more });
}

export function patch(
  contentType: string,
  path: string,
  body: Body,
  more: More & { expect: Expectation },
): Step {
  return { method: 'PATCH', path, body, ...more, headers: { 'content-type': contentType, ...more.headers } };
}

export function notFound(name: string, kind = 'templates'): Expectation {
  return { code: 404, reason: 'NotFound', body: { details: { name, group: 'trifold.dev', kind } } };
}

/** Causes after which the server skips CEL rules, and reports that in an extra cause without a field. */
const BLOCKING = /: FieldValue(Required|TypeInvalid|NotSupported|TooLong|TooMany)$/;

/** Expects 422 with these causes, each `field: reason`. */
export function invalid(...causes: string[]): Expectation {
  const unchecked = causes.some((cause) => BLOCKING.test(cause)) ? ['<nil>: FieldValueInvalid'] : [];
  return { code: 422, reason: 'Invalid', causes: [...causes, ...unchecked] };
}

/** Expects 422 for an option of the request, which the server checks before the object. */
export function unsupportedOption(option: string): Expectation {
  return { code: 422, reason: 'Invalid', causes: [`${option}: FieldValueNotSupported`] };
}

export const BAD_REQUEST: Expectation = { code: 400, reason: 'BadRequest' };

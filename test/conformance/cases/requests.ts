/** Shorthands for the requests of a case. They only build data. */
import type { Body, JsonObject, JsonValue, Request } from '../case.ts';

export const DIGEST = 'a'.repeat(64);
export const OTHER_UID = '11111111-1111-1111-1111-111111111111';
export const INVOICE = { displayName: 'Invoice', html: '<p></p>' };
export const DELETE_OPTIONS = { kind: 'DeleteOptions', apiVersion: 'v1' };
export const TABLE = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' };

/** Compacts the server's history. */
export const COMPACT: Request = { method: 'COMPACT', path: '' };

export function object(kind: string, name: string, spec: JsonValue, metadata: JsonObject = {}): JsonObject {
  return { apiVersion: 'trifold.dev/v1alpha1', kind, metadata: { name, ...metadata }, spec };
}

export function template(name: string, spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return object('Template', name, { ...INVOICE, ...spec }, metadata);
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

type Headers = Readonly<Record<string, string>>;

export function get(path: string, headers: Headers = {}): Request {
  return { method: 'GET', path, headers };
}

export function post(path: string, body: Body, headers: Headers = {}): Request {
  return { method: 'POST', path, body, headers };
}

export function put(path: string, body: Body): Request {
  return { method: 'PUT', path, body };
}

export function remove(path: string, body?: Body): Request {
  return { method: 'DELETE', path, ...(body !== undefined && { body }) };
}

export function patch(contentType: string, path: string, body: Body): Request {
  return { method: 'PATCH', path, body, headers: { 'content-type': contentType } };
}

export function mergePatch(path: string, body: Body): Request {
  return patch('application/merge-patch+json', path, body);
}

export function jsonPatch(path: string, body: Body): Request {
  return patch('application/json-patch+json', path, body);
}

/** Two labelled templates and a draft. */
export const LABELLED: readonly Request[] = [
  post('templates', template('a', {}, { labels: { app: 'x', tier: 'front' } })),
  post('templates', template('b', {}, { labels: { app: 'y' } })),
  post('templates', template('c', { state: 'draft' })),
];

export const FIVE: readonly Request[] = ['a', 'b', 'c', 'd', 'e'].map((name) =>
  post('templates', template(name)),
);

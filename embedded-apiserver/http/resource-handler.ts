import { apiVersionOf } from '@trifold/crds';
import type { ApiRequest, ApiResponse } from '@trifold/platform/kubernetes/client/transport.ts';
import { LARGE_JSON } from '@trifold/platform/request-body/raw-json.ts';
import { yieldForLarge } from '@trifold/platform/request-body/yield-for-large.ts';
import { deleteObject, readDeleteOptions } from '../deletion.ts';
import { decodeBody, decodePatch, mediaTypeOf } from '../encoding/body.ts';
import { invalid } from '../objects/field-error.ts';
import { isObject, type JsonObject } from '../encoding/json.ts';
import { applyJsonPatch } from '../patches/json-patch.ts';
import { applyMergePatch, applyStrategicMergePatch } from '../patches/merge-patch.ts';
import { decodeObject, type Decoded, type FieldValidation } from '../encoding/object-decoding.ts';
import {
  badRequest,
  invalidObject,
  methodNotAllowed,
  StatusError,
  tooLargeResourceVersion,
  unsupportedMediaType,
} from '../objects/status-error.ts';
import { metadataOf, tableOf } from '../objects/table.ts';
import { patchTypes, type ServedKind } from '../served-kind.ts';
import type { Entry, Registry } from '../store/registry.ts';
import { createObject, readEntry, updateObject, type ObjectTarget, type WriteContext } from '../writes.ts';
import { includeObjectOf, negotiate, type Representation } from './accept.ts';
import { listResponse } from './list.ts';
import { versionOf } from './list-options.ts';
import { jsonResponse, warningHeader } from './response.ts';
import type { ResourceRoute } from './route.ts';
import { watchResponse, type WatchServer } from './watch.ts';
import { writeOptionsOf } from './write-options.ts';

/** Dependencies of object requests. */
export type ResourceServer = WriteContext & WatchServer;

interface ResourceRequest {
  readonly server: ResourceServer;
  readonly request: ApiRequest;
  readonly route: ResourceRoute;
  readonly query: Readonly<Record<string, string>>;
  readonly representation: Representation;
}

/**
 * Serves a request for one object or a collection. A write decodes its body first; from its first read on, it is
 * synchronous, so that reads and writes do not interleave.
 */
export function handleResource(
  server: ResourceServer,
  request: ApiRequest,
  route: ResourceRoute,
): ApiResponse | Promise<ApiResponse> {
  const context: ResourceRequest = {
    server,
    request,
    route,
    query: request.query ?? {},
    representation: negotiate(request.headers?.['accept']),
  };
  const { name } = route;
  return name === undefined
    ? handleCollection(context)
    : handleObject(context, {
        kind: route.kind,
        namespace: route.namespace,
        name,
        subresource: route.subresource === 'status' ? 'status' : undefined,
      });
}

function handleCollection(context: ResourceRequest): ApiResponse | Promise<ApiResponse> {
  const { server, request, route, query, representation } = context;
  if (request.method === 'POST') return create(context);
  if (request.method === 'PUT' || request.method === 'PATCH') throw badRequest('name must be provided');
  if (request.method !== 'GET') throw methodNotAllowed();
  return query['watch'] === 'true' || query['watch'] === '1'
    ? watchResponse(server, { route, query, representation, signal: request.signal })
    : listResponse(server.registry, server.clock, { route, query, representation });
}

function handleObject(context: ResourceRequest, target: ObjectTarget): ApiResponse | Promise<ApiResponse> {
  switch (context.request.method) {
    case 'GET':
      checkNotBefore(context);
      return entryResponse(context, 200, readEntry(context.server.registry, target));
    case 'PUT':
      return replace(context, target);
    case 'PATCH':
      return patch(context, target);
    case 'DELETE':
      if (target.subresource) throw methodNotAllowed();
      return remove(context, target);
    default:
      throw methodNotAllowed();
  }
}

/** The `resourceVersion` of a read is the minimum version of the object. */
function checkNotBefore({ server, query }: ResourceRequest): void {
  const version = versionOf(query);
  const current = server.registry.revision;
  if (version > current) throw tooLargeResourceVersion(version, current);
}

async function create(context: ResourceRequest): Promise<ApiResponse> {
  const { server, route, query, request } = context;
  const options = writeOptionsOf(query, 'CreateOptions');
  if (route.kind.namespaced && route.namespace === undefined) throw methodNotAllowed();
  const { object, warnings } = await objectOf(request, route.kind, options.fieldValidation);
  const entry = createObject(server, route, object, options.dryRun);
  return entryResponse(context, 201, entry, warnings);
}

async function replace(context: ResourceRequest, target: ObjectTarget): Promise<ApiResponse> {
  const { server, query, request } = context;
  const options = writeOptionsOf(query, 'UpdateOptions');
  const { object, warnings } = await objectOf(request, target.kind, options.fieldValidation);
  const parsed = await parsedIfLarge(server.registry, target);
  const before = currentEntry(server.registry, target, parsed);
  const update = { dryRun: options.dryRun, method: 'replace' } as const;
  return entryResponse(
    context,
    200,
    updateObject(server, target, { before, sent: object }, update),
    warnings,
  );
}

/** Parses the object if it is large: parsing takes a separate turn, before the write. */
async function parsedIfLarge(registry: Registry, target: ObjectTarget): Promise<Entry> {
  const entry = readEntry(registry, target);
  if (entry.json.length <= LARGE_JSON) return entry;
  await yieldForLarge(entry.json);
  void entry.object;
  await yieldForLarge(entry.json);
  return entry;
}

/** Returns the current object, reusing `parsed` if it has not changed since. */
function currentEntry(registry: Registry, target: ObjectTarget, parsed: Entry): Entry {
  const current = readEntry(registry, target);
  return current.revision === parsed.revision ? parsed : current;
}

/** Returns the object in the request. */
async function objectOf(
  { body, headers }: ApiRequest,
  kind: ServedKind,
  fieldValidation: FieldValidation,
): Promise<Decoded> {
  const decoded = await decodeBody(body ?? '', headers?.['content-type'], kind.kind);
  await yieldForLarge(body);
  const object = decodeObject(kind, decoded, fieldValidation);
  await yieldForLarge(body);
  return object;
}

async function patch(context: ResourceRequest, target: ObjectTarget): Promise<ApiResponse> {
  const { server, query, request } = context;
  const apply = patchApplier(target.kind, mediaTypeOf(request.headers?.['content-type']));
  const options = writeOptionsOf(query, 'PatchOptions');
  const value = await decodePatch(request.body ?? '');
  await yieldForLarge(request.body);
  const parsed = await parsedIfLarge(server.registry, target);
  const before = currentEntry(server.registry, target, parsed);
  const patched = apply(before.object, value);
  checkApiVersion(target, patched);
  const { object, warnings } = asInvalidPatch(() =>
    decodeObject(target.kind, patched, options.fieldValidation),
  );
  const update = { dryRun: options.dryRun, method: 'patch' } as const;
  return entryResponse(
    context,
    200,
    updateObject(server, target, { before, sent: object }, update),
    warnings,
  );
}

type PatchApplier = (target: JsonObject, patch: unknown) => JsonObject;

function patchApplier(kind: ServedKind, type: string): PatchApplier {
  switch (type) {
    case 'application/merge-patch+json':
      return mergeApplier(applyMergePatch);
    case 'application/json-patch+json':
      return applyJsonPatch;
    case 'application/strategic-merge-patch+json':
      if (kind.behaviour.strategicMerge) return mergeApplier(applyStrategicMergePatch);
      throw unsupportedMediaType(patchTypes(kind));
    default:
      throw unsupportedMediaType(patchTypes(kind));
  }
}

function mergeApplier(merge: (target: unknown, patch: JsonObject) => unknown): PatchApplier {
  return (target, patch) => {
    if (!isObject(patch)) throw badRequest('error decoding patch: it must be an object');
    return merge(target, patch) as JsonObject;
  };
}

/** A wrong apiVersion is a 400 in a create, but makes a patched object invalid (422). */
function checkApiVersion({ kind, name }: ObjectTarget, patched: JsonObject): void {
  const { apiVersion } = patched;
  if (apiVersion !== apiVersionOf(kind))
    throw invalidObject({ group: kind.group, resource: kind.kind, name }, [
      invalid('apiVersion', apiVersion ?? '', `must be ${apiVersionOf(kind)}`),
    ]);
}

/** A patch is invalid if its result cannot be decoded: the API server returns 422 for the field `patch`. */
function asInvalidPatch<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof StatusError) || error.status.code !== 400) throw error;
    throw invalidObject({ group: '', resource: '', name: '' }, [invalid('patch', '', error.message)]);
  }
}

async function remove(context: ResourceRequest, target: ObjectTarget): Promise<ApiResponse> {
  const { server, request, query } = context;
  const body = request.body
    ? await decodeBody(request.body, request.headers?.['content-type'], 'DeleteOptions')
    : {};
  const { entry, gone } = deleteObject(server, target, readDeleteOptions(body, query));
  if (!gone) return entryResponse(context, 200, entry);
  return jsonResponse(200, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: target.name,
      ...(target.kind.group !== '' && { group: target.kind.group }),
      kind: target.kind.plural,
      uid: entry.object.metadata.uid,
    },
  });
}

function entryResponse(
  context: ResourceRequest,
  status: number,
  entry: Entry,
  warnings: readonly string[] = [],
): ApiResponse {
  const headers = warningHeader(warnings);
  if (context.representation === 'object') return jsonResponse(status, entry.json, headers);
  if (context.representation === 'metadata') return jsonResponse(status, metadataOf(entry.object), headers);
  const table = tableOf(
    [entry.object],
    { resourceVersion: entry.object.metadata.resourceVersion },
    {
      columns: context.route.kind.columns,
      includeObject: includeObjectOf(context.query),
      now: context.server.clock.now(),
      definitions: true,
    },
  );
  return jsonResponse(status, table, headers);
}

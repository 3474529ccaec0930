import { isDateTime } from '@trifold/crds';
import { isObject, jsonType, type JsonObject } from './json.ts';
import { badRequest } from '../objects/status-error.ts';
import type { SentMeta } from '../objects/stored-object.ts';

type Shape = 'string' | 'time' | 'integer' | 'boolean' | 'strings' | 'map' | 'owners' | 'ignored';

/** ObjectMeta of meta/v1, without `managedFields`: this server has no server-side apply. */
const METADATA: Readonly<Record<string, Shape>> = {
  name: 'string',
  generateName: 'string',
  namespace: 'string',
  selfLink: 'ignored',
  uid: 'string',
  resourceVersion: 'string',
  generation: 'integer',
  creationTimestamp: 'time',
  deletionTimestamp: 'time',
  deletionGracePeriodSeconds: 'integer',
  labels: 'map',
  annotations: 'map',
  finalizers: 'strings',
  ownerReferences: 'owners',
  managedFields: 'ignored',
};

const OWNER_REFERENCE: Readonly<Record<string, Shape>> = {
  apiVersion: 'string',
  kind: 'string',
  name: 'string',
  uid: 'string',
  controller: 'boolean',
  blockOwnerDeletion: 'boolean',
};

/** Decodes metadata as Go does. Throws StatusError 400 for wrong types; drops and reports unknown members. */
export function decodeMetadata(value: unknown, kind: string, unknown: string[]): SentMeta {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw undecodable(kind, jsonType(value), 'ObjectMeta');
  return decodeMembers(value, METADATA, { kind, path: 'metadata', unknown });
}

interface Context {
  readonly kind: string;
  readonly path: string;
  readonly unknown: string[];
}

function decodeMembers(
  value: JsonObject,
  shapes: Readonly<Record<string, Shape>>,
  context: Context,
): JsonObject {
  const decoded: JsonObject = {};
  for (const member of Object.keys(value)) {
    const shape = Object.hasOwn(shapes, member) ? shapes[member] : undefined;
    const content = value[member];
    if (shape === undefined) context.unknown.push(`${context.path}.${member}`);
    else if (content !== null && shape !== 'ignored') {
      const kept = decodeMember(content, shape, { ...context, path: `${context.path}.${member}` });
      if (kept !== undefined) decoded[member] = kept;
    }
  }
  return decoded;
}

/** Whether a value has the shape that the Go type requires. */
const FITS: Readonly<Record<Shape, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  time: (value) => typeof value === 'string' && isDateTime(value),
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  strings: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  map: (value) =>
    isObject(value) && Object.values(value).every((item) => item === null || typeof item === 'string'),
  owners: (value) => Array.isArray(value) && value.every(isObject),
  ignored: () => true,
};

/** Returns the value to store; undefined for an empty value, which is left out. */
function decodeMember(value: unknown, shape: Shape, context: Context): unknown {
  if (!FITS[shape](value)) throw undecodable(context.kind, jsonType(value), context.path);
  if (shape === 'owners') return decodeOwners(value as JsonObject[], context);
  if (isEmpty(value)) return undefined;
  return shape === 'map' ? decodeMap(value as JsonObject) : value;
}

/** A null label or annotation (`note:` in YAML) becomes an empty string. */
function decodeMap(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, text]) => [key, text ?? '']));
}

function isEmpty(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}

function decodeOwners(value: readonly JsonObject[], context: Context): unknown {
  const owners = value.map((owner, index) => ({
    apiVersion: '',
    kind: '',
    name: '',
    uid: '',
    ...decodeMembers(owner, OWNER_REFERENCE, { ...context, path: `${context.path}[${index}]` }),
  }));
  return owners.length > 0 ? owners : undefined;
}

function undecodable(kind: string, type: string, field: string): Error {
  return badRequest(`${kind} cannot be handled: json: cannot unmarshal ${type} into ${field}`);
}

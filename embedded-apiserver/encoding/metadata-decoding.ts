import type { FieldError } from '../objects/field-error.ts';
import { badRequest } from '../objects/status-error.ts';
import type { SentMeta } from '../objects/stored-object.ts';
import { pruneAndDefault } from '../schema/prune-and-default.ts';
import { validateValue } from '../schema/schema-validation.ts';
import { compileSchema } from '../schema/structural-schema.ts';
import { isObject, type JsonObject } from './json.ts';

const text = (description: string): JsonObject => ({ type: 'string', description });
const time = (description: string): JsonObject => ({ type: 'string', format: 'date-time', description });
const integer = (description: string): JsonObject => ({ type: 'integer', format: 'int64', description });
const map = (description: string): JsonObject => ({
  type: 'object',
  additionalProperties: { type: 'string', default: '' },
  description,
});
const identity = (description: string): JsonObject => ({ ...text(description), default: '' });

/** ObjectMeta of meta/v1, without `managedFields`: this server has no server-side apply. */
export const OBJECT_META: JsonObject = {
  type: 'object',
  description: 'ObjectMeta is metadata that all persisted resources must have.',
  properties: {
    annotations: map('Annotations: arbitrary metadata that is not used for selection.'),
    creationTimestamp: time('When the object was created. Read-only.'),
    deletionGracePeriodSeconds: integer('Read-only.'),
    deletionTimestamp: time('When deletion was requested. Read-only.'),
    finalizers: {
      type: 'array',
      description: 'List that must be empty before the object is removed.',
      items: { type: 'string', default: '' },
    },
    generateName: text('Prefix of a name that the server completes if name is omitted.'),
    generation: integer('Increases with each change of the spec. Read-only.'),
    labels: map('Labels: keys and values for organizing and selecting objects.'),
    name: text('Unique within a namespace. Cannot be updated.'),
    namespace: text('Where the name is unique. Cannot be updated.'),
    ownerReferences: {
      type: 'array',
      description: 'Owners of the object; it is deleted after all of them are deleted.',
      items: {
        type: 'object',
        description: 'OwnerReference identifies an owning object in the same namespace.',
        properties: {
          apiVersion: identity('API version of the owner.'),
          kind: identity('Kind of the owner.'),
          name: identity('Name of the owner.'),
          uid: identity('UID of the owner.'),
          controller: { type: 'boolean', description: 'Whether it is the managing controller.' },
          blockOwnerDeletion: {
            type: 'boolean',
            description: 'Not used: foreground deletion waits for all dependents.',
          },
        },
      },
    },
    resourceVersion: text('Changes with every write; for conflict detection and watches. Read-only.'),
    uid: text('Unique in time and space. Read-only.'),
  },
};

const SCHEMA = compileSchema(OBJECT_META);

/** Decodes metadata as Go does. Throws StatusError 400 for wrong types; drops and reports unknown fields. */
export function decodeMetadata(value: unknown, kind: string, unknown: string[]): SentMeta {
  if (value === undefined || value === null) return {};
  const metadata = isObject(value) ? copyOf(value) : value;
  pruneAndDefault(SCHEMA, metadata, 'metadata', unknown);
  const errors: FieldError[] = [];
  validateValue(SCHEMA, metadata, { field: 'metadata', old: undefined }, errors);
  if (errors.length > 0)
    throw badRequest(`${kind} cannot be handled: ${errors.map(({ message }) => message).join(', ')}`);
  return Object.fromEntries(Object.entries(metadata).filter(([, content]) => !isEmpty(content)));
}

/** Returns a copy without the fields that other servers set and this one ignores. */
function copyOf(sent: JsonObject): JsonObject {
  const metadata = structuredClone(sent);
  delete metadata['selfLink'];
  delete metadata['managedFields'];
  for (const name of ['labels', 'annotations']) {
    const texts = metadata[name];
    if (isObject(texts)) metadata[name] = mapWithTexts(texts);
  }
  return metadata;
}

/** A null label or annotation (`note:` in YAML) becomes an empty string. */
function mapWithTexts(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, content]) => [key, content ?? '']));
}

function isEmpty(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}

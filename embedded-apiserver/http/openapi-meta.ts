import type { JsonObject } from '../encoding/json.ts';

export const META_PREFIX = 'io.k8s.apimachinery.pkg.apis.meta.v1.';

const text = (description: string): JsonObject => ({ type: 'string', description });
const time = (description: string): JsonObject => ({ type: 'string', format: 'date-time', description });
const map = (description: string): JsonObject => ({
  type: 'object',
  additionalProperties: { type: 'string', default: '' },
  description,
});

/** Returns the schemas of meta/v1 that all kinds share, by name. */
export function metaSchemas(): JsonObject {
  return {
    [`${META_PREFIX}ObjectMeta`]: {
      type: 'object',
      description: 'ObjectMeta is metadata that all persisted resources must have.',
      properties: {
        annotations: map('Annotations: arbitrary metadata that is not used to select.'),
        creationTimestamp: time('When the object was created. Read-only.'),
        deletionGracePeriodSeconds: { type: 'integer', format: 'int64', description: 'Read-only.' },
        deletionTimestamp: time('When deletion was asked for. Read-only.'),
        finalizers: {
          type: 'array',
          description: 'Must be empty before the object is removed.',
          items: { type: 'string', default: '' },
          'x-kubernetes-list-type': 'set',
          'x-kubernetes-patch-strategy': 'merge',
        },
        generateName: text('Prefix of a name that the server completes, when name is left out.'),
        generation: {
          type: 'integer',
          format: 'int64',
          description: 'Rises with each change of the spec. Read-only.',
        },
        labels: map('Labels: keys and values to organise and select objects by.'),
        name: text('Unique within a namespace. Cannot be updated.'),
        namespace: text('Where the name is unique. Cannot be updated.'),
        ownerReferences: {
          type: 'array',
          description: 'Objects this one depends on; it is removed when all of them are gone.',
          items: { default: {}, allOf: [{ $ref: `#/components/schemas/${META_PREFIX}OwnerReference` }] },
          'x-kubernetes-list-map-keys': ['uid'],
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-patch-merge-key': 'uid',
          'x-kubernetes-patch-strategy': 'merge',
        },
        resourceVersion: text('Changes with every write; for conflict detection and watches. Read-only.'),
        uid: text('Unique in time and space. Read-only.'),
      },
    },
    [`${META_PREFIX}OwnerReference`]: {
      type: 'object',
      description: 'OwnerReference identifies an owning object in the same namespace.',
      required: ['apiVersion', 'kind', 'name', 'uid'],
      properties: {
        apiVersion: text('API version of the owner.'),
        kind: text('Kind of the owner.'),
        name: text('Name of the owner.'),
        uid: text('UID of the owner.'),
        controller: { type: 'boolean', description: 'Whether it is the managing controller.' },
        blockOwnerDeletion: {
          type: 'boolean',
          description: 'Whether the owner waits in a foreground deletion.',
        },
      },
    },
    [`${META_PREFIX}ListMeta`]: {
      type: 'object',
      description: 'ListMeta describes a list.',
      properties: {
        continue: text('Token for the next page.'),
        remainingItemCount: { type: 'integer', format: 'int64', description: 'Objects after this page.' },
        resourceVersion: text('State the list shows.'),
      },
    },
    [`${META_PREFIX}DeleteOptions`]: {
      type: 'object',
      description: 'DeleteOptions may be given when an object is deleted.',
      properties: {
        apiVersion: text('API version.'),
        kind: text('DeleteOptions'),
        dryRun: { type: 'array', items: { type: 'string' } },
        preconditions: {
          type: 'object',
          description: 'Must hold, or the deletion is refused with 409.',
          properties: { uid: text('UID of the object.'), resourceVersion: text('Its resourceVersion.') },
        },
        propagationPolicy: text('Background, Foreground or Orphan.'),
      },
    },
    [`${META_PREFIX}Patch`]: { type: 'object', description: 'A patch of the kind its content type names.' },
  };
}

import type { ObjectMeta } from '@trifold/crds';

/**
 * Returns the part of an object's metadata that lists need. Drops annotations, because kubectl keeps the whole object
 * in one.
 */
export function listMetadata(metadata: ObjectMeta): ObjectMeta {
  const { name, namespace, uid, resourceVersion, generation, creationTimestamp, deletionTimestamp } =
    metadata;
  return {
    name,
    ...(namespace !== undefined && { namespace }),
    uid,
    resourceVersion,
    generation,
    creationTimestamp,
    ...(deletionTimestamp !== undefined && { deletionTimestamp }),
  };
}

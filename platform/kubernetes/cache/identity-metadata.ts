import type { ObjectMeta } from '@trifold/crds';

/** Returns the metadata that identifies an object and its version, which is what a cache keeps of a reduced object. */
export function identityMetadata(metadata: ObjectMeta): ObjectMeta {
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

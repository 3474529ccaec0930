import type { ObjectMeta } from '@trifold/crds';

/** What lists need of an object's metadata. Annotations go too, for kubectl keeps the whole object in one. */
export function slimMetadata(metadata: ObjectMeta): ObjectMeta {
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
